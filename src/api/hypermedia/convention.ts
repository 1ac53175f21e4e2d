import type { Node } from './node.ts';
import type { JsonObject } from './json.ts';
import type { Convention } from './resource.ts';

/** How one hypermedia format is read out of an object. */
export interface ConventionReader {
  readonly convention: Convention;
  /** Media types that declare the format, without parameters. */
  readonly mediaTypes: readonly string[];
  /**
   * Members that make an object worth a look; `@` stands for every name that contains it. For other objects the reader
   * is called only when the document declared the format.
   */
  readonly markers: readonly string[];
  /**
   * Takes links, embedded resources and forms out of the object, and claims the members that it understood. `node.format`
   * tells whether the document declared this very format; otherwise the structure has to be convincing.
   */
  read(node: Node, object: JsonObject): void;
}
