import { isUnderWay, type App } from './app.ts';

/**
 * The platforms that a service builds because an app was changed: sent a package, a key, an icon.
 *
 * @param before the app before the change; undefined when the change created it.
 * @param after the service's answer: a fast build may have ended by then.
 * @returns none where the service waits to be asked.
 */
export function startedBuilds(before: App | undefined, { builds, buildCount, lastBuild }: App): readonly string[] {
  const asked = builds.filter(({ state }) => state !== 'none' && state !== 'skipped');
  const underWay = asked.filter(({ state }) => isUnderWay(state));
  const isAnotherBuild =
    before === undefined ||
    (buildCount ?? 0) > (before.buildCount ?? 0) ||
    lastBuild?.getTime() !== before.lastBuild?.getTime();
  return (underWay.length > 0 || !isAnotherBuild ? underWay : asked).map(({ platform }) => platform);
}
