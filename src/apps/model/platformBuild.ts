import type { Resource } from '../../api/hypermedia/resource.ts';
import { hasMember, mapOf, plainMessage, textOf, type MapEntry } from './members.ts';

/**
 * Where a build for one platform stands. The service's own words are `pending`, `complete`, `error`, `skip` and null; any other
 * word is `other` and is shown as it was sent.
 */
export type BuildState =
  /** Nobody has asked for a build. */
  | 'none'
  /** Asked for, and not at work yet, where the service tells that apart. */
  | 'waiting'
  | 'building'
  | 'complete'
  | 'failed'
  | 'skipped'
  | 'other';

/** The build of an app for one platform. */
export interface PlatformBuild {
  /** As the service calls it: `android`, `ios`, `winphone`, `browser`, or any other. */
  readonly platform: string;
  readonly state: BuildState;
  /** The status as sent; null when nobody has asked for a build. */
  readonly status: string | null;
  /** Why it failed, as plain text: a service may send HTML. */
  readonly error: string | undefined;
  /** Absolute address of the artifact; undefined while there is none. */
  readonly downloadUrl: string | undefined;
  /** Absolute address of the log. */
  readonly logUrl: string | undefined;
}

/**
 * Reads `status`, `error`, `download` and `logs`, which an app, the answer of its status link and a build of a builds resource
 * have in common: maps by platform. Never throws.
 *
 * @param appUrl absolute; a resource that tells of no logs has them where the original had them, below the app.
 * @returns one a platform, in the service's order.
 */
export function readPlatformBuilds(resource: Resource, appUrl: string): readonly PlatformBuild[] {
  const statuses = byName(mapOf(resource, 'status', appUrl));
  const errors = byName(mapOf(resource, 'error', appUrl));
  const downloads = byName(mapOf(resource, 'download', appUrl));
  const logs = byName(mapOf(resource, 'logs', appUrl));
  // What is told of all platforms at once belongs to those that it can be about.
  const commonError = textOf(resource, 'error');
  const commonDownload = resource.links.find(({ rel }) => rel === 'download')?.target;
  const platforms = new Set([...statuses, ...errors, ...downloads].map(([name]) => name));
  return [...platforms].map((platform) => {
    const status = statuses.get(platform)?.text;
    const message = errors.get(platform)?.text ?? undefined;
    const download = downloads.get(platform)?.url;
    const state = status === undefined ? stateWithoutStatus(message, download) : stateOfStatus(status);
    const error = message ?? (state === 'failed' ? commonError : undefined);
    const onlyDownload =
      platforms.size === 1 && commonDownload !== undefined && commonDownload.kind !== 'template'
        ? commonDownload.url
        : undefined;
    return {
      platform,
      state,
      status: status ?? null,
      error: error === undefined ? undefined : plainMessage(error),
      downloadUrl: download ?? (state === 'complete' ? onlyDownload : undefined),
      logUrl: hasMember(resource, 'logs') || state === 'none' ? logs.get(platform)?.url : logUrlBelow(appUrl, platform),
    };
  });
}

/** @param status as sent; null when nobody has asked for a build. */
export function stateOfStatus(status: string | null): BuildState {
  switch (status?.trim().toLowerCase()) {
    case undefined:
    case '':
      return 'none';
    case 'pending':
      return 'building';
    case 'complete':
      return 'complete';
    case 'error':
      return 'failed';
    case 'skip':
      return 'skipped';
    default:
      return 'other';
  }
}

/** As `pgb-api` asked the original for a log. */
function logUrlBelow(appUrl: string, platform: string): string {
  return `${appUrl.replace(/[?#].*$/s, '')}/logs/${encodeURIComponent(platform)}/build`;
}

function stateWithoutStatus(error: string | undefined, download: string | undefined): BuildState {
  if (error !== undefined) {
    return 'failed';
  }
  return download === undefined ? 'none' : 'complete';
}

function byName(entries: readonly MapEntry[] = []): ReadonlyMap<string, MapEntry> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}
