import type { Resource } from '../../../service-client/index.ts';
import {
  hasMember,
  getMapEntries,
  plainMessage,
  textMember,
  type MapEntry,
  getBoolean,
  getDate,
  isPathBelow,
  getNumber,
  selfUrl,
} from './members.ts';

/**
 * State of a build for one platform. The contract defines the statuses `pending`, `complete`, `error`, `skip`, and null. Any
 * other status becomes `other` and is displayed verbatim.
 */
export type BuildState =
  | 'none'
  /** Requested but not started, if the service makes this distinction. */
  | 'waiting'
  | 'building'
  | 'complete'
  | 'failed'
  | 'skipped'
  | 'other';

/** An app's latest build for one platform. */
export interface PlatformBuild {
  /** The service's name for the platform: `android`, `ios`, `winphone`, `browser`, or any other. */
  readonly platform: string;
  readonly state: BuildState;
  /** The status verbatim. Null if no build was requested. */
  readonly status: string | null;
  /** Reason for the failure, as plain text. Services may send HTML. */
  readonly error: string | undefined;
  readonly downloadUrl: string | undefined;
  /** Address of the app bundle for Google Play. Phones can't install it. */
  readonly bundleUrl?: string | undefined;
  readonly logUrl: string | undefined;
  /** Size of the package in bytes. Undefined if the service doesn't report it per build. */
  readonly size?: number | undefined;
  /**
   * When the build was requested, in milliseconds since 1970. All builds in a request have the same time. Undefined if the service doesn't
   * report it per platform.
   */
  readonly queuedAt?: number | undefined;
}

/**
 * Reads the members `status`, `error`, `download`, `bundle`, and `logs`, which are maps by platform. An app, the resource of its status
 * link, and a build all have them. Never throws.
 *
 * @param appUrl absolute address of the app. If the resource doesn't have `logs`, the logs are at PhoneGap Build's paths under this
 * address.
 * @returns one build per platform, in the service's order.
 */
export function readPlatformBuilds(resource: Resource, appUrl: string): readonly PlatformBuild[] {
  const statuses = byName(getMapEntries(resource, 'status', appUrl));
  const errors = byName(getMapEntries(resource, 'error', appUrl));
  const downloads = byName(getMapEntries(resource, 'download', appUrl));
  const bundles = byName(getMapEntries(resource, 'bundle', appUrl));
  const logs = byName(getMapEntries(resource, 'logs', appUrl));
  const times = byName(getMapEntries(resource, 'queued_at', appUrl));
  // A single message or link applies to the platforms whose state matches it.
  const commonError = textMember(resource, 'error');
  const commonDownload = resource.links.find(({ rel }) => rel === 'download')?.target;
  const platforms = new Set([...statuses, ...errors, ...downloads].map(([name]) => name));
  return [...platforms].map((platform) => {
    const status = statuses.get(platform)?.text;
    const message = errors.get(platform)?.text ?? undefined;
    const download = downloads.get(platform)?.url;
    const bundleUrl = bundles.get(platform)?.url;
    const queuedAt = Date.parse(times.get(platform)?.text ?? '');
    const state = status === undefined ? stateWithoutStatus(message, download) : toBuildState(status);
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

/** Returns the state for a status. @param status the status verbatim. Null if no build was requested. */
export function toBuildState(status: string | null): BuildState {
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

/** Returns the address that `pgb-api`, a PhoneGap Build client, requests logs from. */
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

/** An app at the service. */
export interface App {
  readonly url: string;
  readonly title: string;
  readonly version: string | undefined;
  readonly packageId: string | undefined;
  /** The account's role, verbatim: `admin`, `developer`, or `tester`. */
  readonly role: string | undefined;
  /** Address of the Git repository that the app is built from. */
  readonly repository: string | undefined;
  /** One build per platform, in the service's order. */
  readonly builds: readonly PlatformBuild[];
  /** True if no build is running. Undefined if the service doesn't report it. */
  readonly completed: boolean | undefined;
  readonly lastBuild: Date | undefined;
  readonly buildCount: number | undefined;
  /** The app's resource, with its links and forms. */
  readonly resource: Resource;
}

/** Build states by precedence. The app's state is the first of these that any build is in. */
const STATES: readonly BuildState[] = ['building', 'waiting', 'failed', 'other', 'complete', 'skipped', 'none'];

/**
 * Returns the state of the app as a whole. A running build takes precedence over a failed one, and a failed one over a complete one. If the
 * service reports times, only the latest request counts, so an old failure on another platform is ignored.
 */
export function getAppState(builds: readonly Pick<PlatformBuild, 'state' | 'queuedAt'>[]): BuildState {
  const latest = Math.max(0, ...builds.map(({ queuedAt = 0 }) => queuedAt));
  const current = builds.filter(({ state, queuedAt = 0 }) => queuedAt === latest || isUnderWay(state));
  return STATES.find((state) => current.some((build) => build.state === state)) ?? 'none';
}

/** Reports whether a state can change without another request. */
export function isUnderWay(state: BuildState): boolean {
  return state === 'waiting' || state === 'building';
}

/** Reports whether a build is complete and has a download link. */
export function isDownloadable({ state, downloadUrl }: PlatformBuild): boolean {
  return state === 'complete' && downloadUrl !== undefined;
}

/** Reports whether a build is a package that an Android phone can install. */
export function isForAndroid(build: PlatformBuild): boolean {
  return build.platform === 'android' && isDownloadable(build);
}

/** Reports whether an app has an icon. */
export function hasIcon({ resource }: App): boolean {
  const icon = resource.embedded.find(({ rel }) => rel === 'icon');
  return icon !== undefined && textMember(icon.resource, 'filename') !== undefined;
}

const MEMBERS = ['status', 'download', 'error', 'package', 'build_count', 'phonegap_version', 'collaborators'];

/**
 * Reports whether a resource is an app, including an app's summary in a list. An app has a title. In addition, it has either an
 * address under `apps`, or two or more members that only apps have.
 */
export function isApp(resource: Resource): boolean {
  return (
    textMember(resource, 'title') !== undefined &&
    (isPathBelow(selfUrl(resource), 'apps', 1) || MEMBERS.filter((name) => hasMember(resource, name)).length >= 2)
  );
}

/** Reads an app. Never throws. @param url address that the resource was read from. The resource's self link takes precedence. */
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
    completed: getBoolean(resource, 'completed'),
    lastBuild: getDate(resource, 'last_build'),
    buildCount: getNumber(resource, 'build_count'),
    resource,
  };
}

/**
 * Returns the platforms that the service builds because of a change to the app, such as a new package or icon. A build counts if it's
 * running or differs from the previous one, so a build that failed immediately because of a missing key counts. An old failure doesn't.
 *
 * @param before the app before the change. Undefined if the change created it.
 * @param after the app in the service's response. A fast build may have ended by then.
 * @returns an empty list if the service builds only on request.
 */
export function startedBuilds(before: App | undefined, { builds, buildCount, lastBuild }: App): readonly string[] {
  const built = builds.filter(({ state }) => state !== 'none' && state !== 'skipped');
  const started = built.filter((build) => isUnderWay(build.state) || differs(build, before));
  const isAnotherBuild =
    (buildCount ?? 0) > (before?.buildCount ?? 0) || lastBuild?.getTime() !== before?.lastBuild?.getTime();
  // The new builds may have ended like the previous ones. Without a time per platform, they can't be told apart.
  const isUnknown = started.length === 0 && isAnotherBuild && built.every(({ queuedAt }) => queuedAt === undefined);
  return (isUnknown ? built : started).map(({ platform }) => platform);
}

/** Reports whether this isn't the app's previous build for the platform. */
function differs(build: PlatformBuild, before: App | undefined): boolean {
  const old = before?.builds.find(({ platform }) => platform === build.platform);
  return build.queuedAt !== old?.queuedAt || build.state !== old?.state || build.error !== old.error;
}

/** Returns all apps that match a name. @param name title, package ID, or number of an app. For an address, see {@link isAppAddress}. */
export function findApps(name: string, apps: readonly App[]): readonly App[] {
  return apps.filter(
    ({ title, packageId, url }) =>
      title === name || packageId === name || new URL(url).pathname.endsWith(`/apps/${name}`),
  );
}

/** Reports whether a name is a path or an absolute address, so that the app can be read without searching the list. */
export function isAppAddress(name: string): boolean {
  return /^(?:\/|https?:)/i.test(name);
}
