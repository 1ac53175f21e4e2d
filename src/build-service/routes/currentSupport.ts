/** Serves the versions and platforms that this service can build. */
import type { Hono } from 'hono';

import type { Builder } from '../builds/builder.ts';
import { HttpError } from '../http/errors.ts';
import type { Authenticated } from '../http/authentication.ts';
import type { Service } from '../service.ts';
import { APP_PLATFORMS } from '../store/model.ts';
import { type MOBILE_PLATFORMS, type Platform, PLATFORMS } from '../../android-package/index.ts';

/** Versions of Cordova that an app can request, with the platform versions that clients expect for each. */
const VERSIONS: Readonly<Record<string, Readonly<Record<(typeof MOBILE_PLATFORMS)[number], string>>>> = {
  'cli-9.0.0': { android: '8.0.0', ios: '5.0.1', winphone: '7.0.1' },
};
/** Versions of Cordova that an app can request. */
export const SUPPORTED_VERSIONS: readonly string[] = Object.keys(VERSIONS);
/** Version for apps that don't request one. */
export const DEFAULT_VERSION = 'cli-9.0.0';

/** Adds `/current_support`. */
export function addCurrentSupportRoute(api: Hono<Authenticated>, { builder }: Service): void {
  api.get('/current_support', async (c) => {
    // For each platform, null or the reason why it can't be built.
    const unavailablePlatforms = await builder.platforms();
    const unavailable = Object.fromEntries(
      PLATFORMS.map((platform) => [platform, unavailablePlatforms[platform] ?? null]),
    );
    return c.json({
      default: DEFAULT_VERSION,
      by_phonegap: VERSIONS,
      builder: builder.name,
      unavailable,
      ...(builder.builtBy && { built_by: builder.builtBy }),
      // A builder that accepts all plugins doesn't list any.
      ...(builder.plugins && { plugins: builder.plugins }),
      link: '/api/v1/current_support',
    });
  });
}

/**
 * Returns a version, if it's supported.
 *
 * @throws HttpError 400 if it isn't
 */
export function requireSupportedVersion(version: string): string {
  if (!SUPPORTED_VERSIONS.includes(version)) {
    throw new HttpError(400, `PhoneGap version not supported. Use one of these: ${SUPPORTED_VERSIONS.join(', ')}.`);
  }
  return version;
}

/**
 * Returns the platforms to build if a request is for all platforms: those that can be built, except Windows Phone. If
 * none can be built, returns the standard platforms, so that their builds report the missing tools.
 */
export async function getBuildablePlatforms(builder: Builder): Promise<readonly Platform[]> {
  const reasons = await builder.platforms();
  const possible = PLATFORMS.filter((platform) => platform !== 'winphone' && reasons[platform] === undefined);
  return possible.length === 0 ? APP_PLATFORMS : possible;
}
