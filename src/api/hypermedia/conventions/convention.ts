import type { JsonObject } from '../json.ts';
import type { Convention } from '../resource.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';

/** How one hypermedia format is read out of an object. */
export interface ConventionReader {
  readonly convention: Convention;
  /** Media types that declare the format, without parameters. */
  readonly mediaTypes: readonly string[];
  /**
   * Takes links, embedded resources and forms out of the object, and claims the members that it understood. The builder's
   * `format` tells whether the document declared this very format; otherwise the structure has to be convincing.
   */
  read(builder: ResourceBuilder, object: JsonObject): void;
}
