/**
 * `npm run lint:expressions`, a part of `npm run check`: finds the regular expressions of `src/` and package.json and fails if one can take
 * more than linear time. They're applied to untrusted responses, logs, and files.
 */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from '@typescript-eslint/parser';
import { repositoryRoot } from '../support/repository.ts';
import { type Expression, slowExpressions } from '../support/slowExpressions.ts';

const CONSTRUCTED = 'new RegExp(';

const constructed = recordConstructed();
const literals: Expression[] = [];
const unknown: string[] = [];
for (const file of globSync('src/**/*.ts', { cwd: repositoryRoot })) {
  const text = await readFile(path.join(repositoryRoot, file), 'utf8');
  literals.push(...getLiterals(text, file));
  if (text.includes(CONSTRUCTED)) {
    await import(pathToFileURL(path.join(repositoryRoot, file)).href);
    unknown.push(...getPlaces(CONSTRUCTED, text, file));
  }
}
await constructExamples();
const manifest: unknown = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8'));
const expressions = [...literals, ...constructed, ...inManifest(manifest, 'package.json')];

const problems = [
  ...(await slowExpressions(expressions)),
  ...unknown
    .filter((place) => !constructed.some((each) => each.place === place))
    .map(
      (place) => `${place}: make this expression when the module is loaded, or call its function in constructExamples`,
    ),
];
for (const problem of problems) {
  console.error(problem);
}
console.log(`${expressions.length} regular expressions, ${problems.length} of them not linear`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Records expressions that `new RegExp` creates in `src/` from now on. */
function recordConstructed(): readonly Expression[] {
  const all: Expression[] = [];
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, [pattern, flags]: Parameters<typeof RegExp>): RegExp {
      const expression = new target(pattern, flags);
      const place = /\/(src\/[^:]+:\d+):\d+\)?$/.exec(new Error().stack?.split('\n')[2] ?? '')?.[1];
      if (place !== undefined) {
        all.push({ source: expression.source, flags: expression.flags, place });
      }
      return expression;
    },
  });
  return all;
}

/** Calls the functions that build expressions from their arguments. */
async function constructExamples(): Promise<void> {
  const { createMask } = await import('../../src/build-service/builds/buildLog.ts');
  createMask(['secret']);
  const { Redactor } = await import('../../src/service-client/redaction.ts');
  const redactor = new Redactor();
  redactor.add('short');
  redactor.redact('short');
  const { PageScan } = await import('../../src/android-package/pages/pageScan.ts');
  new PageScan([]);
}

function getLiterals(text: string, file: string): Expression[] {
  return parse(text, { loc: true, range: true, tokens: true }).tokens.flatMap((token) =>
    'regex' in token
      ? [{ source: token.regex.pattern, flags: token.regex.flags, place: `${file}:${token.loc.start.line}` }]
      : [],
  );
}

function getPlaces(part: string, text: string, file: string): string[] {
  return text.split('\n').flatMap((line, index) => (line.includes(part) ? [`${file}:${index + 1}`] : []));
}

/** Returns the `regexp` of problem matchers and the expressions after `=~` in the conditions of menus. */
function inManifest(value: unknown, place: string): Expression[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, member]) => {
    const here = `${place} ${name}`;
    if (typeof member !== 'string') {
      return inManifest(member, here);
    }
    const sources =
      name === 'regexp' ? [member] : [...member.matchAll(/=~ \/(.*?)\/(?= |$)/g)].map(([, source = '']) => source);
    return sources.map((source) => ({ source, flags: '', place: here }));
  });
}
