import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

import { BUILD_ANSWER_MS, CHECK_INTERVAL_MS } from '../limits.ts';
import {
  beginBuild,
  endBuild,
  findBuildFiles,
  findBuild,
  findUnfinishedBuilds,
  finishBuild,
  isCurrent,
  releaseBuild,
  requestBuilds,
  takeOverBuilds,
  type BuildOutcome,
} from '../store/builds.ts';
import { errorCode, getResultCode } from '../store/database.ts';
import { fileNamesInUse } from '../store/store.ts';
import type { Build } from '../store/model.ts';
import { getStack } from './buildFaults.ts';
import { FAILED_INSIDE, runBuild, type BuildContext } from './buildRun.ts';
import { BuildError, type Platform } from '../../android-package/index.ts';

/** The queue of builds. */
export type BuildQueue = ReturnType<typeof createBuildQueue>;

interface BuildTask {
  readonly build: Build;
  readonly cancel: () => void;
  /** Resolves when the build and everything that it started have ended. */
  readonly ended: Promise<void>;
}

/** Error message of a canceled build. */
const CANCELLED = 'The build was canceled.';

/**
 * Creates a queue that runs builds: one at a time for each app and platform, and at most one per processor. The queue
 * is stored in the database, so it survives a restart.
 */
export function createBuildQueue(context: BuildContext) {
  const { store, files, report } = context;
  const runs = new Map<string, BuildTask>();
  let retrying: NodeJS.Timeout | undefined;
  let cleaning: Promise<void> | undefined;
  let lastFault = '';

  /**
   * Runs a function that uses the database, and reports an error unless it was the last one reported.
   *
   * @returns `undefined` if the function failed. The caller retries later
   */
  const orRetryLater = <T>(work: () => T): T | undefined => {
    try {
      const result = work();
      lastFault = '';
      return result;
    } catch (error) {
      const fault = `The builds can’t continue: ${getFailureReason(error)}`;
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
        if (!isCurrent(store, build)) {
          cancel();
        }
      }
      const free = availableParallelism() - runs.size;
      if (free <= 0) {
        return;
      }
      // A build that replaces a running one waits for the running one to end.
      const oldest = findUnfinishedBuilds(store, runs.size + free);
      for (const build of oldest.filter((each) => !runs.has(buildKey(each))).slice(0, free)) {
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
      report(`The build of app #${build.appId} for ${build.platform}: ${getStack(error)}`);
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
    // Files that can't be deleted now will be deleted at the next start.
    void files.remove(names).catch(() => undefined);
  };

  const removeLeftovers = async (): Promise<void> => files.removeLeftovers(fileNamesInUse(store));

  /** Deletes files after the current transaction, if it succeeds. */
  const afterTransaction = (appId: number, names: readonly string[]): void => {
    setImmediate(() => {
      if (retrying !== undefined) {
        orRetryLater(() => {
          const usedFiles = findBuildFiles(store, appId);
          removeFiles(names.filter((name) => !usedFiles.includes(name)));
        });
        work();
      }
    });
  };

  return {
    /**
     * Requests builds of an app's latest upload. Replaces a queued build for the same platform, and cancels and
     * restarts a running one. Must be called within the transaction that changes the app. The builds start after the
     * transaction.
     */
    request: (appId: number, platforms: readonly Platform[]): void => {
      const names = findBuildFiles(store, appId);
      requestBuilds(store, appId, platforms);
      afterTransaction(appId, names);
    },
    /**
     * Resolves when an app's running builds have ended, after at most {@link BUILD_ANSWER_MS}. Must be called after the transaction with
     * {@link request}. Doesn't wait for builds that are still in the queue.
     */
    settle: async (appId: number): Promise<void> => {
      // The requested builds start in this turn of the event loop.
      await nextTurn();
      const ends = [...runs.values()].filter(({ build }) => build.appId === appId).map(({ ended }) => ended);
      if (ends.length === 0) {
        return;
      }
      const waiting = new AbortController();
      const late = pause(BUILD_ANSWER_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
      await Promise.race([Promise.all(ends), late]);
      waiting.abort();
    },
    /**
     * Cancels a build, which then counts as failed. Must be called within a transaction.
     *
     * @returns false if no build is queued or running
     */
    cancelBuild: (appId: number, platform: Platform): boolean => {
      const isCancelled = endBuild(store, appId, platform, CANCELLED);
      afterTransaction(appId, []);
      return isCancelled;
    },
    /**
     * Cancels an app's builds and deletes their files. Must be called within the transaction that deletes the app,
     * before the app's row is deleted.
     */
    cancel: (appId: number): void => afterTransaction(appId, findBuildFiles(store, appId)),
    /** Starts the queued builds, including those from an earlier process. */
    start: (): void => {
      retrying = setInterval(work, CHECK_INTERVAL_MS).unref();
      cleaning = removeLeftovers().catch((error: unknown) =>
        report(`The leftovers of an earlier run can’t be deleted: ${errorCode(error)}`),
      );
      orRetryLater(() => takeOverBuilds(store));
      work();
    },
    /** Cancels the running builds, which the next process will restart. Resolves when all have ended. */
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

/**
 * Returns the error code of a database or file system error. For any other error, which is a bug in the service,
 * returns the stack.
 */
function getFailureReason(error: unknown): string {
  const isSystemError = getResultCode(error) !== undefined || (error instanceof Error && 'errno' in error);
  return isSystemError || !(error instanceof Error) ? errorCode(error) : getStack(error);
}

function buildKey({ appId, platform }: Build): string {
  return `${appId} ${platform}`;
}
