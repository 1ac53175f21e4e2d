import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from './repository.ts';

/** Calls whose first argument is text for the user. The local service is a separate program and isn't translated. */
const CALLS = /^(?:(?:vscode\.)?l10n\.t|sentence)$/;

/** The function that translates a sentence written as a literal in another call. */
const TRANSLATES_A_VALUE = 'localize';

/** The English strings in the sources, and the calls whose text can't be found. */
interface LocalizedTexts {
  /** Unique strings in the order of the files. */
  readonly texts: readonly string[];
  /** Lines with a file, a line number, and the problem. */
  readonly problems: readonly string[];
}

/** Finds the strings that are translated while the extension runs. A call whose text isn't a literal is a problem. */
export async function exportTexts(): Promise<LocalizedTexts> {
  const files = globSync('src/**/*.ts', {
    cwd: repositoryRoot,
    exclude: ['src/apk.ts', 'src/build-service/**'],
  }).sort();
  const texts = new Set<string>();
  const problems: string[] = [];
  for (const file of files) {
    const text = await readFile(path.join(repositoryRoot, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const report = (node: ts.Node, problem: string): void => {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      problems.push(`${file}:${line}: ${problem}: ${node.getText()}`);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && CALLS.test(node.expression.getText())) {
        const [argument] = node.arguments;
        if (argument !== undefined && ts.isStringLiteralLike(argument)) {
          texts.add(argument.text);
        } else if (ts.findAncestor(node, ts.isFunctionDeclaration)?.name?.text !== TRANSLATES_A_VALUE) {
          report(node, "the text isn't a literal");
        }
      } else if (
        node.getText() === 'vscode.l10n.t' &&
        !(ts.isCallExpression(node.parent) && node.parent.expression === node)
      ) {
        report(node.parent, 'call it here, so that its texts are found');
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  (await ruleDescriptions()).forEach((description) => texts.add(description));
  return { texts: [...texts], problems };
}

/** Returns the descriptions in the config.xml rules, which are data. */
async function ruleDescriptions(): Promise<readonly string[]> {
  const text = await readFile(path.join(repositoryRoot, 'src/config-xml/rules.json'), 'utf8');
  const found: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    found.push(...(key === 'description' && typeof value === 'string' ? [value] : []));
    return value;
  });
  return found;
}
