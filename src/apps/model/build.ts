import type { Resource } from '../../api/hypermedia/resource.ts';
import type { PlatformBuild } from './app.ts';

/** What a service with a resource for each build says of one; the original had none. */
export interface BuildDetails extends PlatformBuild {
  readonly number: number | undefined;
  readonly queuedAt: Date | undefined;
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  /** What built it, such as `demo` or `cordova`. */
  readonly builder: string | undefined;
  readonly fileName: string | undefined;
  readonly sizeBytes: number | undefined;
}

/** The answer of the status link. */
export interface BuildStatus {
  readonly builds: readonly PlatformBuild[];
  readonly completed: boolean;
}

/** A part of a build log. */
export interface LogPart {
  readonly text: string;
  /** Where the next part starts, for a service that takes an offset; undefined when it sends the whole log each time. */
  readonly nextOffset: number | undefined;
  /** True when nothing will be added. */
  readonly completed: boolean;
}

/** Reads the answer of the link to an app's builds. */
export function readBuilds(_resource: Resource, _url: string): readonly BuildDetails[] {
  throw new Error('Not written yet.');
}

/** Reads the answer of the status link, or an app, which says the same. */
export function readBuildStatus(_resource: Resource, _url: string): BuildStatus {
  throw new Error('Not written yet.');
}
