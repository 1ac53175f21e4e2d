import type { Resource } from '../../api/hypermedia/resource.ts';
import {
  hasMember,
  mapOf,
  plainMessage,
  textMember,
  type MapEntry,
  booleanOf,
  dateOf,
  isPathBelow,
  numberOf,
  selfUrl,
} from './members.ts';

/**
 * Where a build for one platform stands. The service's own words are `pending`, `complete`, `error`, `skip` and null; any other
 * word is `other` and is shown as it was sent.
 */
export type BuildState =
  | 'none'
  /** Asked for, and not started yet, where the service distinguishes that. */
  | 'waiting'
  | 'building'
  | 'complete'
  | 'failed'
  | 'skipped'
  | 'other';

export interface PlatformBuild {
  /** As the service calls it: `android`, `ios`, `winphone`, `browser`, or any other. */
  readonly platform: string;
  readonly state: BuildState;
  /** The status as sent; null when no build was asked for. */
  readonly status: string | null;
  /** Why it failed, as plain text: a service may send HTML. */
  readonly error: string | undefined;
  readonly downloadUrl: string | undefined;
  /** The app bundle for Google Play, beside what a phone installs. */
  readonly bundleUrl?: string | undefined;
  readonly logUrl: string | undefined;
  /** Bytes of the package, if the service reports them for each build. */
  readonly size?: number | undefined;
  /** When the build was requested, if the service reports that for each platform. Builds of one request have the same time. */
  readonly queuedAt?: number | undefined;
}

/**
 * Reads `status`, `error`, `download`, `bundle` and `logs`, which an app, the answer of its status link and a build of a builds resource
 * have in common: maps by platform. Never throws.
 *
 * @param appUrl absolute; a resource without logs has them where the original had them, below the app.
 * @returns one a platform, in the service's order.
 */
export function readPlatformBuilds(resource: Resource, appUrl: string): readonly PlatformBuild[] {
  const statuses = byName(mapOf(resource, 'status', appUrl));
  const errors = byName(mapOf(resource, 'error', appUrl));
  const downloads = byName(mapOf(resource, 'download', appUrl));
  const bundles = byName(mapOf(resource, 'bundle', appUrl));
  const logs = byName(mapOf(resource, 'logs', appUrl));
  const times = byName(mapOf(resource, 'queued_at', appUrl));
  // A text or link for all platforms belongs to those in the state that it fits.
  const commonError = textMember(resource, 'error');
  const commonDownload = resource.links.find(({ rel }) => rel === 'download')?.target;
  const platforms = new Set([...statuses, ...errors, ...downloads].map(([name]) => name));
  return [...platforms].map((platform) => {
    const status = statuses.get(platform)?.text;
    const message = errors.get(platform)?.text ?? undefined;
    const download = downloads.get(platform)?.url;
    const bundleUrl = bundles.get(platform)?.url;
    const queuedAt = Date.parse(times.get(platform)?.text ?? '');
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
      ...(bundleUrl !== undefined && { bundleUrl }),
      ...(!Number.isNaN(queuedAt) && { queuedAt }),
    };
  });
}

/** @param status as sent; null when no build was asked for. */
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

export interface App {
  readonly url: string;
  readonly title: string;
  readonly version: string | undefined;
  readonly packageId: string | undefined;
  /** The user’s role, as the service sent it: `admin`, `developer`, `tester`. */
  readonly role: string | undefined;
  /** Address of the Git repository that it is built from. */
  readonly repository: string | undefined;
  /** One a platform, in the service's order. */
  readonly builds: readonly PlatformBuild[];
  /** True when no build is under way; undefined when the service does not say. */
  readonly completed: boolean | undefined;
  readonly lastBuild: Date | undefined;
  readonly buildCount: number | undefined;
  /** The resource of the app, with the links and forms of its operations. */
  readonly resource: Resource;
}

/** States of the builds of an app, the most important one first. */
const STATES: readonly BuildState[] = ['building', 'waiting', 'failed', 'other', 'complete', 'skipped', 'none'];

/**
 * The state of the app as a whole: a build that is under way wins over one that failed, and that over a complete one. If the service
 * reports times, only the latest request counts, so an old failure for another platform doesn't.
 */
export function stateOf(builds: readonly Pick<PlatformBuild, 'state' | 'queuedAt'>[]): BuildState {
  const latest = Math.max(0, ...builds.map(({ queuedAt = 0 }) => queuedAt));
  const current = builds.filter(({ state, queuedAt = 0 }) => queuedAt === latest || isUnderWay(state));
  return STATES.find((state) => current.some((build) => build.state === state)) ?? 'none';
}

/** True for a state that changes without another request. */
export function isUnderWay(state: BuildState): boolean {
  return state === 'waiting' || state === 'building';
}

export function isDownloadable({ state, downloadUrl }: PlatformBuild): boolean {
  return state === 'complete' && downloadUrl !== undefined;
}

/** True for a build that an Android phone installs. */
export function isForAndroid(build: PlatformBuild): boolean {
  return build.platform === 'android' && isDownloadable(build);
}

export function hasIcon({ resource }: App): boolean {
  const icon = resource.embedded.find(({ rel }) => rel === 'icon');
  return icon !== undefined && textMember(icon.resource, 'filename') !== undefined;
}

const MEMBERS = ['status', 'download', 'error', 'package', 'build_count', 'phonegap_version', 'collaborators'];

/**
 * True for a resource that is an app: it has a title, and an address among the apps or members that only apps
 * have. The summary of an app in a list is one, too.
 */
export function isApp(resource: Resource): boolean {
  return (
    textMember(resource, 'title') !== undefined &&
    (isPathBelow(selfUrl(resource), 'apps', 1) || MEMBERS.filter((name) => hasMember(resource, name)).length >= 2)
  );
}

/** Reads an app. Never throws. @param url where the resource came from; its own link wins. */
export function readApp(resource: Resource, url: string): App {
  const own = selfUrl(resource) ?? url;
  return {
    url: own,
    title: textMember(resource, 'title') ?? resource.title ?? '',
    version: textMember(resource, 'version'),
    packageId: textMember(resource, 'package'),
    role: textMember(resource, 'role'),
    repository: textMember(resource, 'repo'),
    builds: readPlatformBuilds(resource, own),
    completed: booleanOf(resource, 'completed'),
    lastBuild: dateOf(resource, 'last_build'),
    buildCount: numberOf(resource, 'build_count'),
    resource,
  };
}

/**
 * The platforms that a service builds because an app was changed: sent a package, an icon. A build counts if it's under way or differs
 * from before, so one that failed immediately because of a missing key counts too. An old failure doesn't.
 *
 * @param before the app before the change; undefined when the change created it.
 * @param after the service's answer: a fast build may have ended by then.
 * @returns none where the service waits to be asked.
 */
export function startedBuilds(before: App | undefined, { builds, buildCount, lastBuild }: App): readonly string[] {
  const built = builds.filter(({ state }) => state !== 'none' && state !== 'skipped');
  const started = built.filter((build) => isUnderWay(build.state) || differs(build, before));
  const isAnotherBuild =
    (buildCount ?? 0) > (before?.buildCount ?? 0) || lastBuild?.getTime() !== before?.lastBuild?.getTime();
  // The new builds may have ended like the old ones. Without a time for each platform, the service doesn't show which were built.
  const isUnknown = started.length === 0 && isAnotherBuild && built.every(({ queuedAt }) => queuedAt === undefined);
  return (isUnknown ? built : started).map(({ platform }) => platform);
}

/** Whether this is a different build from the app's previous one for the platform. */
function differs(build: PlatformBuild, before: App | undefined): boolean {
  const old = before?.builds.find(({ platform }) => platform === build.platform);
  return build.queuedAt !== old?.queuedAt || build.state !== old?.state || build.error !== old.error;
}

/** The apps of a name, which may be several. @param name title, package or number of an app; see {@link isAppAddress} for an address. */
export function findApps(name: string, apps: readonly App[]): readonly App[] {
  return apps.filter(
    ({ title, packageId, url }) =>
      title === name || packageId === name || new URL(url).pathname.endsWith(`/apps/${name}`),
  );
}

/** True for a path or an address, which needs no list to be found. */
export function isAppAddress(name: string): boolean {
  return /^(?:\/|https?:)/i.test(name);
}

const PLATFORM_NAMES: ReadonlyMap<string, string> = new Map([
  ['android', 'Android'],
  ['ios', 'iOS'],
  ['winphone', 'Windows Phone'],
]);

/** The product name of a platform. An unknown platform keeps the service's name for it. */
export function platformName(platform: string): string {
  return PLATFORM_NAMES.get(platform) ?? platform;
}
