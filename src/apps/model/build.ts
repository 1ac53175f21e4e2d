import type { Resource } from '../../api/hypermedia/resource.ts';
import { isUnderWay, readPlatformBuilds, stateOfStatus, type App, type PlatformBuild } from './app.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import {
  booleanOf,
  dateOf,
  elementsOf,
  fieldOf,
  linkTo,
  mapOf,
  numberOf,
  plainMessage,
  readFingerprints,
  textMember,
  type Fingerprints,
} from './members.ts';

/** A build of a service that has a resource for each; the original had none. */
export interface BuildDetails extends PlatformBuild {
  readonly finishedAt?: Date | undefined;
  readonly builder?: string | undefined;
  /** True when it is signed with a key that the service makes for tests. */
  readonly isTestSigned?: boolean;
  /** The fingerprints of the signing certificate. */
  readonly fingerprints?: Fingerprints | undefined;
  readonly fileName?: string | undefined;
}

export interface BuildStatus {
  readonly builds: readonly PlatformBuild[];
  readonly completed: boolean;
}

export interface LogPart {
  readonly text: string;
  /** Where the next part starts, for a service that takes an offset; undefined when it sends the whole log each time. */
  readonly nextOffset: number | undefined;
  /** True when nothing will be added; undefined when the service does not say, and the state of the build decides. */
  readonly completed: boolean | undefined;
}

/** Reads the answer of the link to an app's builds. Never throws. @param url where it came from. */
export function readBuilds(resource: Resource, url: string): readonly BuildDetails[] {
  const appUrl = linkTo(resource, 'app') ?? url.replace(/\/build$/, '');
  const items = elementsOf(resource, /^(builds|all|item)$/).slice(0, MAX_ROWS);
  return items.flatMap(({ resource: item }) => readBuild(item, appUrl) ?? []);
}

function readBuild(resource: Resource, appUrl: string): BuildDetails | undefined {
  const platform = textMember(resource, 'platform');
  if (platform === undefined) {
    return undefined;
  }
  const named = readPlatformBuilds(resource, appUrl).find((build) => build.platform === platform);
  const status = textMember(resource, 'status') ?? named?.status ?? null;
  const state = stateOfStatus(status);
  const isWaiting = state === 'building' && hasTime(resource, 'queued_at') && !hasTime(resource, 'started_at');
  const message = textMember(resource, 'error');
  return {
    platform,
    state: isWaiting ? 'waiting' : state,
    status,
    error: named?.error ?? (message === undefined ? undefined : plainMessage(message)),
    downloadUrl: named?.downloadUrl ?? linkTo(resource, 'download'),
    bundleUrl: named?.bundleUrl,
    logUrl: mapOf(resource, 'logs', appUrl)?.find(({ name }) => name === platform)?.url ?? linkTo(resource, 'log'),
    finishedAt: dateOf(resource, 'finished_at'),
    builder: textMember(resource, 'builder'),
    isTestSigned: textMember(resource, 'signed_with') === 'test key',
    fingerprints: readFingerprints(resource),
    fileName: textMember(resource, 'filename'),
    size: numberOf(resource, 'size'),
  };
}

function hasTime(resource: Resource, name: string): boolean {
  return dateOf(resource, name) !== undefined;
}

/** Reads the answer of the status link, or an app, which says the same. Never throws. @param url where it came from. */
export function readBuildStatus(resource: Resource, url: string): BuildStatus {
  const builds = readPlatformBuilds(resource, linkTo(resource, 'app') ?? url.replace(/\/status$/, ''));
  return {
    builds,
    completed: booleanOf(resource, 'completed') ?? !builds.some(({ state }) => isUnderWay(state)),
  };
}

/** Reads the answer of a log link. Never throws. @returns empty text where there is no log in it. */
export function readLogPart(resource: Resource): LogPart {
  const lines = resource.embedded.find(({ rel }) => rel === 'log')?.resource.fields.map(({ text }) => text);
  const field = fieldOf(resource, 'log');
  const text = field?.value === null ? '' : field?.text;
  const nextOffset = numberOf(resource, 'next_offset');
  return {
    text: text ?? lines?.join('\n') ?? resource.links.find(({ rel }) => rel === 'log')?.text ?? '',
    nextOffset: nextOffset !== undefined && nextOffset >= 0 ? nextOffset : undefined,
    completed: booleanOf(resource, 'completed'),
  };
}

const EXTENSIONS: Readonly<Record<string, string>> = { android: 'apk', ios: 'ipa', winphone: 'xap' };

/** A name for what was built of an app, for a service that proposes none. @param extension where it is not that of the platform */
export function artifactName(
  { title, version }: Pick<App, 'title' | 'version'>,
  platform: string,
  extension = Object.hasOwn(EXTENSIONS, platform) ? EXTENSIONS[platform] : undefined,
): string {
  const parts = [title, version, ...(extension === undefined ? [platform] : [])].filter((part) => part !== undefined);
  return `${parts.join('-')}.${extension ?? 'zip'}`;
}
