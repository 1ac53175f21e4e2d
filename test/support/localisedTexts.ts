import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import ts from 'typescript';
import { repositoryRoot } from './repository.ts';

/** The embedded service is a program of its own and speaks English. */
const LEFT_OUT = 'localService';

/** Translates a sentence that another call wrote as a literal. */
const TRANSLATES_A_VALUE = 'localised';

/** The English texts of the sources, and the calls whose text cannot be found. */
export interface LocalisedTexts {
  /** Each text once, in the order of the files. */
  readonly texts: readonly string[];
  /** A line each: file, line and what is wrong there. */
  readonly problems: readonly string[];
}

/**
 * Exports the texts that are translated while the extension runs, with the tool of VS Code (`@vscode/l10n-dev`). That one
 * passes over a call whose text is no literal; here such a call is a problem.
 */
export async function exportTexts(): Promise<LocalisedTexts> {
  const sources = await Promise.all((await sourceFiles()).map(readSource));
  const files = sources.map(({ file, text }) => ({ text, ...callsIn(file, text) }));

  // One file for the export: most of its time goes to each beginning.
  const contents = ["import * as vscode from 'vscode';", ...files.map(({ text, calls }) => forExport(text, calls))];
  const found = await getL10nJson([{ extension: '.ts', contents: contents.join('\n') }]);
  const texts = [...new Set([...Object.keys(found), ...(await ruleDescriptions())])];
  const problems = files.flatMap(({ calls, aliases }) => [
    ...aliases.map((node) => `${placeOf(node)}: is to be called here: ${node.getText()}`),
    ...calls.flatMap(({ node, text }) => {
      if (text === undefined) {
        return enclosingFunction(node) === TRANSLATES_A_VALUE
          ? []
          : [`${placeOf(node)}: the text is no literal: ${node.getText()}`];
      }
      return Object.hasOwn(found, text) ? [] : [`${placeOf(node)}: the export misses: ${text}`];
    }),
  ]);
  return { texts, problems };
}

/** A TypeScript file. */
interface SourceText {
  /** Below the repository. */
  readonly file: string;
  readonly text: string;
}

function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

interface Call {
  readonly node: ts.CallExpression;
  /** Undefined when the first argument is no literal. */
  readonly text: string | undefined;
}

/** The calls of `vscode.l10n.t` and of `sentence`, which makes a text that `vscode.l10n.t` translates later. */
function callsIn(
  file: string,
  contents: string,
): { readonly calls: readonly Call[]; readonly aliases: readonly ts.Node[] } {
  const source = ts.createSourceFile(file, contents, ts.ScriptTarget.Latest, true);
  const calls: Call[] = [];
  const aliases: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^((vscode\.)?l10n\.t|sentence)$/.test(node.expression.getText())) {
      const [text] = node.arguments;
      calls.push({ node, text: text !== undefined && ts.isStringLiteralLike(text) ? text.text : undefined });
    }
    if (isAlias(node)) {
      aliases.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { calls, aliases };
}

/** True where the function itself is handed on, as in `const t = vscode.l10n.t`: its calls could not be recognised. */
function isAlias(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node) && /^(vscode\.)?l10n(\.t)?$/.test(node.getText())) {
    return !ts.isPropertyAccessExpression(node.parent) && !isCalled(node);
  }
  return (
    ts.isIdentifier(node) &&
    node.text === 'sentence' &&
    (ts.isVariableDeclaration(node.parent) || ts.isCallExpression(node.parent)) &&
    !isCalled(node)
  );
}

function isCalled(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && node.parent.expression === node;
}

function enclosingFunction(node: ts.Node): string | undefined {
  const found = ts.findAncestor(node, ts.isFunctionDeclaration);
  return found?.name?.text;
}

/**
 * The export knows `vscode.l10n.t` alone: it is given `sentence(…)` as such a call. What is no literal is hidden from it: it
 * would end at some of these.
 */
function forExport(text: string, calls: readonly Call[]): string {
  const rewritten = calls.reduceRight(
    (rest, { node: { expression }, text: literal }) =>
      rest.slice(0, expression.getStart()) +
      (literal === undefined ? 'hidden' : 'vscode.l10n.t') +
      rest.slice(expression.end),
    text,
  );
  return rewritten.replace(/^import (type )?\* as vscode from 'vscode';$/m, '');
}

async function sourceFiles(): Promise<readonly string[]> {
  const files = await readdir(path.join(repositoryRoot, 'src'), { recursive: true });
  return files
    .filter((file) => file.endsWith('.ts') && file.split(path.sep)[0] !== LEFT_OUT)
    .map((file) => `src/${file.split(path.sep).join('/')}`)
    .sort();
}

/** The descriptions of the rules of config.xml, which are data. */
async function ruleDescriptions(): Promise<readonly string[]> {
  const { text } = await readSource('src/configXml/rules.json');
  const found: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    found.push(...(key === 'description' && typeof value === 'string' ? [value] : []));
    return value;
  });
  return found;
}

async function readSource(file: string): Promise<SourceText> {
  return { file, text: await readFile(path.join(repositoryRoot, file), 'utf8') };
}
