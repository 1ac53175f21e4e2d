import { createBuildQueue, type BuildQueue } from './builds/buildQueue.ts';
import type { Builder } from './builds/builder.ts';
import { CHECK_INTERVAL_MS } from './limits.ts';
import { DataFiles } from './store/dataFiles.ts';
import { lockExpiredKeys } from './store/keys.ts';
import type { Store } from './store/store.ts';

/** The parts of a service that runs, for its routes. */
export interface Service {
  readonly store: Store;
  readonly files: DataFiles;
  readonly builder: Builder;
  readonly builds: BuildQueue;
  /** Receives a line for each failure inside the service, without query values. */
  readonly report: (line: string) => void;
  /** Bytes of an upload. */
  readonly maxUploadBytes: number;
  /** Ends all work, and closes the data. */
  readonly close: () => Promise<void>;
}

/** The service closes the store. */
export interface ServiceOptions extends Pick<Service, 'store' | 'builder' | 'report' | 'maxUploadBytes'> {
  /** The folder of the data; `undefined`: a temporary one for the files. */
  readonly dataFolder: string | undefined;
  /** Milliseconds for a build. */
  readonly buildTimeoutMs: number;
}

/** Puts the parts of the service together. Builds begin with `builds.start()`. */
export function createService(options: ServiceOptions): Service {
  const { store, dataFolder, builder, report, maxUploadBytes, buildTimeoutMs } = options;
  const files = new DataFiles(dataFolder);
  const builds = createBuildQueue({ store, files, builder, report, buildTimeoutMs });
  const lockKeys = setInterval(() => {
    try {
      lockExpiredKeys(store);
    } catch (error) {
      report(`Expired passwords of signing keys could not be deleted: ${String(error)}`);
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
