/** The local service as a program. Standard output is for its caller, standard error for messages. */
import { fstatSync } from 'node:fs';

import { demoCredentials, demoState, withDemoCredentials } from './store/demoData.ts';
import { servedElsewhere, watch } from './elsewhere.ts';
import { StartError } from './errors.ts';
import { parseOptions, usage, type Options } from './options.ts';
import { serveParent } from './parent.ts';
import { listen, type Service, type ServiceOptions } from './server.ts';
import { readState, writeState } from './store/stateFile.ts';
import type { State } from './store/state.ts';
import { Store } from './store/store.ts';

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Tells when the program should end: by a signal, or because the process that started it is gone. That shows in the
 * channel to it, or in a piped standard input. An input that was over before the work began says nothing.
 */
function watchForEnd(): { readonly ended: Promise<void>; readonly workBegins: () => void } {
  let working = false;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => resolve();
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    if (process.connected) {
      process.on('disconnect', end);
    }
    if (stdinIsPipe()) {
      const inputOver = (): void => {
        if (working) {
          end();
        }
      };
      process.stdin.on('end', inputOver).on('error', inputOver).resume();
    }
  });
  return {
    ended,
    workBegins: () => {
      working = true;
    },
  };
}

function stdinIsPipe(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

async function openStore(saved: State | undefined, { dataFile, callbackUrl }: Options): Promise<Store> {
  const store = new Store(saved ?? (await demoState()), (state) =>
    dataFile === undefined ? Promise.resolve() : writeState(dataFile, state),
  );
  await store.update((state) => ({ state: withDemoCredentials(state, callbackUrl), result: undefined }));
  return store;
}

/** Listens on the port that was asked for; else on that of the last run when it is free, else on any. */
async function open(options: ServiceOptions, port: number | undefined): Promise<Service> {
  const { store } = options;
  const remembered = store.state.port ?? 0;
  try {
    return await listen(options, port ?? remembered);
  } catch (error) {
    if (port !== undefined || remembered === 0) {
      throw new StartError(
        `Port ${port ?? remembered} cannot be used (${String((error as NodeJS.ErrnoException).code)}). Name another one with --port.`,
      );
    }
    report(`Port ${remembered} of the last run is taken; another one is used.`);
    return listen(options, 0);
  }
}

async function run(options: Options): Promise<void> {
  const { dataFile, port } = options;
  const watched = watchForEnd();
  const ended = watched.ended.then(() => 'ended' as const);
  let register: (callbackUrl: string) => Promise<void> = () =>
    Promise.reject(new StartError('The service is starting.'));
  let announced = false;
  const announce = (state: State, baseUrl: string): void => {
    if (!announced) {
      announced = true;
      serveParent((callbackUrl) => register(callbackUrl));
      watched.workBegins();
      const credentials = demoCredentials(state);
      process.stdout.write(
        options.json ? `${JSON.stringify({ baseUrl, ...credentials })}\n` : welcome(baseUrl, credentials, dataFile),
      );
    }
  };
  for (;;) {
    const saved = dataFile === undefined ? undefined : await readState(dataFile, report);
    const elsewhere = saved === undefined || port !== undefined ? undefined : await servedElsewhere(saved);
    if (saved === undefined || elsewhere === undefined) {
      const store = await openStore(saved, options);
      const service = await open({ store, report }, port);
      await store.update((state) => ({
        state: state.port === service.port ? state : { ...state, port: service.port },
        result: undefined,
      }));
      register = (callbackUrl) =>
        store.update((state) => ({ state: withDemoCredentials(state, callbackUrl), result: undefined }));
      announce(store.state, service.baseUrl);
      await ended;
      await service.close();
      await store.settled();
      return;
    }
    // Another process has the data: this one stands by, and takes over when that one ends.
    register = (callbackUrl) =>
      callbackUrl === demoCredentials(saved).callbackUrl
        ? Promise.resolve()
        : Promise.reject(new StartError('Another window runs the local service. Sign in there.'));
    announce(saved, elsewhere);
    const other = watch(elsewhere);
    if ((await Promise.race([ended, other.closed])) === 'ended') {
      other.stop();
      return;
    }
  }
}

function welcome(
  baseUrl: string,
  { username, password }: { username: string; password: string },
  dataFile?: string,
): string {
  return `The local application build service is running.

  Base URL   ${baseUrl}
  Account    ${baseUrl}/account
  Sign in    ${username} / ${password}
             or as a demo user, on the sign-in page, without a password
  Data       ${dataFile ?? 'in memory, gone when the service stops (keep it with --data FILE)'}

Press Ctrl+C to stop.
`;
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    report(`${firstLine(error)} See --help.`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  try {
    await run(options);
    return 0;
  } catch (error) {
    report(error instanceof StartError ? error.message : `The service could not start: ${firstLine(error)}`);
    return 1;
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

// A reader of the output may leave early; that is no reason to fail.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
void main().then((status) => process.exit(status));
