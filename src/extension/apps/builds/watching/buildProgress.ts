import type { AppCalls } from '../../calls/appCalls.ts';
import { isUnderWay, getAppState, type App, type BuildState, type PlatformBuild } from '../../model/app.ts';
import { urlAt } from '../../../auth/localName.ts';
import { FIRST_POLL_MS, MAX_POLL_MS, MAX_WATCH_AGE_MS, MIN_POLL_MS } from '../limits.ts';

/** State of a watched build. */
export interface BuildProgress {
  readonly appUrl: string;
  readonly title: string;
  /** Version of the app. Undefined until the app is read, or if the service doesn't report it. */
  readonly version?: string | undefined;
  readonly builds: readonly PlatformBuild[];
  readonly state: BuildState;
  /** When the build was requested, in milliseconds since 1970. */
  readonly startedAt: number;
  /** When the builds for all platforms had ended, in milliseconds since 1970. Undefined while one is running. */
  readonly endedAt: number | undefined;
  /** Reason why the last request failed, such as a lost connection. Undefined if it succeeded. */
  readonly trouble: unknown;
}

/** Reason why watching ended. */
export type WatchEnd =
  | { readonly kind: 'ended'; readonly progress: BuildProgress }
  /** The app was deleted, or is no longer visible to the account. */
  | { readonly kind: 'gone'; readonly progress: BuildProgress }
  | { readonly kind: 'signedOut' }
  /** The user stopped watching. The service continues to build. */
  | { readonly kind: 'stopped' };

/** Returns the path and query of an app's address. They don't change when the local service restarts on another port. */
export function getAppPath(appUrl: string): string {
  const url = URL.parse(appUrl);
  return url === null ? appUrl : url.pathname + url.search;
}

/**
 * Reports whether a build can no longer change without another request.
 *
 * @param completed the service's `completed` value for all of the app's builds. It's used for unknown statuses, and for platforms without a
 * status, because a service may list a platform some time after the request.
 */
export function isOver({ state }: Pick<PlatformBuild, 'state'>, completed: boolean): boolean {
  return state === 'none' || state === 'other' ? completed : !isUnderWay(state);
}

/** Returns the builds of the watched platforms, in the order of `platforms`. A platform that isn't listed has the state `none`. */
export function watchedBuilds(
  platforms: readonly string[],
  builds: readonly PlatformBuild[],
): readonly PlatformBuild[] {
  return platforms.map(
    (platform) =>
      builds.find((build) => build.platform === platform) ?? {
        platform,
        state: 'none',
        status: null,
        error: undefined,
        downloadUrl: undefined,
        logUrl: undefined,
      },
  );
}

/**
 * Reads the state of builds. If they have ended, also reads their downloads and logs, which the status doesn't contain.
 *
 * @param known the app with its links. If undefined, as after a reload, the app is read instead of its status.
 * @param isCurrent true if `known` also contains the current state, because the service has just sent it.
 * @returns the app and its builds. `isEnded` is true if no build can change anymore without another request.
 * @throws BuildServiceError
 */
export async function readProgress(
  calls: AppCalls,
  url: string,
  platforms: readonly string[],
  known: App | undefined,
  signal: AbortSignal,
  isCurrent = false,
): Promise<{ readonly app: App; readonly builds: readonly PlatformBuild[]; readonly isEnded: boolean }> {
  const app = known ?? (await calls.get(url, { signal }));
  const answer = known === undefined || isCurrent ? app : await calls.status(known, { signal });
  const builds = watchedBuilds(platforms, answer.builds);
  const completed = answer.completed ?? builds.every((build) => isOver(build, true));
  const isEnded = builds.every((build) => isOver(build, completed));
  return { app, builds: isEnded ? await withDetails(calls, app, builds, signal) : builds, isEnded };
}

/** Adds downloads and logs. Never rejects: without them, the end of the build is still shown. */
async function withDetails(
  calls: AppCalls,
  app: App,
  builds: readonly PlatformBuild[],
  signal: AbortSignal,
): Promise<readonly PlatformBuild[]> {
  try {
    const details = await calls.builds(app, { signal });
    // Keep the state, because another build may have started.
    return builds.map((build) => {
      const found = details.find(({ platform }) => platform === build.platform);
      return {
        ...build,
        error: build.error ?? found?.error,
        downloadUrl: build.downloadUrl ?? found?.downloadUrl,
        bundleUrl: build.bundleUrl ?? found?.bundleUrl,
        logUrl: build.logUrl ?? found?.logUrl,
        size: found?.size,
      };
    });
  } catch {
    return builds;
  }
}

/** A build that this window watches. */
export class BuildWatch {
  url: string;
  readonly title: string;
  builds: readonly PlatformBuild[];
  /** Times are in milliseconds since 1970. */
  readonly startedAt: number;
  /** Time of the last request for the state. Undefined before the first one. */
  askedAt: number | undefined;
  endedAt: number | undefined;
  /** Time before which the service doesn't accept requests. */
  notBefore = 0;
  /** Number of failed requests since the last successful one. */
  failures = 0;
  trouble: unknown;
  /** Account that requested the builds. Undefined until it's known. */
  account: string | undefined;
  /** The app with its status link. After a reload, undefined until it's read. */
  app: App | undefined;
  /** Whether {@link app} contains the state of the requested builds, so that the first request isn't needed. */
  isCurrent = false;
  isAsking = false;
  timer: { dispose(): void } | undefined;

  constructor(url: string, title: string, builds: readonly PlatformBuild[], startedAt: number) {
    this.url = url;
    this.title = title;
    this.builds = builds;
    this.startedAt = startedAt;
  }

  get path(): string {
    return getAppPath(this.url);
  }

  get progress(): BuildProgress {
    const { url, title, app, builds, startedAt, endedAt, trouble } = this;
    return {
      appUrl: url,
      title,
      version: app?.version,
      builds,
      state: getAppState(builds),
      startedAt,
      endedAt,
      trouble,
    };
  }

  /** The visible state, for detecting changes. */
  get shown(): string {
    return JSON.stringify([this.url, this.builds, this.endedAt, this.trouble === undefined]);
  }

  /** Moves the watch to another origin, because the local service can restart on another port. */
  moveTo(origin: string): void {
    const url = urlAt(origin, this.path);
    if (url !== this.url) {
      this.url = url;
      this.app = undefined;
    }
  }
}

/** Interval between requests, as a share of the build's duration so far. */
const INTERVAL_SHARE = 1 / 5;
/** Interval between requests for a build that takes longer than usual, as a share of its duration so far. */
const LONG_INTERVAL_SHARE = 1 / 60;

/**
 * Returns when to send the next request, in milliseconds since 1970. The first request is immediate, because small builds end within a
 * second. The next intervals are 100, 200, 400, and 800 ms. After that, the interval is a fifth of the build's duration so far, at most 15 s,
 * and twice as long while the window isn't active. The interval grows if a build doesn't end or the service doesn't respond.
 *
 * @param atOnce true to send it as soon as the service allows.
 */
export function nextPollAt(
  { startedAt, askedAt, failures, notBefore }: Pick<BuildWatch, 'startedAt' | 'askedAt' | 'failures' | 'notBefore'>,
  { isActive, atOnce }: { readonly isActive: boolean; readonly atOnce: boolean },
): number {
  if (askedAt === undefined) {
    return Math.max(startedAt, notBefore);
  }
  // If the computer's clock is set back, the age is unknown.
  const age = askedAt < startedAt ? MIN_POLL_MS : askedAt - startedAt;
  const usual = Math.min(Math.max(age * INTERVAL_SHARE, MIN_POLL_MS), MAX_POLL_MS) * (isActive ? 1 : 2);
  const long = age * LONG_INTERVAL_SHARE;
  const interval =
    failures > 0
      ? Math.min(5 * MIN_POLL_MS * 2 ** (failures - 1), Math.max(MAX_POLL_MS, long))
      : Math.min(age + FIRST_POLL_MS, Math.max(usual, long));
  return Math.max(askedAt + (atOnce ? Math.min(interval, MIN_POLL_MS) : interval), notBefore);
}

/**
 * Returns the pause before the next request to a busy service, in milliseconds.
 *
 * @param retryAfter the service's `Retry-After` in seconds.
 */
export function getPauseMs(retryAfter = 0): number {
  return Math.min(retryAfter * 1000, MAX_WATCH_AGE_MS);
}

/** A build to run a command on. Without a platform, the command applies to all builds of the app. */
export interface BuildSubject {
  readonly appUrl: string;
  readonly platform?: string;
}

/** Commands for builds. Each command shows its own progress, and rejects with a message for a notification. */
export type BuildCommandId =
  | 'appBuild.downloadBuild'
  | 'appBuild.install'
  | 'appBuild.preview'
  | 'appBuild.installOverWifi'
  | 'appBuild.installOverUsb'
  | 'appBuild.showBuildLog'
  | 'appBuild.buildAgain'
  | 'appBuild.cancelBuild';

export type RunBuildCommand = (id: BuildCommandId, subject: BuildSubject) => Promise<unknown>;
