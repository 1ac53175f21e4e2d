/** Versions and platforms that this service can build. */
import type { Hono } from 'hono';

import type { Builder } from '../builds/builder.ts';
import { HttpError } from '../http/errors.ts';
import type { Authenticated } from '../http/authentication.ts';
import type { Service } from '../service.ts';
import { APP_PLATFORMS } from '../store/model.ts';
import { type MOBILE_PLATFORMS, type Platform, PLATFORMS } from '../../android-package/index.ts';

/** Versions that an app can request, with the platforms' versions that clients expect for each. */
const VERSIONS: Readonly<Record<string, Readonly<Record<(typeof MOBILE_PLATFORMS)[number], string>>>> = {
  'cli-9.0.0': { android: '8.0.0', ios: '5.0.1', winphone: '7.0.1' },
};
/** Versions that an app can request. */
export const SUPPORTED_VERSIONS: readonly string[] = Object.keys(VERSIONS);
/** Version of an app that doesn't request one. */
export const DEFAULT_VERSION = 'cli-9.0.0';

/** Adds `/current_support`. */
export function addCurrentSupportRoute(api: Hono<Authenticated>, { builder }: Service): void {
  api.get('/current_support', async (c) => {
    // For each platform: null, or the reason why it can't be built here.
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
      // A builder that accepts every plugin doesn't list any.
      ...(builder.plugins && { plugins: builder.plugins }),
      link: '/api/v1/current_support',
    });
  });
}

/** @throws HttpError 400 for an unsupported version */
export function requireSupportedVersion(version: string): string {
  if (!SUPPORTED_VERSIONS.includes(version)) {
    throw new HttpError(400, `PhoneGap version not supported. Use one of these: ${SUPPORTED_VERSIONS.join(', ')}.`);
  }
  return version;
}

/**
 * Returns the platforms of a build for all platforms: those that can be built here, except Windows Phone. If no platform can be built,
 * returns the standard ones, whose builds report what's missing.
 */
export async function getBuildablePlatforms(builder: Builder): Promise<readonly Platform[]> {
  const reasons = await builder.platforms();
  const possible = PLATFORMS.filter((platform) => platform !== 'winphone' && reasons[platform] === undefined);
  return possible.length === 0 ? APP_PLATFORMS : possible;
}
