import type { AppCalls } from '../../apps/calls/appCalls.ts';
import type { App, PlatformBuild } from '../../apps/model/app.ts';
import { isOver, watchedBuilds } from './buildProgress.ts';

/** The calls that watching makes. */
export type StatusCalls = Pick<AppCalls, 'get' | 'status' | 'builds'>;

interface Question {
  readonly calls: StatusCalls;
  /** Of the app. */
  readonly url: string;
  /** Those that are watched. */
  readonly platforms: readonly string[];
}

interface Answer {
  readonly app: App;
  readonly builds: readonly PlatformBuild[];
  readonly completed: boolean;
}

/**
 * How builds stand.
 *
 * @param known the app with its links; without it, after a reload, the app itself is asked for, which says the same.
 * @throws BuildServiceError
 */
export async function askStatus(
  { calls, url, platforms }: Question,
  known: App | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  if (known !== undefined) {
    const { builds, completed } = await calls.status(known, { signal });
    return { app: known, builds: watchedBuilds(platforms, builds), completed };
  }
  const app = await calls.get(url, { signal });
  const builds = watchedBuilds(platforms, app.builds);
  return { app, builds, completed: app.completed ?? builds.every((build) => isOver(build, true)) };
}

/**
 * What the status of ended builds does not tell: artifacts and logs. Never rejects: a build that has ended is told of without
 * them.
 */
export async function askDetails(
  calls: StatusCalls,
  { app, builds }: Answer,
  signal: AbortSignal,
): Promise<readonly PlatformBuild[]> {
  try {
    const details = await calls.builds(app, { signal });
    const found = builds.map(({ platform }) => details.find((build) => build.platform === platform));
    // The state stays: another build may have begun.
    return builds.map((build, index) => ({
      ...build,
      error: build.error ?? found[index]?.error,
      downloadUrl: build.downloadUrl ?? found[index]?.downloadUrl,
      logUrl: build.logUrl ?? found[index]?.logUrl,
    }));
  } catch {
    return builds;
  }
}
