import {
  demoCredentials,
  demoState,
  withDemoCredentials,
  type DemoCredentials,
} from '../../../src/localService/store/demoData.ts';
import { listen, type ServiceOptions } from '../../../src/localService/server.ts';
import { Store } from '../../../src/localService/store/store.ts';

export interface InProcessService extends DemoCredentials {
  readonly baseUrl: string;
  /** Moves the service's clock, milliseconds. */
  readonly advance: (milliseconds: number) => void;
  /** Makes every further write fail, or work again. */
  readonly breakDisk: (broken: boolean) => void;
  readonly reports: readonly string[];
  readonly stop: () => Promise<void>;
}

/** The service inside the test process, with a clock and a disk that the test controls. */
export async function startInProcess({ limits = {} }: Pick<ServiceOptions, 'limits'> = {}): Promise<InProcessService> {
  let now = Date.now();
  let broken = false;
  const reports: string[] = [];
  const state = withDemoCredentials(await demoState(), 'http://127.0.0.1:1/callback');
  const store = new Store(state, () => (broken ? Promise.reject(new Error('the disk is full')) : Promise.resolve()));
  const service = await listen({ store, report: (line) => reports.push(line), now: () => now, limits }, 0);
  return {
    ...demoCredentials(state),
    baseUrl: service.baseUrl,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    breakDisk: (value) => {
      broken = value;
    },
    reports,
    stop: () => service.close(),
  };
}
