import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../support/repository.ts';
import { SURFACES } from '../../support/surfaces.ts';

const SOURCES = path.join(repositoryRoot, 'src');
const WORKBENCH = path.join(SOURCES, 'workbench');
const API = path.join(repositoryRoot, 'node_modules/@types/vscode/index.d.ts');

/** `window.createWebviewPanel` leads to `WebviewPanel`, and that to `Webview`. */
const STEPS = 2;

/** A place of VS Code's API that takes a text. */
interface Place {
  /** `QuickPickItem.label`, `window.setStatusBarMessage(text)`. */
  readonly name: string;
  /** `QuickPickItem`, `window.setStatusBarMessage`. */
  readonly owner: string;
  /** What a source writes: the function that is called, or the property with those that it is within. */
  readonly words: readonly string[];
  /** Which argument it is; undefined for a property. */
  readonly index?: number;
}

/**
 * Every place of VS Code's API that the sources may give a text to, with the files that do so. A file does so when it writes the
 * property or calls the function, and names what the place belongs to or what leads there; what `workbench/` names, those name who
 * import it. No types are asked for: a property of the same name that goes elsewhere counts as well.
 */
function textsGivenToVscode(): ReadonlyMap<string, ReadonlySet<string>> {
  const api = new Api(parse(API));
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const uses = new Map(files.map((file) => [path.join(SOURCES, file), usesIn(parse(path.join(SOURCES, file)))]));
  const found = new Map<string, Set<string>>();
  for (const [file, use] of uses) {
    const seams = use.imports.filter((imported) => path.dirname(imported) === WORKBENCH);
    const named = [use, ...seams.map((seam) => uses.get(seam))];
    const near = api.near(named.flatMap((each) => [...(each?.named ?? [])]));
    const places = api.places.filter((place) => near.has(place.owner) && isGiven(place, use)).map(({ name }) => name);
    const handedOn = [...use.notCalled].filter((name) => api.functions.has(name)).map((name) => `${name} handed on`);
    for (const name of [...places, ...handedOn]) {
      found.set(name, (found.get(name) ?? new Set()).add(path.relative(SOURCES, file).replaceAll('\\', '/')));
    }
  }
  return found;
}

function isGiven({ words, index }: Place, { properties, calls }: Uses): boolean {
  return words.every((word) => (index === undefined ? properties.has(word) : index < (calls.get(word) ?? 0)));
}

/** What a file writes. */
interface Uses {
  /** Names of `vscode`: `TreeItem`, `window.showErrorMessage`. */
  readonly named: ReadonlySet<string>;
  /** Those that are not called: who knows what they are called with elsewhere. */
  readonly notCalled: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
  /** How many arguments a function gets at most. */
  readonly calls: ReadonlyMap<string, number>;
  /** Files of ours. */
  readonly imports: readonly string[];
}

function usesIn(source: ts.SourceFile): Uses {
  const named = new Set<string>();
  const notCalled = new Set<string>();
  const properties = new Set<string>();
  const calls = new Map<string, number>();
  const imports: string[] = [];
  visit(source, (node) => {
    const property = propertyWritten(node);
    if (property !== undefined) {
      properties.add(property);
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const callee = node.expression.getText().replace(/^vscode\./, '');
      const given = node.arguments?.some(ts.isSpreadElement) ? Infinity : (node.arguments?.length ?? 0);
      for (const name of new Set([callee, callee.slice(callee.lastIndexOf('.') + 1)])) {
        calls.set(name, Math.max(given, calls.get(name) ?? 0));
      }
    }
    if (ts.isPropertyAccessExpression(node) || ts.isQualifiedName(node)) {
      const name = /^vscode\.([\w.]+)$/.exec(node.getText())?.[1];
      if (name !== undefined) {
        named.add(name);
        const isCalled = ts.isCallExpression(node.parent) && node.parent.expression === node;
        if (!isCalled) {
          notCalled.add(name);
        }
      }
    }
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      imports.push(path.join(path.dirname(source.fileName), node.moduleSpecifier.text));
    }
  });
  return { named, notCalled, properties, calls, imports };
}

/** The property that is written here: in an object, in a class, or by an assignment. */
function propertyWritten(node: ts.Node): string | undefined {
  if (
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isGetAccessorDeclaration(node)
  ) {
    return node.name.getText();
  }
  if (ts.isParameterPropertyDeclaration(node, node.parent)) {
    return node.name.getText();
  }
  const isAssignment = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssignment && ts.isPropertyAccessExpression(node.left) ? node.left.name.text : undefined;
}

/** The declarations of VS Code. */
class Api {
  readonly places: Place[] = [];
  /** `window.showErrorMessage`. */
  readonly functions = new Set<string>();
  /** What a declaration refers to. */
  readonly #leadsTo = new Map<string, Set<string>>();
  /** Names of types that a text belongs to. */
  readonly #texts = new Set(['MarkdownString', 'any', 'unknown', 'T']);

  constructor(source: ts.SourceFile) {
    visit(source, (node) => {
      if (ts.isTypeAliasDeclaration(node) && this.#isText(node.type)) {
        this.#texts.add(node.name.text);
      }
    });
    visit(source, (node) => {
      if (ts.isFunctionDeclaration(node)) {
        this.functions.add(nameOf(node));
      }
      if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
        const to = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
        const from = ownerOf(node);
        this.#leadsTo.set(from, (this.#leadsTo.get(from) ?? new Set()).add(to.getText()));
      }
      if (isSettable(node) && this.#isText(node.type)) {
        this.places.push({ name: nameOf(node), owner: ownerOf(node), words: wordsOf(node) });
      }
      if (ts.isParameter(node) && isOfFunction(node.parent) && this.#isText(node.type)) {
        const name = nameOf(node.parent);
        this.places.push({
          name: `${name}(${node.name.getText()})`,
          owner: ownerOf(node),
          words: [isInstanceMethod(node.parent) ? node.parent.name.getText() : name],
          index: node.parent.parameters.indexOf(node),
        });
      }
    });
  }

  /** These names, and those that their declarations lead to. */
  near(names: readonly string[]): ReadonlySet<string> {
    let near = new Set(names.flatMap((name) => [name, name.replace(/\..*/, '')]));
    for (let step = 0; step < STEPS; step++) {
      near = new Set([...near].flatMap((name) => [name, ...(this.#leadsTo.get(name) ?? [])]));
    }
    return near;
  }

  /** True for a string, for what VS Code renders, and for what can be anything. */
  #isText(type: ts.TypeNode | undefined): boolean {
    if (type === undefined) {
      return false;
    }
    if (ts.isUnionTypeNode(type)) {
      return type.types.some((each) => this.#isText(each));
    }
    if (ts.isParenthesizedTypeNode(type)) {
      return this.#isText(type.type);
    }
    if (ts.isParameter(type.parent) && type.parent.dotDotDotToken !== undefined) {
      return this.#isText(
        ts.isArrayTypeNode(type) ? type.elementType : (type as ts.TypeReferenceNode).typeArguments?.[0],
      );
    }
    return (
      type.kind === ts.SyntaxKind.StringKeyword ||
      (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) ||
      this.#texts.has(type.getText())
    );
  }
}

/** True for a property that a source can give: VS Code itself sets those of its classes that can only be read. */
function isSettable(node: ts.Node): node is ts.PropertySignature | ts.PropertyDeclaration {
  return ts.isPropertySignature(node) || (ts.isPropertyDeclaration(node) && !isReadonly(node));
}

function isReadonly({ modifiers }: ts.PropertyDeclaration): boolean {
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) ?? false;
}

/** `checkboxState` and `tooltip`: a property, and those that it is within. */
function wordsOf(property: ts.Node): readonly string[] {
  const words: string[] = [];
  for (let node = property; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)) {
      words.push(node.name.getText());
    }
  }
  return words;
}

function isOfFunction(
  node: ts.Node,
): node is ts.FunctionDeclaration | ts.ConstructorDeclaration | ts.MethodDeclaration | ts.MethodSignature {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node)
  );
}

function isInstanceMethod(node: ts.Node): node is ts.MethodDeclaration | ts.MethodSignature {
  return (
    ts.isMethodSignature(node) ||
    (ts.isMethodDeclaration(node) && !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
  );
}

/** `QuickPickItem.label`, `window.showQuickPick`, `ThemeIcon`. */
function nameOf(declaration: ts.Node): string {
  return namesOf(declaration).join('.');
}

/** The type or the function of a namespace that a node is part of. */
function ownerOf(node: ts.Node): string {
  const isInNamespace = ts.findAncestor(node, (each) => ts.isModuleDeclaration(each) && ts.isIdentifier(each.name));
  return namesOf(node)
    .slice(0, isInNamespace === undefined ? 1 : 2)
    .join('.');
}

function namesOf(declaration: ts.Node): readonly string[] {
  const names: string[] = [];
  for (let node = declaration; !ts.isSourceFile(node); node = node.parent) {
    const name = ts.getNameOfDeclaration(node as ts.Declaration);
    if (name !== undefined && !ts.isStringLiteral(name)) {
      names.unshift(name.getText());
    }
  }
  return names;
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

describe('what VS Code is given as text', () => {
  it('is known for each place of its API, so that none shows a service’s words unescaped', () => {
    const found = textsGivenToVscode();
    const known = new Set(Object.keys(SURFACES));
    const unknown = [...found]
      .filter(([name]) => !known.has(name))
      .map(([name, files]) => `${name}: ${[...files].join(', ')}`);
    assert.deepEqual(unknown, [], 'add a row to test/support/surfaces.ts');
    assert.deepEqual(
      [...known].filter((name) => !found.has(name)),
      [],
      'rows that nothing uses',
    );
  });
});
