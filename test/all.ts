/**
 * `npm test`: everything, one step after the other, with one line of counts at the end. A step that fails does not hide
 * what the later ones would say, except that nothing runs on a build that failed.
 */
import { once } from 'node:events';
import { spawnNpm } from './host/npm.ts';
import { repositoryRoot } from './support/repository.ts';

interface Step {
  readonly title: string;
  /** A script of package.json. */
  readonly script: string;
  readonly args?: readonly string[];
  /** Nothing runs after it when it has failed. */
  readonly required?: boolean;
}

/** Test files of test/integration that meet most of VS Code's API; `npm run test:oldest` runs all of them. */
const OLDEST_FILES = ['activation', 'signIn', 'signInAtLocalService', 'tree', 'treeProperties'];

const CHECKS: readonly Step[] = [
  { title: 'Type check, lint and format', script: 'check' },
  { title: 'Build', script: 'build', required: true },
];

const TESTS: readonly Step[] = [
  { title: 'Unit tests in Node', script: 'test:unit' },
  { title: 'Properties of any input', script: 'test:fuzz' },
  { title: 'Client and local service under fault', script: 'test:faults' },
  { title: 'Integration tests in a real VS Code', script: 'test:integration' },
  { title: 'Activation, sign-in and tree in the oldest VS Code', script: 'test:oldest', args: OLDEST_FILES },
  { title: 'End to end, as a person in a browser', script: 'test:e2e' },
];

let passed = 0;
let failed = 0;
// Beside the checks, which need neither the network nor the second processor. Where it fails, the step that needs it says so.
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

/** Counts into `passed` and `failed`. @returns false when a required step has failed. */
async function runSteps(steps: readonly Step[]): Promise<boolean> {
  for (const { title, script, args = [], required = false } of steps) {
    console.log(`\n── ${title} (npm run ${[script, ...(args.length > 0 ? ['--', ...args] : [])].join(' ')})`);
    const start = performance.now();
    const { status, output } = await run(script, args);
    const counts = countsOf(output);
    passed += counts?.passed ?? (status === 0 ? 1 : 0);
    failed += counts?.failed ?? 0;
    // A step can fail beside its tests, or before it has counted any.
    if (status !== 0 && (counts?.failed ?? 0) === 0) {
      failed += 1;
    }
    console.log(`── ${status === 0 ? 'done' : 'FAILED'} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    if (status !== 0 && required) {
      return false;
    }
  }
  return true;
}

async function run(script: string, args: readonly string[]): Promise<{ status: number; output: string }> {
  const child = spawnNpm(['run', '--silent', script, '--', ...args], {
    cwd: repositoryRoot,
    // Properties have a small budget here; `npm run test:fuzz` has a large one of its own.
    env: { APP_BUILD_FUZZ_RUNS: '400', ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    from?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      to.write(text);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ status: code ?? 1, output }));
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
