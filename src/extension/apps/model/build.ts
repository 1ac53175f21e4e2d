import type { Resource } from '../../../service-client/index.ts';
import { isUnderWay, readPlatformBuilds, toBuildState, type App, type PlatformBuild } from './app.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import {
  getBoolean,
  getDate,
  getElements,
  findField,
  linkTo,
  getMapEntries,
  getNumber,
  plainMessage,
  readFingerprints,
  textMember,
  type Fingerprints,
} from './members.ts';

/** A build in the list of builds that some services have. PhoneGap Build had no such list. */
export interface BuildDetails extends PlatformBuild {
  readonly finishedAt?: Date | undefined;
  readonly builder?: string | undefined;
  /** True if the package is signed with the service's test key. */
  readonly isTestSigned?: boolean;
  /** Fingerprints of the signing certificate. */
  readonly fingerprints?: Fingerprints | undefined;
  readonly fileName?: string | undefined;
}

/** The state of an app's builds. */
export interface BuildStatus {
  readonly builds: readonly PlatformBuild[];
  readonly completed: boolean;
}

/** A part of a build log. */
export interface LogPart {
  readonly text: string;
  /** Offset of the next part. Undefined if the service always sends the whole log. */
  readonly nextOffset: number | undefined;
  /** True if the log won't grow. If undefined, the service doesn't report this, and the build's state is used instead. */
  readonly completed: boolean | undefined;
}

/** Reads the list of an app's builds. Never throws. @param url address that the resource was read from. */
export function readBuilds(resource: Resource, url: string): readonly BuildDetails[] {
  const appUrl = linkTo(resource, 'app') ?? url.replace(/\/build$/, '');
  const items = getElements(resource, /^(builds|all|item)$/).slice(0, MAX_ROWS);
  return items.flatMap(({ resource: item }) => readBuild(item, appUrl) ?? []);
}

function readBuild(resource: Resource, appUrl: string): BuildDetails | undefined {
  const platform = textMember(resource, 'platform');
  if (platform === undefined) {
    return undefined;
  }
  const named = readPlatformBuilds(resource, appUrl).find((build) => build.platform === platform);
  const status = textMember(resource, 'status') ?? named?.status ?? null;
  const state = toBuildState(status);
  const isWaiting = state === 'building' && hasTime(resource, 'queued_at') && !hasTime(resource, 'started_at');
  const message = textMember(resource, 'error');
  return {
    platform,
    state: isWaiting ? 'waiting' : state,
    status,
    error: named?.error ?? (message === undefined ? undefined : plainMessage(message)),
    downloadUrl: named?.downloadUrl ?? linkTo(resource, 'download'),
    bundleUrl: named?.bundleUrl,
    logUrl:
      getMapEntries(resource, 'logs', appUrl)?.find(({ name }) => name === platform)?.url ?? linkTo(resource, 'log'),
    finishedAt: getDate(resource, 'finished_at'),
    builder: textMember(resource, 'builder'),
    isTestSigned: textMember(resource, 'signed_with') === 'test key',
    fingerprints: readFingerprints(resource),
    fileName: textMember(resource, 'filename'),
    size: getNumber(resource, 'size'),
  };
}

function hasTime(resource: Resource, name: string): boolean {
  return getDate(resource, name) !== undefined;
}

/**
 * Reads the resource of the status link, or an app, which has the same members. Never throws.
 *
 * @param url address that the resource was read from.
 */
export function readBuildStatus(resource: Resource, url: string): BuildStatus {
  const builds = readPlatformBuilds(resource, linkTo(resource, 'app') ?? url.replace(/\/status$/, ''));
  return {
    builds,
    completed: getBoolean(resource, 'completed') ?? !builds.some(({ state }) => isUnderWay(state)),
  };
}

/** Reads the response of a log link. Never throws. The text is empty if the response contains no log. */
export function readLogPart(resource: Resource): LogPart {
  const lines = resource.embedded.find(({ rel }) => rel === 'log')?.resource.fields.map(({ text }) => text);
  const field = findField(resource, 'log');
  const text = field?.value === null ? '' : field?.text;
  const nextOffset = getNumber(resource, 'next_offset');
  return {
    text: text ?? lines?.join('\n') ?? resource.links.find(({ rel }) => rel === 'log')?.text ?? '',
    nextOffset: nextOffset !== undefined && nextOffset >= 0 ? nextOffset : undefined,
    completed: getBoolean(resource, 'completed'),
  };
}

const EXTENSIONS: Readonly<Record<string, string>> = { android: 'apk', ios: 'ipa', winphone: 'xap' };

/**
 * Returns the file name for a package if the service doesn't suggest one.
 *
 * @param extension without the dot. Defaults to the platform's usual extension.
 */
export function artifactName(
  { title, version }: Pick<App, 'title' | 'version'>,
  platform: string,
  extension = Object.hasOwn(EXTENSIONS, platform) ? EXTENSIONS[platform] : undefined,
): string {
  const parts = [title, version, ...(extension === undefined ? [platform] : [])].filter((part) => part !== undefined);
  return `${parts.join('-')}.${extension ?? 'zip'}`;
}
