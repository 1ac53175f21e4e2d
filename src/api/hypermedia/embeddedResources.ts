import { sentence } from '../errors/sentence.ts';
import { MAX_DEPTH, MAX_LINKAGE_DEPTH, MAX_PARTS } from '../limits.ts';
import type { Terms } from './compactIri.ts';
import { isObject, pointerTo, type JsonObject, type NumberTexts, member, text, type Entry } from './json.ts';
import type { LinkResolver } from './links.ts';
import type { Convention, Embedded, Resource } from './resource.ts';
import type { SkippedParts } from './skippedParts.ts';

/** Shared by the resources of one document. */
export interface DocumentContext {
  readonly links: LinkResolver;
  readonly numbers: NumberTexts;
  readonly included: IncludedResources;
  /** Reads a value and everything that belongs to its resource; what is embedded is read when it is looked at. */
  readonly read: (value: Readable, position: Position) => Resource;
}

/** Where a value stands in its document. */
export interface Position {
  /** JSON Pointer of the value. */
  readonly pointer: string;
  /** Relation to the resource it is embedded in; empty at the root. */
  readonly rel: string;
  /** Relative references resolve against it. */
  readonly base: string;
  /** Prefix of the paths in `_links` (Confluence's `_links.base`). */
  readonly linksBase?: string | undefined;
  /** The terms of the JSON-LD contexts that apply. */
  readonly terms: Terms;
  /** The format that the document, or the part above, declared. */
  readonly format: Convention | undefined;
  readonly depth: number;
}

/** The resources inside another one. They are read later, and do not keep what reads the other one in memory. */
export class EmbeddedResources {
  readonly list: Embedded[] = [];
  readonly #context: DocumentContext;
  readonly #skipped: SkippedParts;

  constructor(context: DocumentContext, skipped: SkippedParts) {
    this.#context = context;
    this.#skipped = skipped;
  }

  /** Adds each element of an array. @param position of the array */
  addEach(array: readonly JsonObject[], position: Position): void {
    if (this.#isTooDeep(position)) {
      return;
    }
    const { read } = this.#context;
    const { rel, pointer } = position;
    for (const [index, value] of array.entries()) {
      const readElement = (): Resource => read(value, { ...position, pointer: pointerTo(pointer, index) });
      this.list.push(new LazyEmbedded(rel, index, readElement));
    }
  }

  /** Adds a value, or notes why it is no resource. @param index among the elements of its relation, when it is one of several */
  add(value: unknown, position: Position, index?: number): void {
    if (this.#isReadable(value, position)) {
      const { read } = this.#context;
      this.list.push(new LazyEmbedded(position.rel, index, () => read(value, position)));
    }
  }

  /** Adds the resource that JSON:API linkage stands for, where the document includes it; otherwise the linkage itself. */
  addLinkage(linkage: unknown, position: Position, index?: number): void {
    const { included, read } = this.#context;
    const found = position.depth <= MAX_LINKAGE_DEPTH ? included.find(linkage) : undefined;
    if (found === undefined) {
      this.add(linkage, position, index);
      return;
    }
    const at = { ...position, pointer: found.pointer };
    const readOnce = (): Resource => included.read(found, position.depth, () => read(found.value, at));
    this.list.push(new LazyEmbedded(position.rel, index, readOnce));
  }

  #isReadable(value: unknown, position: Position): value is Readable {
    if (this.#isTooDeep(position)) {
      return false;
    }
    if (!isObject(value) && !Array.isArray(value)) {
      this.#skipped.add(position.pointer, sentence('Not a resource: neither an object nor an array.'));
      return false;
    }
    return true;
  }

  #isTooDeep({ depth, pointer }: Position): boolean {
    if (depth > MAX_DEPTH) {
      this.#skipped.add(pointer, sentence('Nested deeper than {0} levels.', String(MAX_DEPTH)));
    }
    return depth > MAX_DEPTH;
  }
}

/** The resources that a JSON:API document includes, by type and id (JSON:API 1.1, "Compound Documents"). */
export class IncludedResources {
  readonly #document: unknown;
  #byIdentifier: ReadonlyMap<string, Entry<JsonObject>> | undefined;
  readonly #resources = new Map<string, Resource>();

  /** @param document the whole document; it is looked through when something is first asked for */
  constructor(document: unknown) {
    this.#document = document;
  }

  /** The resource that an identifier stands for, where the document includes it. */
  find(identifier: unknown): Entry<JsonObject> | undefined {
    const key = keyOfIdentifier(identifier);
    this.#byIdentifier ??= this.#index();
    return key === undefined ? undefined : this.#byIdentifier.get(key);
  }

  /** The resource that an entry holds. It is read once, however many others lead to it. */
  read({ pointer }: Entry<JsonObject>, depth: number, read: () => Resource): Resource {
    const key = `${depth} ${pointer}`;
    const resource = this.#resources.get(key) ?? read();
    this.#resources.set(key, resource);
    return resource;
  }

  #index(): ReadonlyMap<string, Entry<JsonObject>> {
    const included = isObject(this.#document) ? member(this.#document, 'included') : undefined;
    const index = new Map<string, Entry<JsonObject>>();
    for (const [position, value] of Array.isArray(included) ? included.entries() : []) {
      const key = keyOfIdentifier(value);
      if (key !== undefined && isObject(value)) {
        index.set(key, { name: String(position), value, pointer: `/included/${position}` });
      }
    }
    return index;
  }
}

function keyOfIdentifier(identifier: unknown): string | undefined {
  const type = isObject(identifier) ? text(identifier, 'type') : undefined;
  const id = isObject(identifier) ? text(identifier, 'id') : undefined;
  return type === undefined || id === undefined ? undefined : JSON.stringify([type, id]);
}

/** A value that can be a resource. */
export type Readable = JsonObject | readonly unknown[];

/** A resource inside another one, read when it is first used: people open few elements of a long list. */
class LazyEmbedded implements Embedded {
  readonly rel: string;
  readonly index?: number;
  readonly #read: () => Resource;
  #resource: Resource | undefined;

  constructor(rel: string, index: number | undefined, read: () => Resource) {
    this.rel = rel;
    if (index !== undefined) {
      this.index = index;
    }
    this.#read = read;
  }

  get resource(): Resource {
    return (this.#resource ??= this.#read());
  }

  /** For `JSON.stringify`, which leaves a class's getters out. */
  toJSON(): Embedded {
    const { rel, index, resource } = this;
    return index === undefined ? { rel, resource } : { rel, index, resource };
  }
}

/**
 * A resource and what it embeds, in the order of the document, each part of the document once, and the first
 * {@link MAX_PARTS} of them. What was not read yet is.
 */
export function* eachResource(root: Resource): Generator<Resource> {
  const seen = new Set<string>();
  const pending: Embedded[][] = [];
  for (let resource: Resource | undefined = root; resource !== undefined; resource = pending.at(-1)?.pop()?.resource) {
    // linkage leads to the same resource from many places, and back
    if (!seen.has(resource.pointer) && seen.size <= MAX_PARTS) {
      seen.add(resource.pointer);
      yield resource;
      pending.push([...resource.embedded].reverse());
    }
    while (pending.at(-1)?.length === 0) {
      pending.pop();
    }
  }
}
