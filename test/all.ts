/**
 * `npm test`: everything, one step after the other, with one line of counts at the end. A step that fails does not hide
 * what the later ones would say, except that nothing runs on a build that failed.
 */
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { spawnNpm } from './host/npm.ts';
import { repositoryRoot } from './support/repository.ts';

interface Step {
  readonly title: string;
  /** A script of package.json. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Nothing runs after it when it has failed. */
  readonly required?: boolean;
  /** All of them run meanwhile: none depends on the time that another takes. */
  readonly beside?: readonly Step[];
}

/** Test files of test/integration that meet most of VS Code's API; `npm run test:oldest` runs all of them. */
const OLDEST_FILES = ['activation', 'signIn', 'signInAtLocalService', 'tree', 'treeProperties'];

const CHECKS: readonly Step[] = [
  { title: 'Build', script: 'build', required: true },
  {
    title: 'Lint',
    script: 'lint',
    beside: [
      { title: 'Type check', script: 'types' },
      { title: 'Format', script: 'format:check' },
    ],
  },
];

/** The tests in Node start the local service from its sources, hundreds of times. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: path.join(repositoryRoot, 'out', 'compile-cache') };

/** The first step builds: two runs that did so at a time would take the files away from each other. */
const IS_BUILT = { APP_BUILD_IS_BUILT: '1' };

const TESTS: readonly Step[] = [
  {
    title: 'Unit tests in Node',
    script: 'test:unit',
    env: COMPILE_CACHE,
  },
  {
    title: 'Client and local service under fault',
    script: 'test:faults',
    env: COMPILE_CACHE,
    beside: [{ title: 'Properties of any input', script: 'test:fuzz', env: COMPILE_CACHE }],
  },
  {
    title: 'Integration tests in a real VS Code, every other file',
    script: 'test:integration',
    args: integrationFiles(0),
    beside: [
      {
        title: 'Integration tests in another one, the other files',
        script: 'test:integration',
        args: integrationFiles(1),
      },
    ],
  },
  {
    title: 'End to end, as a person in a browser, every other file',
    script: 'test:e2e',
    args: withoutFiles(endToEndFiles(1)),
    env: IS_BUILT,
    beside: [
      {
        title: 'End to end in another browser, the other files',
        script: 'test:e2e',
        args: withoutFiles(endToEndFiles(0)),
        env: IS_BUILT,
      },
      { title: 'Activation, sign-in and tree in the oldest VS Code', script: 'test:oldest', args: OLDEST_FILES },
    ],
  },
];

/** Half of the files of test/integration, without `.test.ts`. @param half 0 or 1 */
function integrationFiles(half: number): readonly string[] {
  return everyOther(testFilesOf('integration').sort(), half).map((file) => path.basename(file, '.test.ts'));
}

/** Half of the files of test/e2e: the long ones shared out, so that both halves take about as long. @param half 0 or 1 */
function endToEndFiles(half: number): readonly string[] {
  const files = testFilesOf('e2e').map((file) => `test/e2e/${file}`);
  const sizeOf = (file: string) => statSync(path.join(repositoryRoot, file)).size;
  return everyOther(
    files.sort((one, other) => sizeOf(other) - sizeOf(one)),
    half,
  );
}

/** Mocha's options that leave files out. */
function withoutFiles(files: readonly string[]): readonly string[] {
  return files.flatMap((file) => ['--ignore', file]);
}

/** Names of the test files of a folder of test/. */
function testFilesOf(folder: string): string[] {
  return readdirSync(path.join(repositoryRoot, 'test', folder)).filter((file) => file.endsWith('.test.ts'));
}

function everyOther(files: readonly string[], half: number): readonly string[] {
  return files.filter((_file, index) => index % 2 === half);
}

let passed = 0;
let failed = 0;
// Beside the checks, which leave the network idle. Where it fails, the step that needs it says so.
const installation = once(
  spawnNpm(['run', '--silent', 'test:install'], { cwd: repositoryRoot, stdio: 'inherit' }),
  'close',
);
if (await runSteps(CHECKS)) {
  await installation;
  await runSteps(TESTS);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs and counts. @returns false when a required step has failed. */
async function runSteps(steps: readonly Step[]): Promise<boolean> {
  for (const { beside = [], ...step } of steps) {
    const others = Promise.all(beside.map((each) => run(each)));
    console.log(titleOf(step));
    const hasPassed = count(await run(step, process.stdout));
    for (const [index, result] of (await others).entries()) {
      console.log(`${titleOf(beside[index] ?? step)}\n${result.output}`);
      count(result);
    }
    if (!hasPassed && step.required === true) {
      return false;
    }
  }
  return true;
}

function titleOf({ title, script, args = [] }: Step): string {
  return `\n── ${title} (npm run ${[script, ...(args.length > 0 ? ['--', ...args] : [])].join(' ')})`;
}

interface Result {
  readonly status: number;
  readonly output: string;
  readonly seconds: number;
}

/** Counts into `passed` and `failed`. @returns whether the step has passed */
function count({ status, output, seconds }: Result): boolean {
  const counts = countsOf(output);
  passed += counts?.passed ?? (status === 0 ? 1 : 0);
  failed += counts?.failed ?? 0;
  // A step can fail beside its tests, or before it has counted any.
  if (status !== 0 && (counts?.failed ?? 0) === 0) {
    failed += 1;
  }
  console.log(`── ${status === 0 ? 'done' : 'FAILED'} in ${seconds.toFixed(1)} s`);
  return status === 0;
}

/** @param shown receives the output while the step runs */
async function run({ script, args = [], env }: Step, shown?: NodeJS.WritableStream): Promise<Result> {
  const start = performance.now();
  const child = spawnNpm(['run', '--silent', script, '--', ...args], {
    cwd: repositoryRoot,
    // Properties have a small budget here; `npm run test:fuzz` has a large one of its own.
    env: { APP_BUILD_FUZZ_RUNS: '300', ...env, ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      shown?.write(text);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ status: code ?? 1, output, seconds: (performance.now() - start) / 1000 }));
  });
}

/** Reads mocha's summary, or a closing `N passed, N failed`; undefined for a step that counts nothing. */
function countsOf(output: string): { passed: number; failed: number } | undefined {
  const closing = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  if (closing !== undefined) {
    return { passed: Number(closing[1]), failed: Number(closing[2]) };
  }
  const passing = [...output.matchAll(/^ *(\d+) passing\b/gm)].at(-1);
  const failing = [...output.matchAll(/^ *(\d+) failing\b/gm)].at(-1);
  return passing === undefined ? undefined : { passed: Number(passing[1]), failed: Number(failing?.[1] ?? 0) };
}
