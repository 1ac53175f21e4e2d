import { startServer, type ServerOptions } from '../../src/localService/server.ts';
import {
  ensureDemoCredentials,
  getDemoCredentials,
  type DemoCredentials,
} from '../../src/localService/store/demoCredentials.ts';
import { createDemoState } from '../../src/localService/store/demoData.ts';
import { Store } from '../../src/localService/store/store.ts';

export interface InProcessService extends DemoCredentials {
  readonly baseUrl: string;
  /** Moves the service's clock forward. */
  readonly advance: (milliseconds: number) => void;
  /** Makes every further write of the data fail, or work again. */
  readonly breakDisk: (broken: boolean) => void;
  /** What the service reported of its own failures. */
  readonly reports: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts the service inside the test process, with a clock and a disk that the test controls. */
export async function startInProcess({ limits = {} }: Pick<ServerOptions, 'limits'> = {}): Promise<InProcessService> {
  let now = Date.now();
  let diskIsBroken = false;
  const reports: string[] = [];
  const store = new Store(await createDemoState(), () =>
    diskIsBroken ? Promise.reject(new Error('the disk is full')) : Promise.resolve(),
  );
  await ensureDemoCredentials(store, 'http://127.0.0.1:1/callback');
  const server = await startServer({ store, report: (line) => reports.push(line), now: () => now, limits }, 0);
  return {
    ...getDemoCredentials(store),
    baseUrl: server.baseUrl,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    breakDisk: (broken) => {
      diskIsBroken = broken;
    },
    reports,
    stop: () => server.close(),
  };
}
