import { fieldOf } from './field.ts';
import { Findings } from './findings.ts';
import { ExactNumber, isEmpty, isObject, mayBeRounded, member } from './json.ts';
import type { JsonObject } from './json.ts';
import { label } from './label.ts';
import { described } from './linkDetails.ts';
import type { LinkDetails } from './linkDetails.ts';
import { List, ListItem } from './list.ts';
import { fieldsByPosition, withFields } from './listedFields.ts';
import { LinkList, ListLink } from './listLink.ts';
import type { Place } from './place.ts';
import { ElementPointer } from './pointer.ts';
import type { Pointer } from './pointer.ts';
import type { Reading } from './reading.ts';
import type { Convention, Field, Form, Link, LinkTarget, Resource } from './resource.ts';
import { isSame } from './seen.ts';

/** Levels of nesting that are read. Deeper ones are named in `skipped`. */
const DEEPEST = 100;

/** Stands for every list that is still empty: most resources have no forms and nothing skipped. */
const NONE: never[] = Object.freeze([]) as never[];

/** An object whose members belong to a resource, save those named in `except`. */
interface Source {
  readonly object: JsonObject;
  readonly pointer: string;
  readonly except: readonly string[];
}

/** One object or array of the document on its way to a resource: what the conventions read from and write to. */
export class Node {
  readonly reading: Reading;
  /** The value in the document: an object, or an array that is a resource of its own. */
  readonly value: JsonObject | readonly unknown[];
  /** Relative references resolve against it, here and in everything inside. */
  base: string;
  /** JSON Pointer of the value. */
  readonly pointer: string;
  readonly #place: Place;
  #self: Link | undefined;
  #title: string | undefined;
  #titleRank = Infinity;
  #fieldCount = 0;
  #listed: (() => readonly Field[]) | undefined;
  #forms: Form[] = NONE;
  #claimed: string[] | undefined;
  #sources: Source[] | undefined;
  /** Absent while there is nothing: most objects of a list have no links but their own address. */
  #findings: Findings | undefined;
  /** The one that the last link was an element of. */
  #list: LinkList | undefined;

  constructor(reading: Reading, value: JsonObject | readonly unknown[], place: Place, pointer: string) {
    this.reading = reading;
    this.value = value;
    this.base = place.base;
    this.pointer = pointer;
    this.#place = place;
  }

  get rel(): string {
    return this.#place.rel;
  }

  get format(): Convention | undefined {
    return this.#place.format;
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
  target(href: unknown, pointer: Pointer): LinkTarget | undefined {
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
   *
   * @param pointer of the address
   */
  link(convention: Convention, rel: string, href: unknown, pointer: Pointer, details?: LinkDetails): boolean {
    const { links } = this.reading;
    if (
      pointer instanceof ElementPointer &&
      details === undefined &&
      rel !== 'self' &&
      typeof href === 'string' &&
      links.isPlain(href, this.base)
    ) {
      this.#found().link(new ListLink(this.#listOf(convention, rel, pointer), href, pointer.position), links.hash);
      return true;
    }
    const target = this.target(href, pointer);
    if (target === undefined) {
      return false;
    }
    const place = { rel, target, convention, pointer: String(pointer) };
    const link: Link = details === undefined ? place : { ...place, ...described(details) };
    if (rel !== 'self') {
      this.#found().link(link, links.hash);
    } else if (this.#self === undefined) {
      this.#self = link;
    } else if (!isSame(this.#self, link)) {
      this.#found().link(link, links.hash);
    }
    return true;
  }

  /** Calls `read` with every item of a list, which may add links; see {@link Findings.each}. */
  each<Item>(items: readonly Item[], read: (item: Item, index: number) => void): void {
    this.#found().each(items, read);
  }

  /** True when {@link each} has left something. */
  get isLong(): boolean {
    return this.#findings?.isLong === true;
  }

  /** Reads what {@link each} has left, in steps. */
  *rest(): Generator<undefined, void> {
    if (this.#findings !== undefined) {
      yield* this.#findings.rest();
    }
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
    this.#listed = () => fieldsByPosition(items, isField);
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
      const list = new List(this.reading, this.#inside(rel, format), pointer);
      const found = this.#found();
      this.each(value, (item, index) => {
        found.embed(new ListItem(list, item, index));
      });
    } else if (isObject(value) || Array.isArray(value)) {
      this.#found().embed(this.reading.later(new Node(this.reading, value, this.#inside(rel, format), pointer)));
    } else {
      this.skip(pointer, 'Not a resource: neither an object nor an array.');
    }
  }

  /** Embeds one element of an array. */
  embedItem(rel: string, value: unknown, index: number, arrayPointer: string, format = this.format): void {
    if (this.#isTooDeep(`${arrayPointer}/${index}`)) {
      return;
    }
    if (isObject(value) || Array.isArray(value)) {
      this.#found().embed(new ListItem(new List(this.reading, this.#inside(rel, format), arrayPointer), value, index));
    } else {
      this.skip(`${arrayPointer}/${index}`, 'Not a resource: neither an object nor an array.');
    }
  }

  form(form: Form): void {
    if (this.#forms === NONE) {
      this.#forms = [];
    }
    this.#forms.push(form);
  }

  skip(pointer: Pointer, reason: string): void {
    this.#found().skip({ pointer: String(pointer), reason });
  }

  /** Takes a member for the resource's title unless a better one was offered. `rank` is that of the member's name. */
  offerTitle(value: unknown, rank: number): void {
    if (rank >= this.#titleRank) {
      return;
    }
    const words =
      typeof value === 'string'
        ? label(value)
        : typeof value === 'number'
          ? String(value)
          : value instanceof ExactNumber
            ? value.source
            : '';
    if (words !== '') {
      this.#title = words;
      this.#titleRank = rank;
    }
  }

  /** The resource, when everything in the value but what is embedded has been read. */
  finish(): Resource {
    return this.#listed === undefined ? this.#resource() : withFields(this.#resource(), this.#listed);
  }

  /** One literal for each shape: members that are added later take room of their own. */
  #resource(): Resource {
    const self = this.#self;
    const title = this.#title;
    const fields = this.#fieldCount === 0 ? NONE : this.reading.fields.slice(0, this.#fieldCount);
    const links = this.#findings?.links ?? NONE;
    const embedded = this.#findings?.embedded ?? NONE;
    const forms = this.#forms;
    const skipped = this.#findings?.skipped ?? NONE;
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

  #found(): Findings {
    return (this.#findings ??= new Findings(this.reading.links.addresses));
  }

  #listOf(convention: Convention, rel: string, { array, step }: ElementPointer): LinkList {
    const list = this.#list;
    return list?.array === array && list.step === step && list.rel === rel && list.convention === convention
      ? list
      : (this.#list = new LinkList(convention, rel, array, step, this.reading.links.origin ?? ''));
  }

  #note(value: unknown): void {
    if (typeof value === 'number') {
      this.reading.rounded ||= mayBeRounded(value);
    }
  }

  #isTooDeep(pointer: string): boolean {
    if (this.#place.depth < DEEPEST) {
      return false;
    }
    this.skip(pointer, `Nested deeper than ${DEEPEST} levels.`);
    return true;
  }

  #inside(rel: string, format: Convention | undefined): Place {
    return { rel, base: this.base, format, depth: this.#place.depth + 1 };
  }
}
