import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { MAX_LINE_LENGTH } from '../../src/extension/workbench/limits.ts';
import { repositoryRoot } from '../support/repository.ts';

/** Matches calls that show a notification. */
const SHOWS = /otifications\.(?:information|warning)$/;

/** Returns the text of each of a file's notifications without a button. */
function textsWithoutButton(file: string): readonly string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(repositoryRoot, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const texts: string[] = [];
  const visit = (node: ts.Node, isShown: boolean): void => {
    const isCall = ts.isCallExpression(node);
    if (isCall && isShown && node.expression.getText() === 'vscode.l10n.t') {
      texts.push(
        ...node.arguments
          .slice(0, 1)
          .filter(ts.isStringLiteralLike)
          .map(({ text }) => text),
      );
    }
    const shows = isCall && SHOWS.test(node.expression.getText()) && node.arguments.length === 1;
    ts.forEachChild(node, (child) => visit(child, isShown || shows));
  };
  visit(source, false);
  return texts;
}

describe('a notification without a button', () => {
  it('fits in one line, because VS Code cuts off the rest', () => {
    const texts = globSync('src/**/*.ts', { cwd: repositoryRoot }).flatMap(textsWithoutButton);
    assert.ok(texts.length > 5);
    assert.deepEqual(
      texts.filter(({ length }) => length > MAX_LINE_LENGTH),
      [],
    );
  });
});
