import type { Resource } from '../../api/hypermedia/resource.ts';

/** What the service says it can build (the original's `current_support`; the local service adds builder and reasons). */
export interface BuilderSupport {
  /** `demo`, `cordova`, `command`; undefined when the service does not say. */
  readonly builder: string | undefined;
  /** By platform; a reason where it cannot be built here. */
  readonly platforms: readonly { readonly platform: string; readonly unavailable: string | undefined }[];
}

/** Reads the answer of the `current_support` link. */
export function readBuilderSupport(_resource: Resource): BuilderSupport {
  throw new Error('Not written yet.');
}

/** The builder that packs files and builds nothing: its artifacts are called demo builds wherever they show. */
export const DEMO_BUILDER = 'demo';
