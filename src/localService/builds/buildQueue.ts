import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';

import { CHECK_INTERVAL_MS } from '../limits.ts';
import {
  beginBuild,
  endBuild,
  filesOfBuilds,
  findBuild,
  findUnfinishedBuilds,
  finishBuild,
  isWanted,
  releaseBuild,
  requestBuilds,
  takeOverBuilds,
  type BuildOutcome,
} from '../store/builds.ts';
import { errorCode, resultCodeOf } from '../store/database.ts';
import { fileNamesInUse } from '../store/store.ts';
import type { Build, Platform } from '../store/model.ts';
import { BuildError } from './builder.ts';
import { stackOf } from './buildFaults.ts';
import { FAILED_INSIDE, runBuild, type BuildContext } from './buildRun.ts';

export type BuildQueue = ReturnType<typeof createBuildQueue>;

interface Run {
  readonly build: Build;
  readonly cancel: () => void;
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<void>;
}

/** Why a cancelled build failed. */
const CANCELLED = 'The build was cancelled.';

/**
 * Runs builds: one at a time for each app and platform, and at most as many at once as this machine has processors. The queue is in the
 * database, so that it outlives a process.
 */
export function createBuildQueue(context: BuildContext) {
  const { store, files, report } = context;
  const runs = new Map<string, Run>();
  let retrying: NodeJS.Timeout | undefined;
  let cleaning: Promise<void> | undefined;
  let lastFault = '';

  /** Does something with the database. @returns `undefined` when it fails, which is reported: it is done again later */
  const orRetryLater = <T>(work: () => T): T | undefined => {
    try {
      const result = work();
      lastFault = '';
      return result;
    } catch (error) {
      const fault = `The builds cannot go on: ${reasonOf(error)}`;
      if (fault !== lastFault) {
        report(fault);
      }
      lastFault = fault;
      return undefined;
    }
  };

  const work = (): void => {
    if (retrying === undefined) {
      return;
    }
    orRetryLater(() => {
      for (const { build, cancel } of runs.values()) {
        if (!isWanted(store, build)) {
          cancel();
        }
      }
      // A build that replaces a running one waits until that has ended.
      const waiting = findUnfinishedBuilds(store).filter((build) => !runs.has(buildKey(build)));
      for (const build of waiting.slice(0, availableParallelism() - runs.size)) {
        begin(build);
      }
    });
  };

  const begin = (found: Build): void => {
    const build = { ...found, startedAt: store.now(), logFile: randomUUID() };
    beginBuild(store, found, build.startedAt, build.logFile);
    removeFiles([found.logFile]);
    const controller = new AbortController();
    const ended = run(build, controller.signal).finally(() => {
      runs.delete(buildKey(build));
      work();
    });
    runs.set(buildKey(build), { build, cancel: () => controller.abort(new BuildError(CANCELLED)), ended });
  };

  /** Never rejects. */
  const run = async (build: Build, cancelled: AbortSignal): Promise<void> => {
    const outcome = await runBuild(context, build, cancelled).catch((error: unknown): BuildOutcome => {
      report(`The build of app #${build.appId} for ${build.platform}: ${stackOf(error)}`);
      return { status: 'error', error: FAILED_INSIDE };
    });
    const isRecorded = outcome && orRetryLater(() => finishBuild(store, build, outcome));
    if (isRecorded !== true) {
      const artifact = outcome?.status === 'complete' ? outcome.artifact : undefined;
      removeFiles([artifact?.file, artifact?.bundle?.file]);
      orRetryLater(() => {
        const isLogged = findBuild(store, build.appId, build.platform)?.logFile === build.logFile;
        removeFiles([isLogged ? undefined : build.logFile]);
      });
    }
  };

  const removeFiles = (names: readonly (string | null | undefined)[]): void => {
    // Files that cannot be removed now are removed at the next start.
    void files.remove(names).catch(() => undefined);
  };

  const removeLeftovers = async (): Promise<void> => files.removeLeftovers(fileNamesInUse(store));

  /** Removes files that the transaction that runs now forgets, unless it fails. */
  const afterTransaction = (appId: number, names: readonly string[]): void => {
    setImmediate(() => {
      if (retrying !== undefined) {
        orRetryLater(() => {
          const kept = filesOfBuilds(store, appId);
          removeFiles(names.filter((name) => !kept.includes(name)));
        });
        work();
      }
    });
  };

  return {
    /**
     * Asks for builds of an app's latest upload. A waiting build for the same platform is replaced; a running one is cancelled
     * and built again. To be called within the transaction that changes the app: the builds start after it.
     */
    request: (appId: number, platforms: readonly Platform[]): void => {
      const names = filesOfBuilds(store, appId);
      requestBuilds(store, appId, platforms);
      afterTransaction(appId, names);
    },
    /** Ends the build of an app as a failed one. To be called within a transaction. @returns false when none waits or runs */
    cancelBuild: (appId: number, platform: Platform): boolean => {
      const isCancelled = endBuild(store, appId, platform, CANCELLED);
      afterTransaction(appId, []);
      return isCancelled;
    },
    /**
     * Cancels the builds of an app, and removes their files. To be called within the transaction that deletes the app, before
     * its row is deleted.
     */
    cancel: (appId: number): void => afterTransaction(appId, filesOfBuilds(store, appId)),
    /** Starts to run the waiting builds, also those that an earlier process has left behind. */
    start: (): void => {
      retrying = setInterval(work, CHECK_INTERVAL_MS).unref();
      cleaning = removeLeftovers().catch((error: unknown) =>
        report(`The leftovers of an earlier run cannot be removed: ${errorCode(error)}`),
      );
      orRetryLater(() => takeOverBuilds(store));
      work();
    },
    /** Cancels the running builds; they start again with the next process. Resolves when nothing runs any more. */
    close: async (): Promise<void> => {
      clearInterval(retrying);
      retrying = undefined;
      const cancelled = [...runs.values()];
      cancelled.forEach(({ cancel }) => cancel());
      await Promise.all([cleaning, ...cancelled.map(({ ended }) => ended)]);
      orRetryLater(() => cancelled.forEach(({ build }) => releaseBuild(store, build)));
    },
  };
}

/** The code of the database or the file system; the stack of any other error, which is a mistake of the service. */
function reasonOf(error: unknown): string {
  const isSystemError = resultCodeOf(error) !== undefined || (error instanceof Error && 'errno' in error);
  return isSystemError || !(error instanceof Error) ? errorCode(error) : stackOf(error);
}

function buildKey({ appId, platform }: Build): string {
  return `${appId} ${platform}`;
}
