import type { Convention } from './resource.ts';

/** What is known of a value from outside; elements of one array share it. */
export interface Place {
  /** Relation to the resource it is embedded in; empty at the root. */
  readonly rel: string;
  /** Relative references resolve against it. */
  readonly base: string;
  /** The format that the document, or the part above, declared. */
  readonly format: Convention | undefined;
  readonly depth: number;
}
