import { createBuildQueue, type BuildQueue } from './builds/buildQueue.ts';
import type { Builder } from './builds/builder.ts';
import { CHECK_INTERVAL_MS } from './limits.ts';
import { DataFiles } from './store/dataFiles.ts';
import { lockExpiredKeys } from './store/keys.ts';
import type { Store } from './store/store.ts';

/** The parts of a running service that its routes use. */
export interface Service {
  readonly store: Store;
  readonly files: DataFiles;
  readonly builder: Builder;
  readonly builds: BuildQueue;
  /** Called with one line for each internal failure. The line doesn't contain query values. */
  readonly report: (line: string) => void;
  /** Maximum size of an upload, in bytes. */
  readonly maxUploadBytes: number;
  /** Stops all work and closes the data. */
  readonly close: () => Promise<void>;
}

/** Options of {@link createService}. The service closes the store. */
export interface ServiceOptions extends Pick<Service, 'store' | 'builder' | 'report' | 'maxUploadBytes'> {
  /** Data folder. `undefined` to keep files in a temporary folder. */
  readonly dataFolder: string | undefined;
  /** Time limit for a build, in milliseconds. */
  readonly buildTimeoutMs: number;
}

/** Creates the service. Doesn't start any builds until `builds.start()` is called. */
export function createService(options: ServiceOptions): Service {
  const { store, dataFolder, builder, report, maxUploadBytes, buildTimeoutMs } = options;
  const files = new DataFiles(dataFolder);
  const builds = createBuildQueue({ store, files, builder, report, buildTimeoutMs });
  const lockKeys = setInterval(() => {
    try {
      lockExpiredKeys(store);
    } catch (error) {
      report(`Expired passwords of signing keys couldn’t be deleted: ${String(error)}`);
    }
  }, CHECK_INTERVAL_MS).unref();
  const close = async (): Promise<void> => {
    clearInterval(lockKeys);
    await builds.close();
    store.close();
    await files.close();
  };
  return { store, files, builder, builds, report, maxUploadBytes, close };
}
