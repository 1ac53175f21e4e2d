import path from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from './repository.ts';

const SOURCES = path.join(repositoryRoot, 'src');

/** Of objects in objects. */
const MAX_DEPTH = 3;

/**
 * Every place of VS Code's API that the sources give a text to, such as `QuickPickItem.label` or
 * `window.setStatusBarMessage(text)`, with the files that do so. Found by the types of what a call or a constructor takes, of
 * what is assigned, and of what an object literal is made for.
 */
export function textsGivenToVscode(): ReadonlyMap<string, ReadonlySet<string>> {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...readConfig(), include: ['src'] },
    ts.sys,
    repositoryRoot,
  );
  const program = ts.createProgram(fileNames, options);
  const search = new Search(program.getTypeChecker());
  for (const file of program.getSourceFiles()) {
    if (fileNames.includes(file.fileName)) {
      search.visit(file);
    }
  }
  return search.found;
}

function readConfig(): object {
  const { config } = ts.readConfigFile(path.join(repositoryRoot, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    readonly config: object;
  };
  return config;
}

class Search {
  readonly found = new Map<string, Set<string>>();
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  visit(node: ts.Node): void {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      this.#visitCall(node);
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const property = ts.isPropertyAccessExpression(node.left) && this.#checker.getSymbolAtLocation(node.left);
      if (property) {
        this.#addProperty(property, node);
      }
    } else if (ts.isObjectLiteralExpression(node)) {
      const wanted = this.#checker.getContextualType(node);
      if (wanted !== undefined) {
        this.#addProperties(this.#checker.getTypeAtLocation(node), wanted, node);
      }
    } else if (
      ts.isPropertyAccessExpression(node) &&
      !(ts.isCallExpression(node.parent) && node.parent.expression === node)
    ) {
      // A function of VS Code that is handed on is called elsewhere with who knows what.
      const [declaration] = this.#checker.getSymbolAtLocation(node)?.declarations ?? [];
      if (declaration !== undefined && ts.isFunctionDeclaration(declaration) && isOfVscode(declaration)) {
        this.#add(`${node.getText()} handed on`, node);
      }
    }
    ts.forEachChild(node, (child) => this.visit(child));
  }

  #visitCall(node: ts.CallExpression | ts.NewExpression): void {
    const signature = this.#checker.getResolvedSignature(node);
    const declaration = signature?.declaration;
    if (signature === undefined || !isOfVscode(declaration)) {
      return;
    }
    for (const [index, argument] of (node.arguments ?? []).entries()) {
      const parameter = signature.parameters[Math.min(index, signature.parameters.length - 1)];
      const given = this.#checker.getTypeAtLocation(argument);
      if (parameter === undefined) {
        continue;
      }
      if (isText(given) || (ts.isSpreadElement(argument) && isText(this.#itemOf(given)))) {
        this.#add(`${nameOf(declaration)}(${parameter.name})`, node);
      } else {
        this.#addProperties(given, this.#checker.getTypeOfSymbol(parameter), node);
      }
    }
  }

  /** Adds the properties of a value that VS Code's type for it declares. */
  #addProperties(given: ts.Type, wanted: ts.Type, node: ts.Node, depth = 0): void {
    const declaration = declarationOf(given);
    const isMadeByVscode = declaration !== undefined && isOfVscode(declaration) && isInstance(declaration);
    if (isMadeByVscode || depth > MAX_DEPTH) {
      return;
    }
    for (const type of wanted.isUnion() ? wanted.types : [wanted]) {
      for (const own of given.getProperties()) {
        const property = this.#checker.getPropertyOfType(type, own.name);
        if (property?.declarations?.some(isOfVscode)) {
          this.#addProperty(property, node);
          this.#addProperties(
            this.#checker.getTypeOfSymbol(own),
            this.#checker.getTypeOfSymbol(property),
            node,
            depth + 1,
          );
        }
      }
      const [item, wantedItem] = [this.#itemOf(given), this.#itemOf(type)];
      if (item !== undefined && wantedItem !== undefined) {
        this.#addProperties(item, this.#checker.getBaseConstraintOfType(wantedItem) ?? wantedItem, node, depth + 1);
      }
    }
  }

  #addProperty(property: ts.Symbol, node: ts.Node): void {
    const declaration = property.declarations?.find(isOfVscode);
    if (declaration !== undefined && isText(this.#checker.getTypeOfSymbol(property))) {
      this.#add(nameOf(declaration), node);
    }
  }

  #itemOf(list: ts.Type): ts.Type | undefined {
    return this.#checker.getIndexTypeOfType(list, ts.IndexKind.Number);
  }

  #add(name: string, node: ts.Node): void {
    const files = this.found.get(name) ?? new Set();
    this.found.set(name, files.add(path.relative(SOURCES, node.getSourceFile().fileName).replaceAll('\\', '/')));
  }
}

function declarationOf(type: ts.Type): ts.Node | undefined {
  return type.getSymbol()?.declarations?.[0];
}

function isOfVscode(declaration: ts.Node | undefined): boolean {
  return declaration?.getSourceFile().fileName.includes('/@types/vscode/') ?? false;
}

/** True for the type of what VS Code makes, unlike what it is given. */
function isInstance(declaration: ts.Node): boolean {
  return (
    ts.isClassDeclaration(declaration) ||
    (ts.isInterfaceDeclaration(declaration) && declaration.name.text === 'TextDocument')
  );
}

/** True for a string, and for what VS Code renders. */
function isText(type: ts.Type | undefined): boolean {
  if (type?.isUnion()) {
    return type.types.some(isText);
  }
  return (
    type !== undefined && ((type.flags & ts.TypeFlags.StringLike) !== 0 || type.getSymbol()?.name === 'MarkdownString')
  );
}

/** `QuickPickItem.label`, `window.showQuickPick`, `ThemeIcon`. */
function nameOf(declaration: ts.Node | undefined): string {
  const names: string[] = [];
  for (let node = declaration; node !== undefined && !ts.isSourceFile(node); node = node.parent) {
    if ('name' in node && !(ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name))) {
      names.unshift(node.name === undefined ? '' : (node.name as ts.Node).getText());
    }
  }
  return names.join('.');
}
