/** Starts the real local service for a test in its own process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestBuilder } from './builderService.ts';
import { repositoryRoot } from './repository.ts';

const SOURCE = path.join(repositoryRoot, 'src', 'build-service', 'main.ts');
/** The same program with a test builder. */
const WITH_TEST_BUILDER = path.join(repositoryRoot, 'test', 'support', 'builderService.ts');
const BUNDLE = path.join(repositoryRoot, 'dist', 'localService.cjs');

interface LocalServiceOptions {
  readonly callbackUrl?: string;
  readonly dataFolder?: string;
  /** True if new data is demo data, which most tests use. */
  readonly demo?: boolean;
  /** Additional command-line arguments. */
  readonly args?: readonly string[];
  /**
   * Starts the bundled service. In a desktop VS Code it's always the bundled one, because Electron's Node may not read
   * TypeScript.
   */
  readonly bundled?: boolean;
  /** A test builder. The service then runs from its sources. */
  readonly builder?: TestBuilder;
  /** A program with its arguments that starts the program in its last arguments. */
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
  /** Name of the builder. `null` if another process serves. */
  readonly builder: string | null;
  /** Certificate in PEM. `null` without TLS. */
  readonly certificate: string | null;
  /** `null` unless another process serves the same data. */
  readonly instance: { readonly challenge: string; readonly proof: string } | null;
  /** Resolves with the exit code, or `null` after a signal. */
  readonly ended: Promise<number | null>;
  /** Returns the service's output to standard error so far. */
  readonly errorOutput: () => string;
  /**
   * Stops the service, as its parent does, and waits until it has exited. Resolves with the exit code, or `null` after a
   * signal.
   */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/**
 * Starts the service on a free port, with demo data by default. It exits with the test process even if `stop` is never called.
 * @throws Error with the service's output to standard error if it doesn't start
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
  // `close` isn't emitted after the channel is disconnected.
  const ended = Promise.all([once(child, 'exit'), once(stderr, 'close')]);
  const line = await Promise.race([
    once(createInterface(stdout), 'line').then(([text]) => String(text)),
    ended.then(() => Promise.reject(new Error(`The local service didn’t start: ${complaints}`))),
  ]);
  const said = JSON.parse(line) as Omit<LocalService, 'pid' | 'stop' | 'errorOutput' | 'ended'>;
  if (said.instance !== null) {
    // Otherwise the program would wait for messages.
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
