import type { BuildServiceClient } from '../../api/client.ts';
import type { SeenResource } from '../seenResources.ts';

/** What all rows of one account share. */
export interface Scope {
  /** Signed in; another one after the token has changed. */
  readonly client: BuildServiceClient;
  /** Remembers resources, the most recent last. */
  seen(resources: readonly SeenResource[]): void;
}
