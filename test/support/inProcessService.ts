import { demoBuilder } from '../../src/localService/builds/demoBuilder.ts';
import { startServer, type ServerOptions } from '../../src/localService/server.ts';
import { createService, type Service, type ServiceOptions } from '../../src/localService/service.ts';
import {
  ensureDemoCredentials,
  getDemoCredentials,
  type DemoCredentials,
} from '../../src/localService/store/demoCredentials.ts';
import { openDatabase } from '../../src/localService/store/database.ts';
import { createDemoData } from '../../src/localService/store/demoData.ts';
import { insertInitialData } from '../../src/localService/store/initialData.ts';
import { Store } from '../../src/localService/store/store.ts';

export interface InProcessService extends DemoCredentials {
  readonly service: Service;
  readonly baseUrl: string;
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

/** Starts the service inside the test process, with a clock and a disk that the test controls. */
export async function startInProcess({
  limits = {},
  certificate,
  ...options
}: Pick<ServerOptions, 'limits' | 'certificate'> & Partial<ServiceOptions> = {}): Promise<InProcessService> {
  let now = Date.now();
  const reports: string[] = [];
  const database = openDatabase(undefined, (line) => reports.push(line));
  const store = options.store ?? new Store(database);
  if (options.store === undefined) {
    insertInitialData(store, await createDemoData());
  }
  ensureDemoCredentials(store, 'http://127.0.0.1:1/callback');
  const report = (line: string): void => void reports.push(line);
  const base = { store, dataFolder: undefined, builder: demoBuilder, report, now: () => now };
  const service = createService({ ...base, ...options });
  service.builds.start();
  const server = await startServer(service, { port: 0, limits, certificate });
  return {
    service,
    ...getDemoCredentials(store),
    baseUrl: server.baseUrl,
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
    stop: async () => {
      await server.close();
      await service.close();
    },
  };
}
