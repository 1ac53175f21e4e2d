import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { isUnderWay, stateOf, type App, type BuildState, type PlatformBuild } from '../../apps/model/app.ts';
import { urlAt } from '../../auth/localName.ts';
import { MAX_POLL_MS, MAX_WATCH_AGE_MS, MIN_POLL_MS } from '../limits.ts';

/** The state of a watched build. */
export interface BuildProgress {
  readonly appUrl: string;
  readonly title: string;
  /** Undefined until the app is known, or if the service reports no version. */
  readonly version?: string | undefined;
  readonly builds: readonly PlatformBuild[];
  readonly state: BuildState;
  /** Milliseconds since 1970: when the build was asked for. */
  readonly startedAt: number;
  /** When all of it had ended; undefined while it is under way. */
  readonly endedAt: number | undefined;
  /** Why the last question got no answer, such as being offline; undefined when it did. */
  readonly trouble: unknown;
}

/** Why watching ended. */
export type WatchEnd =
  | { readonly kind: 'ended'; readonly progress: BuildProgress }
  /** The app was deleted, or is no longer visible to the account. */
  | { readonly kind: 'gone'; readonly progress: BuildProgress }
  | { readonly kind: 'signedOut' }
  /** A person stopped watching; the service goes on. */
  | { readonly kind: 'stopped' };

/** Path and query of an app's address: they stay when the local service comes back at another port. */
export function pathOfApp(appUrl: string): string {
  const url = URL.parse(appUrl);
  return url === null ? appUrl : url.pathname + url.search;
}

/**
 * True when a build will not change without another request.
 *
 * @param completed what the service says of all builds of the app. It decides about statuses that the contract does not know, and
 *   about a platform without one: a service may list it a moment after the request.
 */
export function isOver({ state }: Pick<PlatformBuild, 'state'>, completed: boolean): boolean {
  return state === 'none' || state === 'other' ? completed : !isUnderWay(state);
}

/** The builds of the watched platforms, in their order; one that is not listed has not been asked for. */
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
 * Asks for the state of builds; when they have ended, also for artifacts and logs, which the status leaves out.
 *
 * @param known the app with its links; without it, after a reload, the app itself is asked for, which says the same.
 * @returns `isEnded` when none of them will change without another request.
 * @throws BuildServiceError
 */
export async function readProgress(
  calls: AppCalls,
  url: string,
  platforms: readonly string[],
  known: App | undefined,
  signal: AbortSignal,
): Promise<{ readonly app: App; readonly builds: readonly PlatformBuild[]; readonly isEnded: boolean }> {
  const app = known ?? (await calls.get(url, { signal }));
  const answer = known === undefined ? app : await calls.status(known, { signal });
  const builds = watchedBuilds(platforms, answer.builds);
  const completed = answer.completed ?? builds.every((build) => isOver(build, true));
  const isEnded = builds.every((build) => isOver(build, completed));
  return { app, builds: isEnded ? await withDetails(calls, app, builds, signal) : builds, isEnded };
}

/** Never rejects: the end of a build shows without its details. */
async function withDetails(
  calls: AppCalls,
  app: App,
  builds: readonly PlatformBuild[],
  signal: AbortSignal,
): Promise<readonly PlatformBuild[]> {
  try {
    const details = await calls.builds(app, { signal });
    // The state stays: another build may have begun.
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
export class Watch {
  url: string;
  readonly title: string;
  builds: readonly PlatformBuild[];
  /** Times are milliseconds since 1970. */
  readonly startedAt: number;
  askedAt: number;
  endedAt: number | undefined;
  /** The service doesn't accept a question before this time. */
  notBefore = 0;
  /** Questions without an answer since the last one. */
  failures = 0;
  trouble: unknown;
  /** Undefined until it is known. */
  account: string | undefined;
  /** With the link to its status. Undefined after a reload, until it is read. */
  app: App | undefined;
  isAsking = false;
  timer: { dispose(): void } | undefined;

  constructor(url: string, title: string, builds: readonly PlatformBuild[], startedAt: number) {
    this.url = url;
    this.title = title;
    this.builds = builds;
    this.startedAt = startedAt;
    this.askedAt = startedAt;
  }

  get path(): string {
    return pathOfApp(this.url);
  }

  get progress(): BuildProgress {
    const { url, title, app, builds, startedAt, endedAt, trouble } = this;
    return { appUrl: url, title, version: app?.version, builds, state: stateOf(builds), startedAt, endedAt, trouble };
  }

  /** The visible state, to find changes. */
  get shown(): string {
    return JSON.stringify([this.url, this.builds, this.endedAt, this.trouble === undefined]);
  }

  /** The local service can come back at another port. */
  moveTo(origin: string): void {
    const url = urlAt(origin, this.path);
    if (url !== this.url) {
      this.url = url;
      this.app = undefined;
    }
  }
}

/** Share of the time that a build has taken, after which the service is asked again. */
const INTERVAL_SHARE = 1 / 5;
/** The same for a build that takes longer than builds usually do. */
const LONG_INTERVAL_SHARE = 1 / 60;

/**
 * When to ask next. At first soon, then after a fifth of the time that the build has taken, at most after 15 s, and half as often
 * while the window isn't in use. A build that doesn't end, and a service that doesn't answer, are asked less and less often.
 */
export function nextPollAt(
  { startedAt, askedAt, failures, notBefore }: Pick<Watch, 'startedAt' | 'askedAt' | 'failures' | 'notBefore'>,
  { isActive, atOnce }: { readonly isActive: boolean; readonly atOnce: boolean },
): number {
  const age = Math.max(0, askedAt - startedAt);
  const usual = Math.min(Math.max(age * INTERVAL_SHARE, MIN_POLL_MS), MAX_POLL_MS) * (isActive ? 1 : 2);
  const long = age * LONG_INTERVAL_SHARE;
  const interval =
    failures > 0 ? Math.min(5 * MIN_POLL_MS * 2 ** (failures - 1), Math.max(MAX_POLL_MS, long)) : Math.max(usual, long);
  return Math.max(askedAt + (atOnce ? MIN_POLL_MS : interval), notBefore);
}

/** Milliseconds to leave a busy service alone. @param retryAfter seconds that it named. */
export function pauseMs(retryAfter = 0): number {
  return Math.min(retryAfter * 1000, MAX_WATCH_AGE_MS);
}

/** A build that something is done with; every platform of the app when none is named. */
export interface BuildSubject {
  readonly appUrl: string;
  readonly platform?: string;
}

/** Commands about a build. Each shows its own progress, and rejects with the sentence for a notification. */
export type BuildCommandId =
  | 'appBuild.downloadBuild'
  | 'appBuild.install'
  | 'appBuild.preview'
  | 'appBuild.installOverWifi'
  | 'appBuild.installOverUsb'
  | 'appBuild.showBuildLog'
  | 'appBuild.buildAgain'
  | 'appBuild.cancelBuild';

/** Runs such a command. */
export type RunBuildCommand = (id: BuildCommandId, subject: BuildSubject) => Promise<unknown>;
