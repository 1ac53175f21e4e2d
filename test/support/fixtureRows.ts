import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Files } from './packing.ts';

interface FixtureRow {
  readonly title: string;
  readonly files: Files;
  readonly expected: string;
}

/**
 * Reads the rows of a file in `fixtures`. Each is `title | file = text | … | expected`, with `
 * ` between the lines of a text.
 * @param texts replacements for words in capitals
 */
export function fixtureRows(name: string, texts: Readonly<Record<string, string>>): readonly FixtureRow[] {
  const rows = readFileSync(path.join(import.meta.dirname, '../fixtures', name), 'utf8')
    .trimEnd()
    .split('\n');
  return rows.map((row) => {
    const [title = '', ...parts] = row.split(/ \|(?: |$)/);
    const files = parts.slice(0, -1).map((part) => {
      const [file = '', text = ''] = part.split(/ =(?: |$)(.*)/s);
      return [file, texts[text] ?? text.replaceAll('⏎', '\n')] as const;
    });
    return { title, files: Object.fromEntries(files), expected: parts.at(-1) ?? '' };
  });
}
