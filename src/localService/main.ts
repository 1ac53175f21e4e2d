/** The local service as a program. Standard output is for its caller, standard error for messages. */
import { setTimeout } from 'node:timers/promises';

import { findObstacles, jsonLine, obstaclesText, welcomeText } from './announcement.ts';
import { chooseBuilder } from './builds/chooseBuilder.ts';
import { EngineError } from './builds/cordova/engine.ts';
import { originAt } from './http/origin.ts';
import type { Certificate } from './http/tls.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { answerParent, watchForEnd } from './parentProcess.ts';
import { findRunningInstance } from './runningInstance.ts';
import { startServer, type Server, type ServerOptions } from './server.ts';
import { createService, type Service } from './service.ts';
import { StartError } from './startError.ts';
import { DataError } from './store/database.ts';
import { ensureDemoCredentials, getDemoCredentials } from './store/demoCredentials.ts';
import { openStore } from './store/openStore.ts';

/** How often a program on the port of the last run is asked whether it is the service, before it is taken for another one. */
const MAX_PROBES = 2;

/** How long the line of JSON waits for what the builder can build: whoever started the program waits for that line. */
const MAX_ANNOUNCEMENT_DELAY_MS = 500;

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Serves until the program should end. */
async function run(options: Options): Promise<void> {
  const end = watchForEnd();
  const certificate = await certificateOf(options.https);
  const [store, builder] = await Promise.all([
    openStore(options.dataFolder, report),
    chooseBuilder(options.builder).catch((error: unknown) => {
      throw new StartError(firstLine(error));
    }),
  ]);
  // Looking at the tools of a platform may take seconds.
  const obstacles = findObstacles(builder).catch((error: unknown) => {
    report(`What can be built here is not known: ${firstLine(error)}`);
    return undefined;
  });
  const { dataFolder, maxUploadBytes, buildTimeoutMs } = options;
  const service = createService({ store, dataFolder, builder, report, maxUploadBytes, buildTimeoutMs });
  let announced = false;
  const announce = async (address: Address): Promise<void> => {
    if (announced) {
      return;
    }
    announced = true;
    answerParent((url) => ensureDemoCredentials(store, url));
    end.endWithInput();
    const announcement = { ...address, credentials: getDemoCredentials(store), dataFolder, builder: builder.name };
    if (options.json) {
      const known = await Promise.race([obstacles, setTimeout(MAX_ANNOUNCEMENT_DELAY_MS, undefined, { ref: false })]);
      process.stdout.write(jsonLine({ ...announcement, obstacles: known }));
    } else {
      process.stdout.write(welcomeText(announcement));
      const known = await obstacles;
      process.stdout.write(`${known === undefined ? '' : obstaclesText(builder.name, known)}\nPress Ctrl+C to stop.\n`);
    }
  };
  try {
    ensureDemoCredentials(store, options.callbackUrl);
    await serve(service, options.port, certificate, end.ended, (address) => void announce(address));
  } finally {
    await service.close();
  }
}

async function certificateOf(https: Options['https']): Promise<Certificate | undefined> {
  if (https === undefined) {
    return undefined;
  }
  const tls = await import('./http/tls.ts');
  return https === 'generated' ? tls.createCertificate(Date.now()) : tls.readCertificate(https.certFile, https.keyFile);
}

/** Where a service is. */
interface Address {
  readonly baseUrl: string;
  /** That of the service, PEM; `undefined` without TLS. */
  readonly certificate: string | undefined;
}

/**
 * Listens until `ended`. Without a `port` it is that of the last run: clients keep tokens per origin. While another process
 * serves the same data there, this one stands by, and takes its place when that one ends.
 *
 * @param announce is told the address, as soon as there is a service at it
 * @throws StartError when the port cannot be used, or another program takes the one that was announced
 */
async function serve(
  service: Service,
  port: number | undefined,
  certificate: Certificate | undefined,
  ended: Promise<void>,
  announce: (address: Address) => void,
): Promise<void> {
  const { store } = service;
  const scheme = certificate === undefined ? 'http' : 'https';
  const wantedPort = port ?? store.lastPort(scheme) ?? 0;
  const isFixed = port !== undefined;
  let server = await listen(service, { port: wantedPort, certificate }, isFixed);
  let stoodBy = false;
  // Who does not answer may be about to end: then the port is free a moment later.
  let failedProbes = 0;
  while (server === undefined && failedProbes < MAX_PROBES) {
    const baseUrl = originAt(scheme, wantedPort);
    const other = await findRunningInstance(store, baseUrl);
    if (other === undefined) {
      failedProbes += 1;
    } else {
      failedProbes = 0;
      stoodBy = true;
      announce({ baseUrl, certificate: other.certificate });
      const closed = await Promise.race([other.closed.then(() => true), ended.then(() => false)]);
      other.release();
      if (!closed) {
        return;
      }
    }
    server = await listen(service, { port: wantedPort, certificate }, isFixed);
  }
  if (server === undefined && stoodBy) {
    throw new StartError(`Another program has taken port ${wantedPort} of the service.`);
  }
  if (server === undefined) {
    report(`Port ${wantedPort} of the last run is taken; another one is used.`);
    server = await startServer(service, { port: 0, certificate });
  }
  if (!isFixed || store.lastPort(scheme) === null) {
    store.rememberPort(scheme, server.port);
  }
  service.builds.start();
  announce({ baseUrl: server.baseUrl, certificate: certificate?.cert });
  await ended;
  await server.close();
}

/**
 * Listens as `options` say.
 *
 * @param isFixed whether it has to be this port; `undefined` is returned otherwise when it cannot be used
 * @throws StartError when it has to be this port, and cannot be used
 */
async function listen(service: Service, options: ServerOptions, isFixed: boolean): Promise<Server | undefined> {
  try {
    return await startServer(service, options);
  } catch (error) {
    if (!isFixed) {
      return undefined;
    }
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`Port ${options.port} cannot be used (${String(code)}). Name another one with --port.`);
  }
}

/** Installs the engine instead of serving. */
async function install({ dataFolder }: Options): Promise<void> {
  if (dataFolder === undefined) {
    throw new StartError('--install-engine needs --data: the engine is kept in the data folder.');
  }
  const { installEngine } = await import('./builds/cordova/installEngine.ts');
  const controller = new AbortController();
  const stopped = new StartError('The installation was stopped; nothing is left of it.');
  void watchForEnd().ended.then(() => controller.abort(stopped));
  await installEngine({ dataFolder, report, signal: controller.signal, env: process.env });
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
    await (options.installEngine ? install(options) : run(options));
    return 0;
  } catch (error) {
    report(
      error instanceof StartError || error instanceof EngineError || error instanceof DataError
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
