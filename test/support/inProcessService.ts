import { demoBuilder } from './demoBuilder.ts';
import { createApp, startServer, type ServerOptions } from '../../src/localService/server.ts';
import { createService, type Service, type ServiceOptions } from '../../src/localService/service.ts';
import { endBuild, findUnfinishedBuilds } from '../../src/localService/store/builds.ts';
import { openDatabase } from '../../src/localService/store/database.ts';
import { insertDemoData } from '../../src/localService/store/demoData.ts';
import {
  ensureOwnerCredentials,
  getOwnerCredentials,
  insertOwner,
  type OwnerCredentials,
} from '../../src/localService/store/owner.ts';
import { createPassword, type HashedPassword } from '../../src/localService/store/secrets.ts';
import { Store } from '../../src/localService/store/store.ts';
import { fetchFrom, type Fetch } from './inProcessFetch.ts';

export interface InProcessService extends OwnerCredentials {
  readonly service: Service;
  readonly baseUrl: string;
  /** Sends a request to a service that does not listen. */
  readonly fetch?: Fetch | undefined;
  /** Moves the service's clock forward. */
  readonly advance: (milliseconds: number) => void;
  /** Makes every further write of the data fail in SQLite, or work again. */
  readonly breakDisk: (broken: boolean) => void;
  /** Leaves the database no more room than it has, or as much as it likes. */
  readonly fillDisk: (full: boolean) => void;
  /** What the service reported of its own failures. */
  readonly reports: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Hashing the password takes longer than everything else at the start of a service: it is done once a process. */
let ownerPassword: Promise<HashedPassword> | undefined;

/** A service that is asked by `fetch` alone. */
export interface OpenedService extends InProcessService {
  readonly fetch: Fetch;
}

interface OpenOptions extends Partial<ServiceOptions> {
  /** Where it seems to listen. */
  readonly origin?: string;
  readonly callbackUrl?: string;
  /** Name of the owner of a service that starts empty; without one it has the demo data. */
  readonly owner?: string;
}

/** Opens the service inside the test process, with a clock and a disk that the test controls. It does not listen. */
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
      // SQLite takes no less than there are.
      database.exec(`PRAGMA max_page_count = ${full ? 1 : 2 ** 31}`);
    },
    reports,
    stop: () => service.close(),
  };
}

/** Has a test begin at rest: the builds that demo data begin with are over. */
export function endUnfinishedBuilds(store: Store): void {
  for (const { appId, platform } of findUnfinishedBuilds(store)) {
    endBuild(store, appId, platform, 'The build was cancelled.');
  }
}

/** The same behind a socket: for what is about connections, and for clients that open their own. */
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
