import type { DataFiles } from '../store/dataFiles.ts';
import type { Platform } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import type { Builder } from './builder.ts';

/** Runs builds: one at a time for each app and platform, and at most as many at once as this machine has processors. */
export interface BuildQueue {
  /**
   * Asks for builds of an app's latest upload. What waits for the same platform is replaced; what runs is cancelled, and
   * built again. To be called within the transaction that changes the app: the builds start after it.
   */
  readonly request: (appId: number, platforms: readonly Platform[]) => void;
  /** Cancels the builds of an app that was deleted. */
  readonly cancel: (appId: number) => void;
  /** Starts to work off what waits, also what another process has left behind. */
  readonly start: () => void;
  /** Cancels what runs; it starts again with the next process. Resolves when nothing runs any more. */
  readonly close: () => Promise<void>;
}

export interface BuildQueueOptions {
  readonly store: Store;
  readonly files: DataFiles;
  readonly builder: Builder;
  /** Receives a line for each failure of the service itself. */
  readonly report: (line: string) => void;
  /** The clock, milliseconds since the epoch. */
  readonly now: () => number;
  readonly buildTimeoutMs: number;
}

export function createBuildQueue({ store }: BuildQueueOptions): BuildQueue {
  return {
    request: (appId, platforms) => {
      for (const platform of platforms) {
        store.run(
          `INSERT INTO builds (appId, platform, status) VALUES (?, ?, 'pending')
            ON CONFLICT DO UPDATE SET status = 'pending', error = NULL`,
          appId,
          platform,
        );
      }
    },
    cancel: () => undefined,
    start: () => undefined,
    close: () => Promise.resolve(),
  };
}
