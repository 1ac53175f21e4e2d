import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../support/repository.ts';
import type { Guard } from './guard.ts';

/** What is installed is shared by all copies. */
const SHARED = ['node_modules', '.vscode-test'];
/** What a program says that is broken: a guard that is missing is told by what is asserted. */
const CRASH = /^(?:TypeError|ReferenceError|SyntaxError)\b/;
const TIMEOUT = /^(?:Error: )?Timeout of /;
const MAX_WHY_LENGTH = 160;
const TEST_TIMEOUT_MS = 60_000;

/** A copy of the working tree, in which a guard can be taken out. */
export interface Copy {
  readonly folder: string;
  remove(): Promise<void>;
}

/** What each test says of the tree as it is, by test and titles: tried in one of the copies. */
export type SoundResults = Map<string, Promise<Result>>;

interface Result {
  readonly passed: number;
  /** What the failed tests say. */
  readonly failures: readonly string[];
}

export interface Verdict {
  readonly noticed: boolean;
  readonly why: string;
}

/** Copies what git knows or would take in: what is not committed is tried too, and nobody's working tree is changed. */
export async function copyTree(): Promise<Copy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'app-build-guards-'));
  const listed = await promisify(execFile)('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    maxBuffer: 2 ** 26,
  });
  for (const name of listed.stdout.split('\0').filter((each) => each !== '')) {
    // What was deleted and is still in the index is not there.
    await cp(path.join(repositoryRoot, name), path.join(folder, name), { recursive: true }).catch(ignoreMissing);
  }
  for (const name of SHARED) {
    await symlink(path.join(repositoryRoot, name), path.join(folder, name), 'junction');
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
    throw error;
  }
}

/** Takes a guard out of a copy, runs its test, and puts the guard back. */
export async function tryGuard(copy: Copy, guard: Guard, soundResults: SoundResults): Promise<Verdict> {
  const file = path.join(copy.folder, guard.file);
  const before = await readFile(file, 'utf8').catch(() => undefined);
  const count = before === undefined ? 0 : before.split(guard.replace).length - 1;
  if (before === undefined || count !== 1) {
    return { noticed: false, why: before === undefined ? 'there is no such file' : `its text is there ${count} times` };
  }
  const key = JSON.stringify([guard.test, guard.grep]);
  const tried = soundResults.get(key) ?? run(copy, guard);
  soundResults.set(key, tried);
  const sound = await tried;
  if (sound.passed === 0 || sound.failures.length > 0) {
    return { noticed: false, why: `with the guard: ${sound.passed} passed, ${whyOf(sound)}` };
  }
  try {
    await writeFile(
      file,
      before.replace(guard.replace, () => guard.with),
    );
    const mutant = await run(copy, guard);
    const [failure] = mutant.failures;
    const isTold = failure !== undefined && !CRASH.test(failure) && (guard.waits === true || !TIMEOUT.test(failure));
    return { noticed: isTold, why: whyOf(mutant) };
  } finally {
    await writeFile(file, before);
  }
}

function whyOf({ passed, failures: [failure] }: Result): string {
  if (failure !== undefined) {
    return failure.replaceAll(/\s+/g, ' ').slice(0, MAX_WHY_LENGTH);
  }
  return passed === 0 ? 'no test ran' : 'all tests pass';
}

function run(copy: Copy, guard: Guard): Promise<Result> {
  return guard.test.startsWith('integration/') ? runInVscode(copy, guard) : runInNode(copy, guard);
}

/** One file of tests, up to the first that fails. A hook that fails is no test that fails. */
async function runInNode({ folder }: Copy, { test, grep }: Guard): Promise<Result> {
  const report = path.join(folder, 'out-guards.json');
  await rm(report, { force: true });
  await ended(folder, [
    ...['node_modules/mocha/bin/mocha.js', '--no-config', '--bail', '--exit', '--timeout', String(TEST_TIMEOUT_MS)],
    ...['--reporter', 'json', '--reporter-option', `output=${report}`],
    ...(grep === undefined ? [] : ['--grep', grep]),
    path.join('test', test),
  ]);
  // Without a report the tests could not be loaded.
  const text = await readFile(report, 'utf8').catch(() => '{"stats":{"passes":0},"failures":[]}');
  const { stats, failures } = JSON.parse(text) as {
    stats: { passes: number };
    failures: readonly { fullTitle: string; err: { name?: string; message?: string; stack?: string } }[];
  };
  return {
    passed: stats.passes,
    failures: failures
      .filter(({ fullTitle }) => !/"(?:before|after) (?:all|each)" hook/.test(fullTitle))
      .map(({ err }) => err.stack ?? err.message ?? ''),
  };
}

/** The extension is built with what was taken out. */
async function runInVscode({ folder }: Copy, { test, grep }: Guard): Promise<Result> {
  await ended(folder, ['esbuild.config.mjs']);
  const output = await ended(folder, ['test/host/integration.ts', path.basename(test, '.test.ts')], {
    APP_BUILD_GREP: grep,
  });
  const [, passed = '0', failed = '0'] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  const [, failing = ''] = output.split(/^ +\d+ failing$/m);
  const failure = /^ +((?:\w*Error\b|Timeout ).*)$/m.exec(failing)?.[1];
  return { passed: Number(passed), failures: Number(failed) === 0 ? [] : [failure ?? 'a test failed'] };
}

/** Runs a program of the copy with Node to its end. @returns what it wrote */
async function ended(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  // As npm does it: programs find the toolchain's own Node first.
  const PATH = [path.join(folder, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter);
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, PATH, ...env } });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return output;
}
