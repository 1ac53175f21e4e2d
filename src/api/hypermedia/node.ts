import { fieldOf } from './field.ts';
import { ExactNumber, isObject, mayBeRounded, member } from './json.ts';
import type { JsonObject } from './json.ts';
import { label } from './label.ts';
import { described } from './linkDetails.ts';
import type { LinkDetails } from './linkDetails.ts';
import { readSteps } from './longList.ts';
import type { Batch, Reading } from './reading.ts';
import type { Convention, Embedded, Field, Form, Link, LinkTarget, Resource, Skipped } from './resource.ts';
import { SeenLinks, isSame } from './seen.ts';

/** Levels of nesting that are read. Deeper ones are named in `skipped`. */
const DEEPEST = 100;

/** Stands for every list that is still empty: most resources have no forms and nothing skipped. */
const NONE: never[] = Object.freeze([]) as never[];

/** Lists that grew one by one have room for more, which short ones give back. */
const SHORT = 32;

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

/** An object whose members belong to a resource, save those named in `except`. */
interface Source {
  readonly object: JsonObject;
  readonly pointer: string;
  readonly except: readonly string[];
}

/** Where a long list was left, with the links in front of it. */
interface Break {
  readonly seen: SeenLinks | undefined;
  readonly skipped: readonly Skipped[];
  /** Reads the rest of the list. */
  readonly rest: Generator<undefined, void>;
}

/** One object or array of the document on its way to a resource: what the conventions read from and write to. */
export class Node {
  readonly reading: Reading;
  /** The value in the document: an object, or an array that is a resource of its own. */
  readonly value: JsonObject | readonly unknown[];
  /** Relative references resolve against it, here and in everything inside. */
  base: string;
  readonly pointer: string;
  readonly #batch: Batch;
  readonly #position: number;
  #self: Link | undefined;
  #title: string | undefined;
  #titleRank = Infinity;
  #fieldCount = 0;
  #listed: (() => readonly Field[]) | undefined;
  #embedded: (Embedded | undefined)[] = NONE;
  #forms: Form[] = NONE;
  #skipped: Skipped[] = NONE;
  #claimed: string[] | undefined;
  #sources: Source[] | undefined;
  #seen: SeenLinks | undefined;
  #breaks: Break[] | undefined;
  #isResting = false;

  /** @param position of the value in its batch */
  constructor(reading: Reading, value: JsonObject | readonly unknown[], batch: Batch, position: number) {
    this.reading = reading;
    this.value = value;
    this.base = batch.place.base;
    this.pointer = batch.first < 0 ? batch.pointer : `${batch.pointer}/${batch.first + position}`;
    this.#batch = batch;
    this.#position = position;
  }

  get rel(): string {
    return this.#batch.place.rel;
  }

  get format(): Convention | undefined {
    return this.#batch.place.format;
  }

  get self(): Link | undefined {
    return this.#self;
  }

  /** Marks a member as understood: no weaker convention looks at it, and it is no field. */
  claim(name: string): void {
    (this.#claimed ??= []).push(name);
  }

  get claimed(): readonly string[] {
    return this.#claimed ?? NONE;
  }

  /** The object's own member, unless a stronger convention has claimed it. */
  unclaimed(name: string): unknown {
    return isObject(this.value) && !this.claimed.includes(name) ? member(this.value, name) : undefined;
  }

  /** Members of this object count as members of the resource (JSON:API attributes, Siren properties). */
  include(object: JsonObject, pointer: string, except: readonly string[] = []): void {
    (this.#sources ??= []).push({ object, pointer, except });
  }

  get included(): readonly Source[] {
    return this.#sources ?? NONE;
  }

  /** Where a reference leads; the reason goes to `skipped` when it leads nowhere. */
  target(href: unknown, pointer: string): LinkTarget | undefined {
    if (typeof href !== 'string') {
      this.skip(pointer, href === undefined ? 'The link has no address.' : 'The address of the link is not text.');
      return undefined;
    }
    const target = this.reading.links.target(href, this.base);
    if (typeof target === 'string') {
      this.skip(pointer, target);
      return undefined;
    }
    return target;
  }

  /**
   * Adds a link, or notes why it cannot be used. The first `self` is the resource's own; the same relation to the same
   * target counts once, under the convention that came first.
   */
  link(convention: Convention, rel: string, href: unknown, pointer: string, details?: LinkDetails): boolean {
    const target = this.target(href, pointer);
    if (target === undefined) {
      return false;
    }
    const link: Link = details === undefined ? { rel, target, convention, pointer } : { rel, target, convention, pointer, ...described(details) };
    if (rel !== 'self') {
      this.#addLink(link, this.reading.links.hash);
    } else if (this.#self === undefined) {
      this.#self = link;
    } else if (!isSame(this.#self, link)) {
      this.#addLink(link, this.reading.links.hash);
    }
    return true;
  }

  /**
   * Calls `read` with every item of a list, which may add links. What is beyond the first few thousand is left for
   * {@link rest}, which puts the links where they belong in the order of the document.
   */
  each<Item>(items: readonly Item[], read: (item: Item, index: number) => void): void {
    const rest = readSteps(items, read);
    while (rest.next().done !== true) {
      if (!this.#isResting) {
        (this.#breaks ??= []).push({ ...this.#takeLinks(), rest });
        return;
      }
    }
  }

  /** True when {@link each} has left something. */
  get isLong(): boolean {
    return this.#breaks !== undefined;
  }

  /** Reads what {@link each} has left, in steps. */
  *rest(): Generator<undefined, void> {
    const behind = this.#takeLinks();
    this.#isResting = true;
    for (const { seen, skipped, rest } of this.#breaks ?? NONE) {
      this.#putLinks(seen, skipped);
      yield* rest;
    }
    this.#putLinks(behind.seen, behind.skipped);
  }

  field(name: string, value: unknown): void {
    this.#note(value);
    this.reading.fields[this.#fieldCount] = fieldOf(name, value);
    this.#fieldCount += 1;
  }

  /**
   * The fields of a long array, which has no others. They are made when somebody looks at them: people open few such lists,
   * and the names alone take as long as the JSON did.
   *
   * @param isField which of the items are fields, under their positions
   */
  fieldsOf(items: readonly unknown[], isField: (item: unknown) => boolean): void {
    for (const item of items) {
      this.#note(item);
    }
    this.#listed = () => {
      const fields: Field[] = [];
      for (let index = 0; index < items.length; index += 1) {
        if (isField(items[index])) {
          fields.push(fieldOf(String(index), items[index]));
        }
      }
      return fields;
    };
  }

  /** Any value as part of this resource: scalars and empty values become fields, the rest embedded resources. */
  add(name: string, value: unknown, pointer: string): void {
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) {
      this.field(name, value);
    } else if (Array.isArray(value) ? value.length === 0 : isEmpty(value as JsonObject)) {
      this.field(name, value);
    } else {
      this.embed(name, value, pointer);
    }
  }

  /**
   * Embeds an object, or each object of an array. An array that holds anything else is a resource of its own, whose
   * fields are named by position. A value that cannot be a resource is noted in `skipped`.
   *
   * @param format what the value is known to be; this node's own format when absent
   */
  embed(rel: string, value: unknown, pointer: string, format = this.format): void {
    if (this.#isTooDeep(pointer)) {
      return;
    }
    if (Array.isArray(value) && value.every(isObject)) {
      this.#later(rel, value, pointer, 0, format);
    } else if (isObject(value) || Array.isArray(value)) {
      this.#later(rel, [value], pointer, -1, format);
    } else {
      this.skip(pointer, 'Not a resource: neither an object nor an array.');
    }
  }

  /** Embeds one element of an array. */
  embedItem(rel: string, value: unknown, index: number, arrayPointer: string, format = this.format): void {
    const pointer = `${arrayPointer}/${index}`;
    if (this.#isTooDeep(pointer)) {
      return;
    }
    if (isObject(value) || Array.isArray(value)) {
      this.#later(rel, [value], arrayPointer, index, format);
    } else {
      this.skip(pointer, 'Not a resource: neither an object nor an array.');
    }
  }

  form(form: Form): void {
    this.#forms = appended(this.#forms, form);
  }

  skip(pointer: string, reason: string): void {
    const skipped = this.reading.skipped(pointer, reason);
    if (skipped !== undefined) {
      this.#skipped = appended(this.#skipped, skipped);
    }
  }

  /** Takes a member for the resource's title unless a better one was offered. `rank` is that of the member's name. */
  offerTitle(value: unknown, rank: number): void {
    if (rank >= this.#titleRank) {
      return;
    }
    const words = typeof value === 'string' ? label(value) : typeof value === 'number' ? String(value) : value instanceof ExactNumber ? value.source : '';
    if (words !== '') {
      this.#title = words;
      this.#titleRank = rank;
    }
  }

  /** Puts the resource in its place, when everything in the value but what is embedded has been read. */
  finish(): Resource {
    const { first, slots, slot, place } = this.#batch;
    const resource = this.#listed === undefined ? this.#resource() : withFields(this.#resource(), this.#listed);
    slots[slot + this.#position] = first < 0 ? { rel: place.rel, resource } : { rel: place.rel, index: first + this.#position, resource };
    return resource;
  }

  /** One literal for each shape: members that are added later take room of their own. */
  #resource(): Resource {
    const self = this.#self;
    const title = this.#title;
    const fields = this.#fieldCount === 0 ? NONE : this.reading.fields.slice(0, this.#fieldCount);
    const links = this.#seen === undefined ? NONE : trimmed(this.#seen.links);
    // the ones that are missing are there when the document has been read
    const embedded = this.#embedded as Embedded[];
    const forms = this.#forms;
    const skipped = this.#skipped;
    const { pointer } = this;
    if (self === undefined) {
      return title === undefined
        ? { fields, links, embedded, forms, skipped, pointer }
        : { fields, links, embedded, forms, skipped, pointer, title };
    }
    return title === undefined
      ? { fields, links, embedded, forms, skipped, pointer, self }
      : { fields, links, embedded, forms, skipped, pointer, self, title };
  }

  #addLink(link: Link, hash?: number): void {
    this.#seen ??= new SeenLinks();
    this.#seen.add(link, this.reading.links.addresses, hash);
  }

  #takeLinks(): { readonly seen: SeenLinks | undefined; readonly skipped: readonly Skipped[] } {
    const taken = { seen: this.#seen, skipped: this.#skipped };
    this.#seen = undefined;
    this.#skipped = NONE;
    return taken;
  }

  #putLinks(seen: SeenLinks | undefined, skipped: readonly Skipped[]): void {
    if (this.#seen === undefined) {
      this.#seen = seen;
    } else {
      seen?.links.forEach((link) => this.#addLink(link));
    }
    for (const item of skipped) {
      this.#skipped = appended(this.#skipped, item);
    }
  }

  #note(value: unknown): void {
    if (typeof value === 'number') {
      this.reading.rounded ||= mayBeRounded(value);
    }
  }

  #isTooDeep(pointer: string): boolean {
    if (this.#batch.place.depth < DEEPEST) {
      return false;
    }
    this.skip(pointer, `Nested deeper than ${DEEPEST} levels.`);
    return true;
  }

  #later(rel: string, values: readonly (JsonObject | readonly unknown[])[], pointer: string, first: number, format: Convention | undefined): void {
    const slot = this.#embedded.length;
    if (slot === 0) {
      this.#embedded = [];
    }
    const slots = this.#embedded;
    while (slots.length < slot + values.length) {
      slots.push(undefined);
    }
    const place = { rel, base: this.base, format, depth: this.#batch.place.depth + 1 };
    this.reading.later({ values, place, pointer, first, slots, slot, next: 0 });
  }
}

/** The resource with fields that are made once, when they are first asked for. */
function withFields(resource: Resource, make: () => readonly Field[]): Resource {
  let fields: readonly Field[] | undefined;
  return Object.defineProperty(resource, 'fields', { get: () => (fields ??= make()), enumerable: true });
}

/** Adds to a list that only the node knows, in place; starts one instead of {@link NONE}. */
function appended<Item>(list: Item[], item: Item): Item[] {
  if (list === NONE) {
    return [item];
  }
  list.push(item);
  return list;
}

/** A short list without the room that it kept for growing. */
function trimmed<Item>(list: Item[]): Item[] {
  return list.length > 1 && list.length < SHORT ? list.slice() : list;
}

function isEmpty(object: JsonObject): boolean {
  for (const name in object) {
    if (Object.hasOwn(object, name)) {
      return false;
    }
  }
  return true;
}
