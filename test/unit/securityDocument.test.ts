import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';

/** A title as a test file writes it: a string, or a template whose values come from a table in the same file. */
const TITLES = /\b(?:it|holds)\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`|([\w.]+),)/g;

/** True when the file has a test of this title; `…` in the title stands for any value of the table. */
function hasTest(source: string, title: string): boolean {
  return [...source.matchAll(TITLES)].some(([, single, double, template, variable]) => {
    const written = single ?? double ?? template ?? `\${${variable ?? ''}}`;
    const pattern = written
      .replaceAll(/\\(.)/g, '$1')
      .split(/\$\{[^}]*\}/)
      .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('(.*)');
    const [, ...values] = new RegExp(`^${pattern}$`).exec(title) ?? [undefined, undefined];
    return values.every((value) => value !== undefined && (value === '…' || source.includes(value)));
  });
}

describe('SECURITY.md', () => {
  it('names tests that there are, each with the file it is in', async () => {
    const text = await readFile(path.join(repositoryRoot, 'SECURITY.md'), 'utf8');
    const rows = [...text.matchAll(/^ +- `([\w/.]+\.test\.ts)`: (“.*”)$/gm)];
    assert.ok(rows.length > 30, `${rows.length} rows`);
    for (const [, file = '', titles = ''] of rows) {
      const source = await readFile(path.join(repositoryRoot, 'test', file), 'utf8');
      for (const [, title = ''] of titles.matchAll(/“([^”]*)”/g)) {
        assert.ok(hasTest(source, title), `${file} has no test “${title}”`);
      }
    }
  });
});
