import type { AppCalls } from '../calls/appCalls.ts';
import { isUnderWay, type App, startedBuilds } from '../model/app.ts';
import type { AppPresenter } from './rows/appPresenter.ts';
import type { BuildWatcher } from './watching/buildWatcher.ts';

interface BuildListeners {
  readonly watcher: BuildWatcher;
  readonly presenter: AppPresenter;
}

/** A requested build. */
export interface StartedBuild {
  readonly app: App;
  /** Platforms of the build. Empty if the service doesn't report them. */
  readonly platforms: readonly string[];
}

/**
 * Requests a build of an app and watches it. Doesn't request platforms that are already being built.
 *
 * @param platforms undefined for all platforms that the service builds for the app.
 * @param building platforms that are already being built because of an upload.
 * @throws BuildServiceError; CancelledError
 */
export async function startBuild(
  listeners: BuildListeners,
  calls: AppCalls,
  app: App,
  platforms: readonly string[] | undefined,
  { building = [], signal }: { readonly building?: readonly string[]; readonly signal?: AbortSignal } = {},
): Promise<StartedBuild> {
  const missing = platforms?.filter((platform) => !building.includes(platform));
  const isAsked = missing === undefined ? building.length === 0 : missing.length > 0;
  const answer = isAsked ? await calls.build(app, missing, { ...(signal && { signal }) }) : app;
  const current = isAsked ? [...building, ...startedBuilds(app, answer)] : building;
  // If no build has started yet, watch all platforms of the app.
  const started = platforms ?? (current.length > 0 ? current : answer.builds.map(({ platform }) => platform));
  watchStarted(listeners, answer, started, current);
  return { app: answer, platforms: started };
}

/**
 * Watches the builds that a service starts because of a change, such as a package, an icon, or another key.
 *
 * @param before the app before the change.
 * @param after the app in the service's response.
 */
export function watchChange(listeners: BuildListeners, before: App, after: App): void {
  const started = startedBuilds(before, after);
  watchStarted(listeners, after, started, started);
}

/** Watches builds that another window or user started. @returns false if no build is running. */
export function watchRunning(listeners: BuildListeners, app: App): boolean {
  const running = app.builds.filter(({ state }) => isUnderWay(state)).map(({ platform }) => platform);
  watchStarted(listeners, app, running);
  return running.length > 0;
}

/**
 * Watches builds that have started. Does nothing without platforms, because such a watch would end immediately.
 *
 * @param current platforms whose state in `app` is that of the started build.
 */
function watchStarted(
  { watcher, presenter }: BuildListeners,
  app: App,
  platforms: readonly string[],
  current: readonly string[] = [],
): void {
  if (platforms.length > 0) {
    watcher.watch(app, platforms, current);
  }
  presenter.changed(app.url);
}
