import { isUnderWay, type App } from './app.ts';

/**
 * The platforms that a service builds because an app was changed: sent a package, an icon. Also those that have failed at once,
 * for want of a key.
 *
 * @param before the app before the change; undefined when the change created it.
 * @param after the service's answer: a fast build may have ended by then.
 * @returns none where the service waits to be asked.
 */
export function startedBuilds(before: App | undefined, { builds, buildCount, lastBuild }: App): readonly string[] {
  const isAnotherBuild =
    before === undefined ||
    (buildCount ?? 0) > (before.buildCount ?? 0) ||
    lastBuild?.getTime() !== before.lastBuild?.getTime();
  const built = builds.filter(({ state }) => state !== 'none' && state !== 'skipped');
  return isAnotherBuild || built.some(({ state }) => isUnderWay(state)) ? built.map(({ platform }) => platform) : [];
}
