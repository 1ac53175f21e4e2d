import type { Resource } from '../../api/hypermedia/resource.ts';

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

/** The state of the app as a whole: what is under way wins over what failed, and that over what is complete. */
export function stateOf(_builds: readonly Pick<PlatformBuild, 'state'>[]): BuildState {
  throw new Error('Not written yet.');
}

/** True for a state that will change without anybody asking. */
export function isUnderWay(state: BuildState): boolean {
  return state === 'waiting' || state === 'building';
}

/** True for a resource that is an app by what it says of itself: it has a status for each platform, or downloads. */
export function isApp(_resource: Resource): boolean {
  throw new Error('Not written yet.');
}

/** Reads an app. @param url where the resource came from; its own link wins. */
export function readApp(_resource: Resource, _url: string): App {
  throw new Error('Not written yet.');
}
