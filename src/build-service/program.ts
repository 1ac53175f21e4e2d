/**
 * Runs the local service as a program. Standard output is for the calling program, and standard error is for messages.
 */
import { X509Certificate } from 'node:crypto';

import type { Builder, UnavailablePlatforms } from './builds/builder.ts';
import { handleLateFaults } from './builds/buildFaults.ts';
import type { BuilderOptions } from './builds/chooseBuilder.ts';
import { EngineError } from './builds/cordova/engine.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { ticketUrl } from './routes/signInRoutes.ts';
import { claimFolder, type InstanceProof } from './runningInstance.ts';
import { startServer, type Server } from './server.ts';
import { createService, type Service } from './service.ts';
import { validateCallbackUrl } from './store/users.ts';
import { StartError } from './store/database.ts';
import { openStore, prepareFolder } from './store/dataFolder.ts';
import { ensureOwnerCredentials, readServiceRow, getOwnerCredentials, issueOwnerAccessToken } from './store/owner.ts';
import { setServedAddress, type Store } from './store/store.ts';
import { type Certificate, PLATFORMS } from '../android-package/index.ts';

/** Information about a running service that the program prints. */
interface ProgramOutput {
  /** `undefined` if another process is running the service. */
  readonly builder?: Builder['name'];
  /** Certificate of this process in PEM format. `undefined` without TLS. */
  readonly certificate?: string | undefined;
  /** Proof from the other process, if another process is running the service. */
  readonly instance?: InstanceProof;
}

/** Chooses the builder. @throws Error if the builder can't be used. The message is for the user */
type ChooseBuilder = (options: BuilderOptions) => Promise<Builder>;

const BUILDER_TEXTS: Readonly<Record<string, string>> = {
  builtin:
    'builtin: builds Android apps with many plugins\n             (for another plugin, run npm run service -- --data DIR --install-engine --plugin NAME)',
  cordova: 'cordova: builds with Apache Cordova',
};

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs the service until the program must exit. If another process is already serving the same data, prints that
 * process's address and returns. If a parent process is connected, waits for it to disconnect before returning.
 */
async function run(options: Options, choose: ChooseBuilder): Promise<void> {
  const { dataFolder, callbackUrl } = options;
  const taken = dataFolder === undefined ? () => undefined : await claimFolder(dataFolder);
  if (typeof taken === 'function') {
    return serve(options, choose).finally(taken);
  }
  const { store, baseUrl, instance } = taken;
  const end = watchForEnd();
  try {
    ensureOwnerCredentials(store, callbackUrl);
    answerParent(store, baseUrl);
    await announce(options, store, baseUrl, { instance });
    if (process.connected) {
      await end;
    }
  } finally {
    store.close();
  }
}

async function serve(options: Options, choose: ChooseBuilder): Promise<void> {
  const { dataFolder, maxUploadBytes, buildTimeoutMs } = options;
  const end = watchForEnd();
  const certificate = await loadCertificate(options);
  const [store, builder] = await Promise.all([
    openStore(dataFolder, report, options),
    choose(options.builder).catch((error: unknown) => {
      throw new StartError(firstLine(error));
    }),
  ]);
  const service = createService({ store, dataFolder, builder, report, maxUploadBytes, buildTimeoutMs });
  try {
    ensureOwnerCredentials(store, options.callbackUrl);
    const server = await listen(service, options.port, certificate);
    const { baseUrl } = server;
    setServedAddress(store, baseUrl);
    service.builds.start();
    answerParent(store, baseUrl);
    const announcement = { builder: builder.name, certificate: certificate?.cert };
    void announce(options, store, baseUrl, announcement).then(() =>
      options.json ? undefined : printPlatforms(builder),
    );
    await end;
    setServedAddress(store, null);
    await server.close();
  } finally {
    await service.close();
  }
}

/** Prints the address of the service and the owner's credentials. */
async function announce(
  { json, dataFolder }: Options,
  store: Store,
  baseUrl: string,
  { builder, certificate, instance }: ProgramOutput,
): Promise<void> {
  const credentials = getOwnerCredentials(store);
  if (json) {
    // Unknown values are `null`.
    const rest = { builder: builder ?? null, certificate: certificate ?? null, instance: instance ?? null };
    await print(`${JSON.stringify({ baseUrl, ...credentials, dataFolder: dataFolder ?? null, ...rest })}\n`);
    return;
  }
  const lines = [
    `The local application build service is running${instance === undefined ? '' : ' already in another process, so this one exits'}.`,
    '',
    `  Base URL   ${baseUrl}`,
    `  Account    ${baseUrl}/account`,
    `  Sign in    ${credentials.username} / ${credentials.password}`,
    ...(readServiceRow(store).hasDemoData === 1
      ? ['             or as a demo user, on the sign-in page, without a password']
      : []),
    `  Data       ${dataFolder ?? 'in memory, lost when the service stops (use --data DIR to keep it)'}`,
    ...(certificate === undefined
      ? []
      : [`  TLS        certificate ${new X509Certificate(certificate).fingerprint256}`]),
    ...(builder === undefined ? [] : [`  Builder    ${BUILDER_TEXTS[builder] ?? builder}`]),
  ];
  await print(`${lines.join('\n')}\n`);
}

/** Prints the platforms that the service can build. Checking their tools can take seconds. */
async function printPlatforms(builder: Builder): Promise<void> {
  const platforms = await builder.platforms().then(formatPlatforms, (error: unknown) => {
    report(`The service can’t determine which platforms it can build: ${firstLine(error)}`);
    return '';
  });
  await print(`${platforms}\nPress Ctrl+C to stop.\n`);
}

/** Formats a builder's platforms, one per line. */
function formatPlatforms(unavailable: UnavailablePlatforms): string {
  const width = Math.max(...PLATFORMS.map(({ length }) => length));
  return PLATFORMS.map(
    (platform) => `             ${platform.padEnd(width)}  ${unavailable[platform] ?? 'can be built'}\n`,
  ).join('');
}

/** Prints text. Resolves when it has been written, because exiting earlier would cut it off. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

async function loadCertificate({ https, certificate }: Options): Promise<Certificate | undefined> {
  if (!https && certificate === undefined) {
    return undefined;
  }
  const tls = await import('./tls.ts');
  return certificate === undefined
    ? tls.createCertificate(Date.now())
    : tls.readCertificate(certificate.certFile, certificate.keyFile);
}

/**
 * Starts listening. Without `port`, uses the port of the last run, because clients store tokens per origin.
 *
 * @throws StartError if the requested port can't be used
 */
async function listen(
  service: Service,
  port: number | undefined,
  certificate: Certificate | undefined,
): Promise<Server> {
  const { store } = service;
  const lastPort = readServiceRow(store).port;
  let server: Server;
  try {
    server = await startServer(service, { port: port ?? lastPort ?? 0, certificate });
  } catch (error) {
    if (port !== undefined) {
      const { code } = error as NodeJS.ErrnoException;
      throw new StartError(`Port ${port} can’t be used (${String(code)}). Specify another one with --port.`);
    }
    report(`Port ${lastPort} of the last run is in use, so the service uses another one.`);
    server = await startServer(service, { port: 0, certificate });
  }
  if (port === undefined || lastPort === null) {
    store.run('UPDATE service SET port = ?', server.port);
  }
  return server;
}

/** Installs the engine without starting the service. */
async function install(dataFolder: string, plugins: Options['plugins']): Promise<void> {
  prepareFolder(dataFolder);
  const { installEngine } = await import('./builds/cordova/installEngine.ts');
  const controller = new AbortController();
  const stopped = new StartError('The installation was stopped. All of its files were deleted.');
  void watchForEnd().then(() => controller.abort(stopped));
  await installEngine({ dataFolder, plugins, report, signal: controller.signal, env: process.env });
}

/**
 * Runs the program.
 *
 * @returns the exit status
 */
async function main(choose: ChooseBuilder): Promise<number> {
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
    await (options.installEngine && options.dataFolder !== undefined
      ? install(options.dataFolder, options.plugins)
      : run(options, choose));
    return 0;
  } catch (error) {
    report(
      error instanceof StartError || error instanceof EngineError
        ? error.message
        : `The service couldn’t start: ${firstLine(error)}`,
    );
    return 1;
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

/** Runs the program and exits with its status. */
export function runService(choose: ChooseBuilder): void {
  // The reader of the output may close it early, which isn't a failure.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  handleLateFaults(report);
  void main(choose).then((status) => process.exit(status));
}

/** Resolves when the program must exit: when it receives a signal, or when its parent process disconnects. */
function watchForEnd(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    if (process.connected) {
      process.on('disconnect', end);
    }
  });
}

/** An unvalidated message from the parent process. */
type ParentMessage = Readonly<Partial<Record<'id' | 'callbackUrl' | 'ask' | 'path', unknown>>>;

/**
 * Responds to messages from the parent process. Only the parent can send them, so they're treated as coming from the
 * service's owner:
 *
 * - `{id, callbackUrl}` changes the callback URL of the owner's client. VS Code in a browser has a different one for
 *   every sign-in. The response repeats the URL.
 * - `{id, ask: 'accessToken'}` requests an access token that lets that client act for the owner.
 * - `{id, ask: 'signInPage', path}` requests the address of a page that signs one browser in as the owner and then
 *   opens `path`.
 *
 * The response is `{id, value}` or, after a failure, `{id, error}` with a message for the user.
 *
 * @param baseUrl base URL of the service, which may be running in another process
 */
function answerParent(store: Store, baseUrl: string): void {
  process.on('message', (message: unknown) => {
    const known = typeof message === 'object' && message !== null ? (message as ParentMessage) : {};
    process.send?.({ id: known.id, ...answerMessage(store, baseUrl, known) });
  });
}

/** Returns the response to a message, without its `id`. */
function answerMessage(store: Store, baseUrl: string, { callbackUrl, ask, path }: ParentMessage): object {
  try {
    if (ask === 'accessToken') {
      return { value: issueOwnerAccessToken(store) };
    }
    if (ask === 'signInPage' && typeof path === 'string') {
      return { value: ticketUrl(store, baseUrl, path) };
    }
    if (typeof callbackUrl !== 'string') {
      return { error: 'The message contains an unknown request.' };
    }
    const fault = validateCallbackUrl(callbackUrl);
    if (fault !== undefined) {
      return { error: fault };
    }
    ensureOwnerCredentials(store, callbackUrl);
    return { value: callbackUrl };
  } catch {
    return { error: 'The service’s data couldn’t be written.' };
  }
}
