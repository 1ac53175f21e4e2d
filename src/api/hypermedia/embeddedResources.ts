import { sentence } from '../errors/sentence.ts';
import type { IncludedResources } from './includedResources.ts';
import { isObject, pointerTo, type JsonObject } from './json.ts';
import { LazyEmbedded, type Readable } from './lazyEmbedded.ts';
import type { LinkResolver } from './links.ts';
import type { NumberTexts } from './numberTexts.ts';
import type { Convention, Embedded, Resource } from './resource.ts';
import type { SkippedParts } from './skippedParts.ts';

/** Levels of nesting that are read. Deeper ones are named in `skipped`. */
const MAX_DEPTH = 100;

/** Levels in which linkage is shown as the resource that it stands for. Included resources can link to each other in circles. */
const MAX_LINKAGE_DEPTH = 3;

/** What the resources of one document share. */
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
  /** What stands in front of the paths in `_links` (Confluence's `_links.base`). */
  readonly linksBase?: string | undefined;
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
    const readElement = (value: Readable, index: number | undefined): Resource =>
      read(value, index === undefined ? position : { ...position, pointer: pointerTo(pointer, index) });
    for (const [index, value] of array.entries()) {
      this.list.push(new LazyEmbedded(rel, index, value, readElement));
    }
  }

  /** Adds a value, or notes why it is no resource. @param index among the elements of its relation, when it is one of several */
  add(value: unknown, position: Position, index?: number): void {
    if (this.#isReadable(value, position)) {
      const { read } = this.#context;
      this.list.push(new LazyEmbedded(position.rel, index, value, (each) => read(each, position)));
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
    const readOnce = (value: Readable): Resource => included.read(found, position.depth, () => read(value, at));
    this.list.push(new LazyEmbedded(position.rel, index, found.value, readOnce));
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
