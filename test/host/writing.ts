/**
 * `npm run lint:writing`, a part of `npm run check`: counts the patterns of docs/writing.md in comments, test titles, UI text, and pages. A
 * count may not exceed its limit in writingLimits.json, and limits may only go down.
 *
 *     npm run lint:writing -- --list [PATH…]   lists the lines
 *     npm run lint:writing -- --write          lowers the limits to the counts
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../support/repository.ts';
import { PATTERNS, type Pattern, getProse } from '../support/writing.ts';

const LIMITS = path.join(import.meta.dirname, 'writingLimits.json');

/** Test data, sample apps, and translations. */
const EXCLUDED = /^test\/fixtures\/|\/samples\/|(?:^|\/)(?:package-lock|package\.nls\.\w+|bundle\.l10n\.\w+)\.json$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, write: { type: 'boolean' } },
});
const counts = new Map<string, number>();
for (const file of trackedFiles(values.list === true ? positionals : []).filter((name) => !EXCLUDED.test(name))) {
  for (const { line, text } of getProse(file, readFileSync(path.join(repositoryRoot, file), 'utf8'))) {
    for (const [pattern, expression] of Object.entries(PATTERNS)) {
      const found = text.match(expression)?.length ?? 0;
      counts.set(pattern, (counts.get(pattern) ?? 0) + found);
      if (found > 0 && values.list === true) {
        console.log(`${file}:${line}: [${pattern}] ${text}`);
      }
    }
  }
}
if (values.list !== true) {
  compare(JSON.parse(readFileSync(LIMITS, 'utf8')) as Record<Pattern, number>);
}

/** Fails for a count that exceeds its limit, and names limits that can be lowered. */
function compare(limits: Readonly<Record<Pattern, number>>): void {
  const lowered: Record<string, number> = {};
  for (const [pattern, limit] of Object.entries(limits)) {
    const count = counts.get(pattern) ?? 0;
    lowered[pattern] = Math.min(limit, count);
    if (count > limit) {
      console.error(
        `"${pattern}": ${count}, but at most ${limit} are allowed. See docs/writing.md, and list them with -- --list`,
      );
      process.exitCode = 1;
    } else if (count < limit) {
      console.log(`"${pattern}": ${count}. The limit of ${limit} can be lowered with -- --write`);
    }
  }
  if (values.write === true) {
    writeFileSync(LIMITS, `${JSON.stringify(lowered, undefined, 2)}\n`);
  }
}

/** Files that Git tracks, and new ones that it doesn't ignore, relative to the repository. */
function trackedFiles(paths: readonly string[]): readonly string[] {
  const kinds = ['ts', 'js', 'mjs', 'java', 'css', 'md', 'json'].map((kind) => `:(glob)**/*.${kind}`);
  const args = [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    ...(paths.length > 0 ? paths : kinds),
  ];
  const files = execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).split('\0').filter(Boolean);
  return [...new Set(files)].filter((file) => existsSync(path.join(repositoryRoot, file)));
}
