/**
 * `npm test`: everything, with one line of counts at the end. What needs no other process's time runs side by side, the rest
 * one after the other. A step that fails does not hide what the later ones would say, except that nothing runs on a build that
 * failed.
 */
import { spawnNpm } from './host/npm.ts';
import { repositoryRoot } from './support/repository.ts';

interface Step {
  readonly title: string;
  /** A script of package.json. */
  readonly script: string;
  readonly args?: readonly string[];
}

/** Test files of test/integration that meet most of VS Code's API; `npm run test:oldest` runs all of them. */
const OLDEST_FILES = ['activation', 'signIn', 'signInAtLocalService', 'tree', 'treeProperties'];

const BUILD: Step = { title: 'Build', script: 'build' };
const CHECK: Step = { title: 'Type check, lint and format', script: 'check' };
/** With the argument `engine` it installs just what the unit tests need: the build engine. */
const INSTALLATION = 'test:install';
const UNIT_TESTS: Step = { title: 'Unit tests in Node', script: 'test:unit' };

const TESTS: readonly Step[] = [
  { title: 'Properties of any input', script: 'test:fuzz' },
  { title: 'Client and local service under fault', script: 'test:faults' },
  { title: 'Integration tests in a real VS Code', script: 'test:integration' },
  { title: 'Activation, sign-in and tree in the oldest VS Code', script: 'test:oldest', args: OLDEST_FILES },
  { title: 'End to end, as a person in a browser', script: 'test:e2e' },
];

let passed = 0;
let failed = 0;
if (await runStep(BUILD)) {
  // Where an installation fails, the step that needs it says so.
  await run(INSTALLATION, ['engine'], process.stdout);
  const installation = run(INSTALLATION, [], process.stdout);
  // Nothing of these three depends on the time that the others take. What the check says is shown when it can be read.
  const checked = run(CHECK.script, []);
  await runStep(UNIT_TESTS);
  await runStep(CHECK, checked);
  await installation;
  for (const step of TESTS) {
    await runStep(step);
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Runs a step and counts into `passed` and `failed`.
 *
 * @param started its run, when that began before
 * @returns whether it has passed
 */
async function runStep({ title, script, args = [] }: Step, started?: Promise<Run>): Promise<boolean> {
  console.log(`\n── ${title} (npm run ${[script, ...(args.length > 0 ? ['--', ...args] : [])].join(' ')})`);
  const { status, output, seconds } = await (started ?? run(script, args, process.stdout));
  if (started !== undefined) {
    process.stdout.write(output);
  }
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

interface Run {
  readonly status: number;
  readonly output: string;
  readonly seconds: number;
}

/** Runs a script of package.json. @param shown receives its output while it runs */
async function run(script: string, args: readonly string[], shown?: NodeJS.WritableStream): Promise<Run> {
  const start = performance.now();
  const child = spawnNpm(['run', '--silent', script, '--', ...args], {
    cwd: repositoryRoot,
    // Properties have a small budget here; `npm run test:fuzz` has a large one of its own.
    env: { APP_BUILD_FUZZ_RUNS: '400', ...process.env },
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
