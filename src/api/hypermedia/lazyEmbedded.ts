import { setImmediate } from 'node:timers/promises';

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

/** Parts of resources that are read without a pause: some milliseconds. */
const PARTS_PER_TURN = 2000;

/** Parts of an embedded resource that are looked at for its name. */
const MAX_NAMING_PARTS = 8;

/** Counts what is read, and lets others have their turn in between. */
class Turns {
  #parts = 0;

  /** Call it after a resource was read. */
  async count({ fields, links, embedded, forms, skipped }: Resource): Promise<void> {
    this.#parts += 1 + fields.length + links.length + embedded.length + forms.length + skipped.length;
    if (this.#parts > PARTS_PER_TURN) {
      this.#parts = 0;
      await setImmediate();
    }
  }
}

/**
 * A resource and all that it embeds, in the order of the document, each part of the document once. What was not read yet is,
 * with pauses.
 */
export async function* eachResource(root: Resource): AsyncGenerator<Resource> {
  const turns = new Turns();
  const seen = new Set<string>();
  const pending: Embedded[][] = [];
  for (let resource: Resource | undefined = root; resource !== undefined; resource = pending.at(-1)?.pop()?.resource) {
    await turns.count(resource);
    // linkage leads to the same resource from many places, and back
    if (!seen.has(resource.pointer)) {
      seen.add(resource.pointer);
      yield resource;
      pending.push([...resource.embedded].reverse());
    }
    while (pending.at(-1)?.length === 0) {
      pending.pop();
    }
  }
}

/**
 * Reads what a resource embeds, the first `count` of it, and the few parts of each that may give it its name. There are
 * pauses: whoever looks at it then waits for nothing.
 */
export async function readAhead(root: Resource, count: number): Promise<void> {
  const turns = new Turns();
  await turns.count(root);
  for (const { resource } of root.embedded.slice(0, count)) {
    await turns.count(resource);
    for (const part of resource.embedded.slice(0, MAX_NAMING_PARTS)) {
      await turns.count(part.resource);
    }
  }
}
