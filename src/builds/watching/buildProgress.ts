import type { BuildState, PlatformBuild } from '../../apps/model/app.ts';

/** How a watched build stands. */
export interface BuildProgress {
  /** Absolute address of the app. */
  readonly appUrl: string;
  readonly title: string;
  /** The platforms that are watched, each with its state. */
  readonly builds: readonly PlatformBuild[];
  /** Of all watched platforms. */
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
  | { readonly kind: 'gone'; readonly title: string }
  | { readonly kind: 'signedOut' }
  /** A person stopped watching; the service goes on. */
  | { readonly kind: 'stopped' };

/**
 * True when a build will not change without anybody asking.
 *
 * @param completed what the service says of all builds of the app. It decides about statuses that nobody knows, and about a
 *   platform without one: a service may list it a moment after the request.
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
