import type { AppCalls } from '../../apps/calls/appCalls.ts';
import type { App, BuildState, PlatformBuild } from '../../apps/model/app.ts';

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
  switch (state) {
    case 'waiting':
    case 'building':
      return false;
    case 'none':
    case 'other':
      return completed;
    case 'complete':
    case 'failed':
    case 'skipped':
      return true;
  }
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
        logUrl: build.logUrl ?? found?.logUrl,
      };
    });
  } catch {
    return builds;
  }
}

/** A build that something is done with; every platform of the app when none is named. */
export interface BuildSubject {
  readonly appUrl: string;
  readonly platform?: string;
}

/** Commands about a build. Each shows its own progress, and rejects with the sentence for a notification. */
export type BuildCommandId =
  | 'appBuild.downloadBuild'
  | 'appBuild.installOnDevice'
  | 'appBuild.installOnConnectedDevice'
  | 'appBuild.showBuildLog'
  | 'appBuild.buildAgain'
  | 'appBuild.cancelBuild';

/** Runs such a command. */
export type RunBuildCommand = (id: BuildCommandId, subject: BuildSubject) => Promise<unknown>;
