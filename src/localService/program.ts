/** The local service as a program. Standard output is for its caller, standard error for messages. */
import { X509Certificate } from 'node:crypto';

import type { Builder, Obstacles } from './builds/builder.ts';
import { surviveFaults } from './builds/buildFaults.ts';
import type { BuilderOptions } from './builds/chooseBuilder.ts';
import { EngineError } from './builds/cordova/engine.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { ticketUrl } from './routes/signIn.ts';
import { takeFolder, type InstanceProof } from './runningInstance.ts';
import { startServer, type Server } from './server.ts';
import { createService, type Service } from './service.ts';
import { validateCallbackUrl } from './store/users.ts';
import { StartError } from './store/database.ts';
import { openStore, prepareFolder } from './store/dataFolder.ts';
import { PLATFORMS } from './store/model.ts';
import { ensureOwnerCredentials, readServiceRow, getOwnerCredentials, issueOwnerAccessToken } from './store/owner.ts';
import { setServedAddress, type Store } from './store/store.ts';
import type { Certificate } from './tls.ts';

/** What the program prints of a service that runs. */
interface Announcement {
  /** `undefined`: another process serves. */
  readonly builder?: Builder['name'];
  /** The certificate of this process, PEM; `undefined` without TLS. */
  readonly certificate?: string | undefined;
  /** The proof of the other process that serves; `undefined`: this one does. */
  readonly instance?: InstanceProof;
}

/** Chooses what builds. @throws Error whose message is for a user */
type ChooseBuilder = (options: BuilderOptions) => Promise<Builder>;

const BUILDER_TEXTS: Readonly<Record<string, string>> = {
  builtin:
    'builtin: builds Android apps without plugins that have native code\n             (for those, npm run service -- --data DIR --install-engine --plugin NAME installs Apache Cordova and a plugin)',
  cordova: 'cordova: builds with Apache Cordova',
};

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Serves until the program should end. If another process serves the same data, it prints the address and ends: at once, or when
 * the parent that it can answer has no more questions.
 */
async function run(options: Options, choose: ChooseBuilder): Promise<void> {
  const { dataFolder, callbackUrl } = options;
  const taken = dataFolder === undefined ? () => undefined : await takeFolder(dataFolder);
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
  const certificate = await certificateOf(options);
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

/** Prints where the data is served, and the credentials of its owner. */
async function announce(
  { json, dataFolder }: Options,
  store: Store,
  baseUrl: string,
  { builder, certificate, instance }: Announcement,
): Promise<void> {
  const credentials = getOwnerCredentials(store);
  if (json) {
    // Unknown values are `null`.
    const rest = { builder: builder ?? null, certificate: certificate ?? null, instance: instance ?? null };
    await print(`${JSON.stringify({ baseUrl, ...credentials, dataFolder: dataFolder ?? null, ...rest })}\n`);
    return;
  }
  const lines = [
    `The local application build service is running${instance === undefined ? '' : ' already, in another process: this one ends'}.`,
    '',
    `  Base URL   ${baseUrl}`,
    `  Account    ${baseUrl}/account`,
    `  Sign in    ${credentials.username} / ${credentials.password}`,
    ...(readServiceRow(store).hasDemoData === 1
      ? ['             or as a demo user, on the sign-in page, without a password']
      : []),
    `  Data       ${dataFolder ?? 'in memory, gone when the service stops (keep it with --data DIR)'}`,
    ...(certificate === undefined
      ? []
      : [`  TLS        certificate ${new X509Certificate(certificate).fingerprint256}`]),
    ...(builder === undefined ? [] : [`  Builder    ${BUILDER_TEXTS[builder] ?? builder}`]),
  ];
  await print(`${lines.join('\n')}\n`);
}

/** Prints which platforms can be built. Looking at their tools may take seconds. */
async function printPlatforms(builder: Builder): Promise<void> {
  const platforms = await builder.platforms().then(platformsText, (error: unknown) => {
    report(`What can be built here is not known: ${firstLine(error)}`);
    return '';
  });
  await print(`${platforms}\nPress Ctrl+C to stop.\n`);
}

/** The platforms of a builder, one line each. */
function platformsText(unavailable: Obstacles): string {
  const width = Math.max(...PLATFORMS.map(({ length }) => length));
  return PLATFORMS.map(
    (platform) => `             ${platform.padEnd(width)}  ${unavailable[platform] ?? 'can be built'}\n`,
  ).join('');
}

/** Resolves when it is written: a program that ends at once would cut it off. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

async function certificateOf({ https, certificate }: Options): Promise<Certificate | undefined> {
  if (!https && certificate === undefined) {
    return undefined;
  }
  const tls = await import('./tls.ts');
  return certificate === undefined
    ? tls.createCertificate(Date.now())
    : tls.readCertificate(certificate.certFile, certificate.keyFile);
}

/**
 * Listens. Without a `port` it is that of the last run: clients keep tokens per origin.
 *
 * @throws StartError when the port that was asked for cannot be used
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
      throw new StartError(`Port ${port} cannot be used (${String(code)}). Name another one with --port.`);
    }
    report(`Port ${lastPort} of the last run is taken; another one is used.`);
    server = await startServer(service, { port: 0, certificate });
  }
  if (port === undefined || lastPort === null) {
    store.run('UPDATE service SET port = ?', server.port);
  }
  return server;
}

/** Installs the engine instead of serving. */
async function install(dataFolder: string, plugins: Options['plugins']): Promise<void> {
  prepareFolder(dataFolder);
  const { installEngine } = await import('./builds/cordova/installEngine.ts');
  const controller = new AbortController();
  const stopped = new StartError('The installation was stopped; nothing is left of it.');
  void watchForEnd().then(() => controller.abort(stopped));
  await installEngine({ dataFolder, plugins, report, signal: controller.signal, env: process.env });
}

/** @returns the exit status */
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
        : `The service could not start: ${firstLine(error)}`,
    );
    return 1;
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

/** Runs the program, and ends the process with its status. */
export function runProgram(choose: ChooseBuilder): void {
  // A reader of the output may leave early. That isn't a failure.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  surviveFaults(report);
  void main(choose).then((status) => process.exit(status));
}

/** Resolves when the program should end: by a signal, or because the process that started this one is gone and its channel with it. */
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

/** A message of the parent; nothing of it is certain. */
type Message = Readonly<Partial<Record<'id' | 'callbackUrl' | 'ask' | 'path', unknown>>>;

/**
 * Answers the process that started this one, over the channel between them. Only the parent can send such a message, so
 * that it speaks for the owner of the service:
 *
 * - `{id, callbackUrl}` changes the Callback Url of the owner's client: in a browser, VS Code has another way back for each
 *   sign-in. The answer repeats it.
 * - `{id, ask: 'accessToken'}` asks for a token of the owner for that client.
 * - `{id, ask: 'signInPage', path}` asks for the address of a page that signs a browser in as the owner, once, and leads on to `path`.
 *
 * They are answered with `{id, value}` or, after a failure, with `{id, error}`, a sentence for the user.
 *
 * @param baseUrl of the service, which another process may run
 */
function answerParent(store: Store, baseUrl: string): void {
  process.on('message', (message: unknown) => {
    const known = typeof message === 'object' && message !== null ? (message as Message) : {};
    process.send?.({ id: known.id, ...answerMessage(store, baseUrl, known) });
  });
}

/** The answer, without the `id` of the message. */
function answerMessage(store: Store, baseUrl: string, { callbackUrl, ask, path }: Message): object {
  try {
    if (ask === 'accessToken') {
      return { value: issueOwnerAccessToken(store) };
    }
    if (ask === 'signInPage' && typeof path === 'string') {
      return { value: ticketUrl(store, baseUrl, path) };
    }
    if (typeof callbackUrl !== 'string') {
      return { error: 'The message asks for nothing that is known.' };
    }
    const fault = validateCallbackUrl(callbackUrl);
    if (fault !== undefined) {
      return { error: fault };
    }
    ensureOwnerCredentials(store, callbackUrl);
    return { value: callbackUrl };
  } catch {
    return { error: 'The data of the service could not be written.' };
  }
}
