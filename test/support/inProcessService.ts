import { demoBuilder } from './demoBuilder.ts';
import { createApp, startServer, type ServerOptions } from '../../src/build-service/server.ts';
import { createService, type Service, type ServiceOptions } from '../../src/build-service/service.ts';
import { endBuild, findUnfinishedBuilds } from '../../src/build-service/store/builds.ts';
import { openDatabase } from '../../src/build-service/store/database.ts';
import { insertDemoData } from '../../src/build-service/store/demoData.ts';
import {
  ensureOwnerCredentials,
  getOwnerCredentials,
  insertOwner,
  type OwnerCredentials,
} from '../../src/build-service/store/owner.ts';
import { createPassword, type HashedPassword } from '../../src/build-service/store/secrets.ts';
import { Store } from '../../src/build-service/store/store.ts';
import { fetchFrom, type Fetch } from './inProcessFetch.ts';

export interface InProcessService extends OwnerCredentials {
  readonly service: Service;
  readonly baseUrl: string;
  /** Sends a request to a service that doesn't listen. */
  readonly fetch?: Fetch | undefined;
  /** Advances the service's clock. */
  readonly advance: (milliseconds: number) => void;
  /** Makes all further writes to the database fail, or succeed again. */
  readonly breakDisk: (broken: boolean) => void;
  /** Limits the database to its current size, or removes the limit. */
  readonly fillDisk: (full: boolean) => void;
  /** Failures that the service has reported about itself. */
  readonly reports: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Computed once per process, because hashing the password takes longer than the rest of a service's start. */
let ownerPassword: Promise<HashedPassword> | undefined;

/** A service that is only reachable through `fetch`. */
export interface OpenedService extends InProcessService {
  readonly fetch: Fetch;
}

interface OpenOptions extends Partial<ServiceOptions> {
  /** Origin under which it seems to listen. */
  readonly origin?: string;
  readonly callbackUrl?: string;
  /** Owner of a service without data. If omitted, the service has demo data. */
  readonly owner?: string;
}

/** Opens the service in the test process, with a clock and a disk that the test controls. It doesn't listen. */
export async function openInProcess({
  origin = 'http://127.0.0.1:4000',
  callbackUrl = 'http://127.0.0.1:1/callback',
  owner,
  ...options
}: OpenOptions = {}): Promise<OpenedService> {
  let now = Date.now();
  const reports: string[] = [];
  const database = openDatabase(undefined, (line) => reports.push(line));
  const store = options.store ?? new Store(database, () => now);
  if (options.store === undefined) {
    ownerPassword ??= createPassword();
    if (owner === undefined) {
      insertDemoData(store, await ownerPassword);
      endUnfinishedBuilds(store);
    } else {
      insertOwner(store, owner, await ownerPassword);
    }
  }
  ensureOwnerCredentials(store, callbackUrl);
  const report = (line: string): void => void reports.push(line);
  const base = { store, dataFolder: undefined, builder: demoBuilder, report };
  const limits = { maxUploadBytes: 250_000_000, buildTimeoutMs: 60_000 };
  const service = createService({ ...base, ...limits, ...options });
  service.builds.start();
  return {
    service,
    ...getOwnerCredentials(store),
    baseUrl: origin,
    fetch: fetchFrom(createApp(service, origin)),
    advance: (milliseconds) => {
      now += milliseconds;
    },
    breakDisk: (broken) => {
      database.exec(`PRAGMA query_only = ${broken ? 'ON' : 'OFF'}`);
    },
    fillDisk: (full) => {
      // SQLite never goes below the current number of pages.
      database.exec(`PRAGMA max_page_count = ${full ? 1 : 2 ** 31}`);
    },
    reports,
    stop: () => service.close(),
  };
}

/** Ends the demo data's unfinished builds, so that a test begins in a fixed state. */
export function endUnfinishedBuilds(store: Store): void {
  for (const { appId, platform } of findUnfinishedBuilds(store)) {
    endBuild(store, appId, platform, 'The build was canceled.');
  }
}

/** Opens the service behind a socket, for tests of connections and for clients that open their own. */
export async function startInProcess({
  limits,
  certificate,
  ...options
}: Pick<ServerOptions, 'limits' | 'certificate'> & OpenOptions = {}): Promise<InProcessService> {
  const opened = await openInProcess(options);
  const server = await startServer(opened.service, { port: 0, limits, certificate });
  return {
    ...opened,
    baseUrl: server.baseUrl,
    fetch: undefined,
    stop: async () => {
      await server.close();
      await opened.stop();
    },
  };
}
