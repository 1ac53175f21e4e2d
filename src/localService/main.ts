/** The local service as a program. Standard output is for its caller, standard error for messages. */
import { parseOptions, USAGE, type Options } from './options.ts';
import { answerParent, watchForEnd, type ChangeCallbackUrl } from './parentProcess.ts';
import { findRunningInstance, watchInstance } from './runningInstance.ts';
import { startServer, type Server } from './server.ts';
import { DataFileError, openStore } from './store/dataFile.ts';
import { ensureDemoCredentials, getDemoCredentials, type DemoCredentials } from './store/demoCredentials.ts';
import type { Store } from './store/store.ts';

/** The service cannot start. The message is for a person. */
class StartError extends Error {
  override readonly name = 'StartError';
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Serves until the program should end. While another process serves the same data, this one stands by, and takes over
 * when that one ends.
 */
async function run({ dataFile, port, callbackUrl, json }: Options): Promise<void> {
  const end = watchForEnd();
  const ended = end.ended.then(() => 'ended' as const);
  let changeCallbackUrl: ChangeCallbackUrl = () => Promise.resolve('The service is starting.');
  let announced = false;
  const announce = (store: Store, baseUrl: string): void => {
    if (!announced) {
      announced = true;
      answerParent((url) => changeCallbackUrl(url));
      end.endWithInput();
      const credentials = getDemoCredentials(store);
      process.stdout.write(
        json ? `${JSON.stringify({ baseUrl, ...credentials })}\n` : welcomeText(baseUrl, credentials, dataFile),
      );
    }
  };
  for (;;) {
    const store = await openStore(dataFile, report);
    const otherBaseUrl = port === undefined ? await findRunningInstance(store) : undefined;
    if (otherBaseUrl === undefined) {
      await ensureDemoCredentials(store, callbackUrl);
      const server = await listen(store, port);
      await store.setLastPort(server.port);
      changeCallbackUrl = async (url) => {
        await ensureDemoCredentials(store, url);
        return undefined;
      };
      announce(store, server.baseUrl);
      await ended;
      await server.close();
      await store.settled();
      return;
    }
    changeCallbackUrl = (url) =>
      Promise.resolve(
        url === getDemoCredentials(store).callbackUrl
          ? undefined
          : 'Another window runs the local service. Sign in there.',
      );
    announce(store, otherBaseUrl);
    const other = watchInstance(otherBaseUrl);
    if ((await Promise.race([ended, other.closed])) === 'ended') {
      other.stop();
      return;
    }
  }
}

/** Listens on `port`; where none is given on that of the last run when it is free, else on any. */
async function listen(store: Store, port: number | undefined): Promise<Server> {
  const options = { store, report };
  const wantedPort = port ?? store.lastPort ?? 0;
  try {
    return await startServer(options, wantedPort);
  } catch (error) {
    if (port !== undefined || wantedPort === 0) {
      throw new StartError(
        `Port ${wantedPort} cannot be used (${String((error as NodeJS.ErrnoException).code)}). Name another one with --port.`,
      );
    }
    report(`Port ${wantedPort} of the last run is taken; another one is used.`);
    return startServer(options, 0);
  }
}

function welcomeText(baseUrl: string, { username, password }: DemoCredentials, dataFile: string | undefined): string {
  return `The local application build service is running.

  Base URL   ${baseUrl}
  Account    ${baseUrl}/account
  Sign in    ${username} / ${password}
             or as a demo user, on the sign-in page, without a password
  Data       ${dataFile ?? 'in memory, gone when the service stops (keep it with --data FILE)'}

Press Ctrl+C to stop.
`;
}

/** @returns the exit status */
async function main(): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    report(`${firstLine(error)} See --help.`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    await run(options);
    return 0;
  } catch (error) {
    report(
      error instanceof StartError || error instanceof DataFileError
        ? error.message
        : `The service could not start: ${firstLine(error)}`,
    );
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
