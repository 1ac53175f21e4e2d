import type { App, PlatformBuild } from '../apps/model/app.ts';

/** Builds that an agent is told of. */
const MAX_BUILDS = 20;

/**
 * The builds of an app as data of the service.
 *
 * @param said makes data of a text.
 */
export function buildsReport(builds: readonly PlatformBuild[], said: (text: string, maxLength?: number) => string) {
  return builds.slice(0, MAX_BUILDS).map(({ platform, state, status, error }) => ({
    platform: said(platform, 50),
    state,
    ...(state === 'other' && status !== null && { status: said(status, 100) }),
    ...(error !== undefined && { error: said(error) }),
  }));
}

/** What an agent does next with builds that have ended. */
export function nextOf(builds: readonly Pick<PlatformBuild, 'state' | 'platform'>[]): string {
  if (builds.some(({ state }) => state === 'failed')) {
    return 'Call appBuild_explain_failure with this app and the platform that failed.';
  }
  return builds.some(({ state }) => state === 'complete')
    ? 'Call appBuild_download_build with this app and a platform that is complete, if the person wants the file.'
    : 'Call appBuild_build_app to build it.';
}

/** Title of an app as data. */
export function titleOf({ title }: Pick<App, 'title'>, said: (text: string, maxLength?: number) => string): string {
  return said(title, 200);
}
