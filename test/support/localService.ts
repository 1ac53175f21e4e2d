/** Starts the real local service for a test, as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestBuilder } from './builderService.ts';
import { repositoryRoot } from './repository.ts';

const SOURCE = path.join(repositoryRoot, 'src', 'localService', 'main.ts');
/** The same program with a builder of the tests. */
const WITH_TEST_BUILDER = path.join(repositoryRoot, 'test', 'support', 'builderService.ts');
const BUNDLE = path.join(repositoryRoot, 'dist', 'localService.cjs');

export interface LocalServiceOptions {
  readonly callbackUrl?: string;
  readonly dataFolder?: string;
  /** Whether new data are demo data, which most tests are about. */
  readonly demo?: boolean;
  /** Further command line arguments. */
  readonly args?: readonly string[];
  /** Starts what is shipped. Electron's Node may read no TypeScript: in a desktop VS Code it is always that. */
  readonly bundled?: boolean;
  /** A builder of the tests, with which the sources run. */
  readonly builder?: TestBuilder;
  /** A program, with its arguments, that starts the one which it is given. */
  readonly launcher?: readonly string[];
}

export interface LocalService {
  readonly pid: number;
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  readonly authToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackUrl: string;
  readonly dataFolder: string | null;
  /** Name of the builder; `null` when another process serves. */
  readonly builder: string | null;
  /** PEM; `null` without TLS. */
  readonly certificate: string | null;
  /** `null` unless another process serves the same data. */
  readonly instance: { readonly challenge: string; readonly proof: string } | null;
  /** Resolves with the exit code, `null` after a signal. */
  readonly ended: Promise<number | null>;
  /** What the service wrote to standard error so far. */
  readonly errorOutput: () => string;
  /** Ends the service, as its parent does, and waits for it. Resolves with the exit code, `null` after a signal. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/**
 * Starts the service on a free port, with demo data unless told otherwise. It ends with the test process even when `stop` is never called.
 *
 * @throws an error with what the service wrote to standard error, when it does not start
 */
export async function startLocalService({
  callbackUrl,
  dataFolder,
  demo = true,
  args = [],
  builder,
  bundled = process.versions.electron !== undefined,
  launcher = [],
}: LocalServiceOptions = {}): Promise<LocalService> {
  const [command = '', ...all] = [
    ...launcher,
    process.execPath,
    builder !== undefined ? WITH_TEST_BUILDER : bundled ? BUNDLE : SOURCE,
    '--json',
    ...(demo ? ['--demo'] : []),
    ...(callbackUrl === undefined ? [] : ['--callback-url', callbackUrl]),
    ...(dataFolder === undefined ? [] : ['--data', dataFolder]),
    ...args,
  ];
  const child = spawn(command, all, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...(builder && { TEST_BUILDER: JSON.stringify(builder) }) },
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) {
    throw new Error('The service has no output to read.');
  }
  let complaints = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  // There is no `close` once the channel is left.
  const ended = Promise.all([once(child, 'exit'), once(stderr, 'close')]);
  const line = await Promise.race([
    once(createInterface(stdout), 'line').then(([text]) => String(text)),
    ended.then(() => Promise.reject(new Error(`The local service did not start: ${complaints}`))),
  ]);
  const said = JSON.parse(line) as Omit<LocalService, 'pid' | 'stop' | 'errorOutput' | 'ended'>;
  if (said.instance !== null) {
    // It would wait for questions.
    child.disconnect();
  }
  return {
    ...said,
    pid: child.pid ?? 0,
    errorOutput: () => complaints,
    ended: ended.then(() => child.exitCode),
    stop: async (signal) => {
      if (signal !== undefined) {
        child.kill(signal);
      } else if (child.connected) {
        child.disconnect();
      }
      await ended;
      return child.exitCode;
    },
  };
}
