import type { Resource } from '../../api/hypermedia/resource.ts';
import { booleanOf, dateOf, hasMember, isPathBelow, numberOf, selfUrl, textOf } from './members.ts';
import { readPlatformBuilds } from './platformBuild.ts';
import type { BuildState, PlatformBuild } from './platformBuild.ts';

export type { BuildState, PlatformBuild };

/** An app, as a value read from a resource. */
export interface App {
  /** Absolute address of the app itself. */
  readonly url: string;
  readonly title: string;
  readonly version: string | undefined;
  /** The identifier of the package, such as `com.example.app`. */
  readonly packageId: string | undefined;
  /** What the user is to the app, as the service sent it: `admin`, `developer`, `tester`. */
  readonly role: string | undefined;
  /** Address of the Git repository that it is built from. */
  readonly repository: string | undefined;
  /** One a platform, in the service's order. */
  readonly builds: readonly PlatformBuild[];
  /** True when no build is under way; undefined when the service does not say. */
  readonly completed: boolean | undefined;
  /** When the last build ended. */
  readonly lastBuild: Date | undefined;
  readonly buildCount: number | undefined;
  /** What the app was read from: it holds the links and forms that operations are reached by. */
  readonly resource: Resource;
}

/** States of the builds of an app, the one that tells most of the app first. */
const STATES: readonly BuildState[] = ['building', 'waiting', 'failed', 'other', 'complete', 'skipped', 'none'];

/** The state of the app as a whole: what is under way wins over what failed, and that over what is complete. */
export function stateOf(builds: readonly Pick<PlatformBuild, 'state'>[]): BuildState {
  return STATES.find((state) => builds.some((build) => build.state === state)) ?? 'none';
}

/** True for a state that will change without anybody asking. */
export function isUnderWay(state: BuildState): boolean {
  return state === 'waiting' || state === 'building';
}

/** True for a build whose artifact can be had. */
export function isDownloadable({ state, downloadUrl }: PlatformBuild): boolean {
  return state === 'complete' && downloadUrl !== undefined;
}

/** True for a build that an Android phone installs. */
export function isForAndroid(build: PlatformBuild): boolean {
  return build.platform === 'android' && isDownloadable(build);
}

/** Whether somebody has given the app an icon at the service. */
export function hasIcon({ resource }: App): boolean {
  const icon = resource.embedded.find(({ rel }) => rel === 'icon');
  return icon !== undefined && textOf(icon.resource, 'filename') !== undefined;
}

/** Members of which an app has at least two. */
const MEMBERS = ['status', 'download', 'error', 'package', 'build_count', 'phonegap_version', 'collaborators'];

/**
 * True for a resource that is an app by what it says of itself: it has a title and an address among the apps, or a title and
 * what only an app has. The summary of an app in a list is one, too.
 */
export function isApp(resource: Resource): boolean {
  return (
    textOf(resource, 'title') !== undefined &&
    (isPathBelow(selfUrl(resource), 'apps', 1) || MEMBERS.filter((name) => hasMember(resource, name)).length >= 2)
  );
}

/** Reads an app. Never throws. @param url where the resource came from; its own link wins. */
export function readApp(resource: Resource, url: string): App {
  const own = selfUrl(resource) ?? url;
  return {
    url: own,
    title: textOf(resource, 'title') ?? resource.title ?? '',
    version: textOf(resource, 'version'),
    packageId: textOf(resource, 'package'),
    role: textOf(resource, 'role'),
    repository: textOf(resource, 'repo'),
    builds: readPlatformBuilds(resource, own),
    completed: booleanOf(resource, 'completed'),
    lastBuild: dateOf(resource, 'last_build'),
    buildCount: numberOf(resource, 'build_count'),
    resource,
  };
}
