import type { JsonObject } from './json.ts';
import type { Embedded, Resource } from './resource.ts';

/** A value that can be a resource. */
export type Readable = JsonObject | readonly unknown[];

/** Reads a value, or the element of an array at that position. */
export type ReadEmbedded = (value: Readable, index: number | undefined) => Resource;

/** A resource inside another one, read when somebody first looks at it: people open few elements of a long list. */
export class LazyEmbedded implements Embedded {
  readonly rel: string;
  readonly index?: number;
  readonly #value: Readable;
  readonly #read: ReadEmbedded;
  #resource: Resource | undefined;

  constructor(rel: string, index: number | undefined, value: Readable, read: ReadEmbedded) {
    this.rel = rel;
    if (index !== undefined) {
      this.index = index;
    }
    this.#value = value;
    this.#read = read;
  }

  get resource(): Resource {
    return (this.#resource ??= this.#read(this.#value, this.index));
  }

  /** For `JSON.stringify`, which leaves a class's getters out. */
  toJSON(): Embedded {
    const { rel, index, resource } = this;
    return index === undefined ? { rel, resource } : { rel, index, resource };
  }
}
