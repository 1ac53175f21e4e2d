/**
 * `npm test`: builds, then runs the checks and all tests, AT_ONCE programs at a time. Every program's output is printed when it ends. A
 * failure doesn't stop the others. The failures are printed once more at the end, and the last line contains the totals.
 */
import { globSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawnNpm } from './host/npm.ts';
import { repositoryRoot } from './support/repository.ts';

/** Three programs keep two cores busy, because tests in a window mostly wait. */
const AT_ONCE = 3;

/** Number of characters to repeat of a failed program that isn't mocha. */
const LAST_OUTPUT = 4000;

/** A script in package.json and its arguments after `--`. */
type Job = readonly [script: string, ...args: readonly string[]];

/** Jobs in the order in which they start: those that install VS Code first, short ones last. */
const JOBS: readonly Job[] = [
  ['test:install'],
  ['check'],
  ['test:unit'],
  ...shares('test/integration/*.test.ts').map((files): Job => ['test:integration', ...files]),
  ...shares('test/e2e/*.test.ts').map((files): Job => ['test:e2e', ...files]),
  ['test:fuzz'],
  ['test:faults'],
  // These tests fail first in an old VS Code. `npm run test:oldest` runs all of them.
  ['test:oldest', 'activation', 'signInAtLocalService'],
];

const ENVIRONMENT = {
  ...process.env,
  // The tests start the local service from its sources about a hundred times.
  NODE_COMPILE_CACHE: path.join(repositoryRoot, 'out', 'compile-cache'),
  // Two builds at the same time would delete each other's files.
  APP_BUILD_IS_BUILT: '1',
};

let passed = 0;
let failed = 0;
/** The title of each failed job, and its failures. */
const failedJobs: string[] = [];
if (await run(['build'])) {
  const waiting = [...JOBS];
  const worker = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      await run(job);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
console.log(failedJobs.join('\n'));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Runs a job, prints its output, and counts its tests. A job without tests counts as one. @returns whether it passed
 */
async function run([script, ...args]: Job): Promise<boolean> {
  const start = performance.now();
  const child = spawnNpm(['run', '--silent', script, '--', ...args], {
    cwd: repositoryRoot,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const hasPassed = await new Promise<boolean>((resolve) => child.once('close', (status) => resolve(status === 0)));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const title = ['npm run', script, ...args].join(' ');
  console.log(`\n── ${title}\n${output}── ${hasPassed ? 'done' : 'FAILED'} in ${seconds} s`);
  const plain = stripVTControlCharacters(output);
  // Uses the last match, because mocha prints the failures after its summary.
  const count = (summary: RegExp): number => Number([...plain.matchAll(summary)].at(-1)?.[1] ?? 0);
  const passes = count(/^ *(\d+) pass(?:ing|ed)\b/gm);
  const failures = count(/^(?: *|\d+ passed, )(\d+) fail(?:ing|ed)$/gm);
  passed += passes === 0 && hasPassed ? 1 : passes;
  failed += failures === 0 && !hasPassed ? 1 : failures;
  if (!hasPassed) {
    const from = plain.search(/^ *\d+ failing$/m);
    failedJobs.push(`\n── ${title} FAILED\n${from === -1 ? plain.slice(-LAST_OUTPUT) : plain.slice(from)}`);
  }
  return hasPassed;
}

/** Distributes the matching test files evenly between two jobs. */
function shares(pattern: string): readonly (readonly string[])[] {
  const files = globSync(pattern, { cwd: repositoryRoot }).sort();
  return [0, 1].map((share) => files.filter((_file, index) => index % 2 === share));
}
