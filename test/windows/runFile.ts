import path from 'node:path';

import { leftOut } from './leftOut.ts';
import type { Wine } from './wine.ts';

const TEST_TIMEOUT_MS = 60_000;
/** Maximum number of characters of standard error to print for a file that didn't finish. */
const MAX_PRINTED_LENGTH = 2_000;
const HOOK = /"(?:before|after) (?:all|each)" hook/;

export interface Result {
  readonly passed: number;
  /** Number of skipped tests by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** One sentence per failure. */
  readonly failures: readonly string[];
}

interface Failure {
  readonly fullTitle: string;
  readonly err: string;
}

/** The lines of mocha's reporter `json-stream` that are used. */
type Line =
  | readonly ['start', { readonly total: number }]
  | readonly ['pass', { readonly fullTitle: string }]
  | readonly ['fail', Failure]
  | readonly ['end', object];

/** Runs a file of unit tests. @param file path in the repository, with `/` */
export async function runFile(wine: Wine, file: string): Promise<Result> {
  const { status, stdout, stderr } = await wine.node([
    ...['node_modules/mocha/bin/mocha.js', '--no-config', '--forbid-only', '--forbid-pending', '--exit'],
    ...['--timeout', String(TEST_TIMEOUT_MS), '--reporter', 'json-stream', file],
  ]);
  const lines = stdout.split('\n').flatMap((line) => (line.startsWith('["') ? [JSON.parse(line) as Line] : []));
  const total = lines.reduce((sum, line) => (line[0] === 'start' ? line[1].total : sum), 0);
  const passes = lines.flatMap((line) => (line[0] === 'pass' ? [line[1].fullTitle] : []));
  const failures = lines.flatMap((line) => (line[0] === 'fail' ? [line[1]] : []));
  if (!lines.some(([event]) => event === 'end')) {
    const last = [...passes, ...failures.map(({ fullTitle }) => fullTitle)].at(-1) ?? 'nothing';
    const printed = stderr.slice(0, MAX_PRINTED_LENGTH);
    return { passed: passes.length, leftOut: new Map(), failures: [`ended (${status}) after “${last}”: ${printed}`] };
  }
  // After a failed hook, the other tests of its suite don't run.
  let notRun = total - passes.length - failures.filter(({ fullTitle }) => !HOOK.test(fullTitle)).length;
  const counts = new Map<string, number>();
  const problems: string[] = [];
  const unexpected = new Set(failures);
  for (const { reason, tests } of leftOut) {
    for (const title of tests[path.posix.relative('test/unit', file)] ?? []) {
      const expected = failures.filter(({ fullTitle }) => fullTitle.startsWith(title));
      for (const failure of expected) {
        unexpected.delete(failure);
        const isHook = HOOK.test(failure.fullTitle);
        counts.set(reason, (counts.get(reason) ?? 0) + (isHook ? notRun : 1));
        notRun = isHook ? 0 : notRun;
      }
      if (expected.length === 0 || passes.some((each) => each.startsWith(title))) {
        problems.push(`“${title}” passes, or is not there: take it out of leftOut.ts`);
      }
    }
  }
  return {
    passed: passes.length,
    leftOut: counts,
    failures: [...problems, ...[...unexpected].map(({ fullTitle, err }) => `${fullTitle}: ${err}`)],
  };
}
