/** The local service as a program. Standard output is for its caller, standard error for messages. */
import { chooseBuilder } from './builds/chooseBuilder.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { answerParent, watchForEnd } from './parentProcess.ts';
import { findRunningInstance } from './runningInstance.ts';
import { startServer, type Server } from './server.ts';
import { createService, type Service } from './service.ts';
import { DataError } from './store/database.ts';
import { ensureDemoCredentials, getDemoCredentials, type DemoCredentials } from './store/demoCredentials.ts';
import { LOOPBACK_ADDRESS } from './store/instanceProof.ts';
import { openStore } from './store/openStore.ts';

/** The service cannot start. The message is for a person. */
class StartError extends Error {
  override readonly name = 'StartError';
}

/** How often a program on the port of the last run is asked whether it is the service, before it is taken for another one. */
const MAX_PROBES = 2;

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Serves until the program should end. */
async function run(options: Options): Promise<void> {
  const end = watchForEnd();
  const store = await openStore(options.dataFolder, report);
  const builder = await chooseBuilder(options.builder);
  const { dataFolder, maxUploadBytes, buildTimeoutMs } = options;
  const service = createService({ store, dataFolder, builder, report, maxUploadBytes, buildTimeoutMs });
  try {
    ensureDemoCredentials(store, options.callbackUrl);
    let announced = false;
    await serve(service, options.port, end.ended, (baseUrl) => {
      if (!announced) {
        announced = true;
        answerParent((url) => ensureDemoCredentials(store, url));
        end.endWithInput();
        const credentials = getDemoCredentials(store);
        process.stdout.write(
          options.json
            ? `${JSON.stringify({ baseUrl, ...credentials })}\n`
            : welcomeText(baseUrl, credentials, options.dataFolder),
        );
      }
    });
  } finally {
    await service.close();
  }
}

/**
 * Listens until `ended`. Without a `port` it is that of the last run: clients keep tokens per origin. While another process
 * serves the same data there, this one stands by, and takes its place when that one ends.
 *
 * @param announce is told the base URL, as soon as there is a service at it
 * @throws StartError when the port cannot be used, or another program takes the one that was announced
 */
async function serve(
  service: Service,
  port: number | undefined,
  ended: Promise<void>,
  announce: (baseUrl: string) => void,
): Promise<void> {
  const { store } = service;
  const wantedPort = port ?? store.lastPort ?? 0;
  const isFixed = port !== undefined;
  let server = await listen(service, wantedPort, isFixed);
  let stoodBy = false;
  // Who does not answer may be about to end: then the port is free a moment later.
  let failedProbes = 0;
  while (server === undefined && failedProbes < MAX_PROBES) {
    const other = await findRunningInstance(store, wantedPort);
    if (other === undefined) {
      failedProbes += 1;
    } else {
      failedProbes = 0;
      stoodBy = true;
      announce(`http://${LOOPBACK_ADDRESS}:${wantedPort}`);
      const closed = await Promise.race([other.closed.then(() => true), ended.then(() => false)]);
      other.release();
      if (!closed) {
        return;
      }
    }
    server = await listen(service, wantedPort, isFixed);
  }
  if (server === undefined && stoodBy) {
    throw new StartError(`Another program has taken port ${wantedPort} of the service.`);
  }
  if (server === undefined) {
    report(`Port ${wantedPort} of the last run is taken; another one is used.`);
    server = await startServer(service, { port: 0 });
  }
  if (!isFixed || store.lastPort === null) {
    store.rememberPort(server.port);
  }
  service.builds.start();
  announce(server.baseUrl);
  await ended;
  await server.close();
}

/**
 * Listens on `port`.
 *
 * @param isFixed whether it has to be this port; `undefined` is returned otherwise when it cannot be used
 * @throws StartError when it has to be this port, and cannot be used
 */
async function listen(service: Service, port: number, isFixed: boolean): Promise<Server | undefined> {
  try {
    return await startServer(service, { port });
  } catch (error) {
    if (!isFixed) {
      return undefined;
    }
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`Port ${port} cannot be used (${String(code)}). Name another one with --port.`);
  }
}

function welcomeText(baseUrl: string, { username, password }: DemoCredentials, dataFolder: string | undefined): string {
  return `The local application build service is running.

  Base URL   ${baseUrl}
  Account    ${baseUrl}/account
  Sign in    ${username} / ${password}
             or as a demo user, on the sign-in page, without a password
  Data       ${dataFolder ?? 'in memory, gone when the service stops (keep it with --data DIR)'}

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
      error instanceof StartError || error instanceof DataError
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
