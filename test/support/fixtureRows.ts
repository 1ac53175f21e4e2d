import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Files } from './packing.ts';

interface FixtureRow {
  readonly title: string;
  readonly files: Files;
  readonly expected: string;
}

/**
 * Rows of a file in `fixtures`, each `title | file = text | … | expected`. The lines of a text are separated by `⏎`.
 *
 * @param texts those that a word in capitals stands for
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
