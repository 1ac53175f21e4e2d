import type { AppCalls } from '../apps/calls/appCalls.ts';
import { isUnderWay, type App, startedBuilds } from '../apps/model/app.ts';
import type { AppPresenter } from './rows/appPresenter.ts';
import type { BuildWatcher } from './watching/buildWatcher.ts';

interface Listeners {
  readonly watcher: BuildWatcher;
  readonly presenter: AppPresenter;
}

/** A build that was asked for. */
export interface StartedBuild {
  readonly app: App;
  /** The platforms that are built; none where the service names none. */
  readonly platforms: readonly string[];
}

/**
 * Has an app built and watched. The service is asked only for platforms that it does not build already.
 *
 * @param platforms all that the service builds of the app when undefined
 * @param building platforms that the service builds already, because it was sent something
 * @throws BuildServiceError; CancelledError
 */
export async function startBuild(
  listeners: Listeners,
  calls: AppCalls,
  app: App,
  platforms: readonly string[] | undefined,
  { building = [], signal }: { readonly building?: readonly string[]; readonly signal?: AbortSignal } = {},
): Promise<StartedBuild> {
  const missing = platforms?.filter((platform) => !building.includes(platform));
  const isAsked = missing === undefined ? building.length === 0 : missing.length > 0;
  const answer = isAsked ? await calls.build(app, missing, { ...(signal && { signal }) }) : app;
  const started = platforms ?? (isAsked ? startedPlatforms(app, answer) : building);
  watchStarted(listeners, answer, started);
  return { app: answer, platforms: started };
}

/**
 * Watches the builds that a service starts for a change: a package, an icon, another key.
 *
 * @param before the app before the change
 * @param after the service's answer
 */
export function watchChange(listeners: Listeners, before: App, after: App): void {
  watchStarted(listeners, after, startedBuilds(before, after));
}

/** Watches builds that are under way already, for another window or another person. @returns false when nothing is */
export function watchRunning(listeners: Listeners, app: App): boolean {
  const running = app.builds.filter(({ state }) => isUnderWay(state)).map(({ platform }) => platform);
  watchStarted(listeners, app, running);
  return running.length > 0;
}

/** Also platforms whose build has failed or ended at once; where none has begun yet, all that the app has. */
function startedPlatforms(before: App, answer: App): readonly string[] {
  const started = startedBuilds(before, answer);
  return started.length > 0 ? started : answer.builds.map(({ platform }) => platform);
}

/** A watch of no platforms would end at once. */
function watchStarted({ watcher, presenter }: Listeners, app: App, platforms: readonly string[]): void {
  if (platforms.length > 0) {
    watcher.watch(app, platforms);
  }
  presenter.changed(app.url);
}
