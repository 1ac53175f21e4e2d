import { sentence, type Sentence } from '../errors/sentence.ts';
import { MAX_NAME_LENGTH, MAX_PARTS } from '../limits.ts';
import { expandCompactIri, NO_TERMS, termsIn, type Terms } from './compactIri.ts';
import { EmbeddedResources, type DocumentContext, type Position, type Readable } from './embeddedResources.ts';
import {
  hasMembers,
  isObject,
  lastStep,
  member,
  pointerTo,
  type Entry,
  type JsonObject,
  mayBeRounded,
  type NumberTexts,
} from './json.ts';
import { label } from './label.ts';
import { addressOfTarget, checkedDetails, type LinkDetails, ResourceLinks } from './links.ts';
import type { Convention, Field, Form, Link, LinkTarget, Resource } from './resource.ts';
import { SkippedParts } from './skippedParts.ts';
import { NO_TITLE, titleRank } from './titleRank.ts';
import { isNonWebAddress } from './url.ts';

/** The members of an object. Those that are claimed have been understood: they are no fields, and no other reader gets them. */
export interface MemberSource {
  readonly members: readonly Entry[];
  readonly claimed: ReadonlySet<string>;
}

/** Collects what the conventions find in one object or array, and makes a resource of it. */
export class ResourceBuilder implements MemberSource {
  /** The value in the document: an object, or an array that is a resource of its own. */
  readonly value: Readable;
  readonly pointer: string;
  readonly rel: string;
  /** The format that was declared, or that a reader has recognised: it holds for everything inside too. */
  format: Convention | undefined;
  /** Relative references resolve against it, here and in everything inside. */
  base: string;
  /** Prefix of the paths in `_links`, here and in everything inside. */
  linksBase: string | undefined;
  /** The terms of the JSON-LD contexts that apply here and inside. */
  readonly terms: Terms;
  /** What kind of thing the resource is. */
  classes: readonly string[] = [];
  readonly claimed = new Set<string>();
  /** The members of the value, when it is an object. */
  readonly members: readonly Entry[];
  /** Members of other objects that count as members of the resource. */
  readonly included: MemberSource[] = [];
  readonly #context: DocumentContext;
  readonly #depth: number;
  readonly #fields: Field[] = [];
  readonly #links = new ResourceLinks();
  #linkCount = 0;
  readonly #embedded: EmbeddedResources;
  readonly #forms: Form[] = [];
  readonly #skipped = new SkippedParts();
  #title: string | undefined;
  #titleRank = NO_TITLE;

  constructor(context: DocumentContext, value: Readable, position: Position) {
    this.value = value;
    this.members = this.entries(value, position.pointer);
    this.pointer = position.pointer;
    this.rel = position.rel;
    this.format = position.format;
    this.base = position.base;
    this.linksBase = position.linksBase;
    this.terms = termsIn(value, position.terms);
    this.#context = context;
    this.#depth = position.depth;
    this.#embedded = new EmbeddedResources(context, this.#skipped);
  }

  /** Link to the resource itself, as soon as it has been found. */
  get self(): Link | undefined {
    return this.#links.self;
  }

  /** The members of an object, as many as are read; none of what is no object. */
  entries(value: unknown, pointer: string): readonly Entry[] {
    if (!isObject(value)) {
      return [];
    }
    const names = this.#skipped.first(Object.keys(value), pointer, (max, all) =>
      sentence('Only the first {0} of {1} members are listed.', max, all),
    );
    return names.map((name) => ({ name, value: value[name], pointer: pointerTo(pointer, name) }));
  }

  /** The object's own member, unless a stronger convention has claimed it. */
  unclaimed(name: string): unknown {
    return isObject(this.value) && !this.claimed.has(name) ? member(this.value, name) : undefined;
  }

  /** Members of this object count as members of the resource (JSON:API attributes, Siren properties). */
  include(object: JsonObject, pointer: string, except: readonly string[] = []): void {
    this.included.push({ members: this.entries(object, pointer), claimed: new Set(except) });
  }

  /** Calls `read` with each element of an array that is an object; the others are noted in `skipped` with the reason. */
  eachObject(
    array: readonly unknown[],
    pointer: string,
    reason: Sentence,
    read: (entry: Entry<JsonObject>) => void,
  ): void {
    for (const [index, value] of this.firstValues(array, pointer).entries()) {
      const at = pointerTo(pointer, index);
      if (isObject(value)) {
        read({ name: String(index), value, pointer: at });
      } else {
        this.skip(at, reason);
      }
    }
  }

  /** Where a reference leads; the reason goes to `skipped` when it leads nowhere. */
  target(href: unknown, pointer: string): LinkTarget | undefined {
    if (typeof href !== 'string') {
      this.skip(
        pointer,
        href === undefined ? sentence('The link has no address.') : sentence('The address of the link is not text.'),
      );
      return undefined;
    }
    const target = this.#context.links.target(this.expanded(href), this.base);
    if (!('kind' in target)) {
      this.skip(pointer, target);
      return undefined;
    }
    return target;
  }

  /** An address that is made of other texts of the document, as {@link LinkResolver.withMask} says. */
  withMask(address: string, ...sources: readonly string[]): string {
    return this.#context.links.withMask(address, ...sources);
  }

  /** The address that a compact IRI of JSON-LD stands for; any other address as it is. */
  expanded(href: string): string {
    if (this.terms === NO_TERMS) {
      return href;
    }
    const { address, sources } = expandCompactIri(href, this.terms);
    return this.withMask(address, ...sources);
  }

  /**
   * Adds a link, or notes why it cannot be used. The first `self` is the resource's own; the same relation to the same
   * target counts once, under the convention that came first. `null` says that there is no such link, and an empty
   * reference leads back to the document. An address for another program, such as `mailto:`, is a field.
   *
   * @param pointer of the address
   * @returns false when the link cannot be used
   */
  addLink(convention: Convention, rel: string, href: unknown, pointer: string, details?: LinkDetails): boolean {
    if (href === null || (href === '' && rel !== 'self')) {
      return true;
    }
    if (typeof href === 'string' && isNonWebAddress(this.expanded(href))) {
      this.addField(rel, href, pointer);
      return true;
    }
    const target = this.#hasAllLinks() ? undefined : this.target(href, pointer);
    if (target !== undefined) {
      this.#links.add({
        rel: relation(rel),
        target,
        convention,
        pointer,
        ...(details !== undefined && checkedDetails(details)),
      });
    }
    return target !== undefined;
  }

  /**
   * Adds a link that a member's value looks like.
   *
   * @param prefix what the address has to start with when it is on the origin of the response
   * @returns false when there is none, or the same link from elsewhere: then the member is a field
   */
  inferLink(rel: string, href: string, pointer: string, prefix = ''): boolean {
    if (this.#hasAllLinks()) {
      return false;
    }
    const target = this.#context.links.target(href, this.base);
    if (!('kind' in target) || (target.kind === 'internal' && !target.url.startsWith(prefix))) {
      return false;
    }
    // only parameters and a fragment can hold credentials, which a target's address has none of
    const text = /[?#;&]/.test(href) ? addressOfTarget(target) : href;
    return this.#links.add({ rel: relation(rel), target, convention: 'inferred', pointer, text });
  }

  /** Counts what may be a link. @returns true when no more are read */
  #hasAllLinks(): boolean {
    if (this.#linkCount === MAX_PARTS) {
      this.skip(this.pointer, sentence('Only the first {0} links are listed.', String(MAX_PARTS)));
    }
    this.#linkCount += 1;
    return this.#linkCount > MAX_PARTS;
  }

  /** As many elements of any array as are read; what is left out is noted. */
  firstValues<Value>(array: readonly Value[], pointer: string): readonly Value[] {
    return this.#skipped.first(array, pointer, (first, all) =>
      sentence('Only the first {0} of {1} values are listed.', first, all),
    );
  }

  /** Adds a value without members as a field: a scalar, or an empty array or object. */
  addField(name: string, value: unknown, pointer: string): void {
    if (typeof value === 'number' && mayBeRounded(value)) {
      this.#fields.push(longNumberField(name, value, pointer, this.#context.numbers));
      return;
    }
    const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const text = this.textOf(value, pointer) ?? (value === null ? 'null' : Array.isArray(value) ? '[]' : '{}');
    this.#fields.push({ name, value: isScalar ? value : null, text });
  }

  /** A scalar as text, numbers exactly as sent; undefined for null and what is no scalar. */
  textOf(value: unknown, pointer: string): string | undefined {
    if (typeof value === 'number') {
      return this.#context.numbers.of(value, pointer);
    }
    return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
  }

  /** Any value as part of this resource: scalars and empty values become fields, the rest embedded resources. */
  add(name: string, value: unknown, pointer: string): void {
    if (hasMembers(value)) {
      this.embed(name, value, pointer);
    } else {
      this.addField(name, value, pointer);
    }
  }

  /**
   * Embeds an object, or each object of an array. An array that holds anything else is a resource of its own, whose
   * fields are named by position. `null` says that there is none; any other value that cannot be a resource is noted in
   * `skipped`.
   *
   * @param format what the value is known to be; this resource's own format when absent
   */
  embed(rel: string, value: unknown, pointer: string, format = this.format): void {
    const position = this.#positionOf(rel, pointer, format);
    if (value === null) {
      this.addField(rel, null, pointer);
    } else if (Array.isArray(value) && value.every(isObject)) {
      this.#embedded.addEach(this.firstValues(value, pointer), position);
    } else {
      this.#embedded.add(value, position);
    }
  }

  /**
   * Embeds one element of an array.
   *
   * @param index of the element in the array
   * @param number of the element among those of its relation, from 0
   */
  embedItem(
    rel: string,
    value: unknown,
    index: number,
    arrayPointer: string,
    format = this.format,
    number = index,
  ): void {
    this.#embedded.add(value, this.#positionOf(rel, pointerTo(arrayPointer, index), format), number);
  }

  /** Embeds the resource that JSON:API linkage stands for, where the document includes it; otherwise the linkage itself. */
  embedLinkage(rel: string, linkage: unknown, pointer: string, index?: number): void {
    this.#embedded.addLinkage(linkage, this.#positionOf(rel, pointer, 'json-api'), index);
  }

  #positionOf(rel: string, pointer: string, format: Convention | undefined): Position {
    const { base, linksBase, terms } = this;
    return { pointer, rel: relation(rel), base, linksBase, terms, format, depth: this.#depth + 1 };
  }

  addForm(form: Form): void {
    this.#forms.push(form);
  }

  /** Notes what looked like a link or a resource and could not be used. */
  skip(pointer: string, reason: Sentence): void {
    this.#skipped.add(pointer, reason);
  }

  /** Takes a member for the resource's title if its name says so and no better one was offered. */
  offerTitle(name: string, value: unknown, pointer: string): void {
    if (name === 'metadata' && isObject(value)) {
      this.offerTitle('metadata.name', member(value, 'name'), pointerTo(pointer, 'name'));
      return;
    }
    const rank = titleRank(name);
    if (rank >= this.#titleRank || typeof value === 'boolean') {
      return;
    }
    const title = label(this.textOf(value, pointer) ?? '');
    if (title !== '') {
      this.#title = title;
      this.#titleRank = rank;
    }
  }

  /** The resource, once everything that belongs to it has been found. */
  build(): Resource {
    const { elsewhere, back } = this.#links.split(this.pointer === '' ? this.#context.links.base : undefined);
    const selfRelations = new Set<string>();
    for (const { rel, pointer, text } of back) {
      if (text !== undefined) {
        this.addField(lastStep(pointer), text, pointer);
      } else if (rel !== 'self') {
        selfRelations.add(rel);
      }
    }
    const resource: { -readonly [Key in keyof Resource]: Resource[Key] } = {
      fields: this.#fields,
      links: elsewhere,
      embedded: this.#embedded.list,
      forms: this.#forms,
      skipped: this.#skipped.list(),
      pointer: this.pointer,
    };
    if (this.self !== undefined) {
      resource.self = this.self;
    }
    if (selfRelations.size > 0) {
      resource.selfRelations = [...selfRelations].slice(0, 10);
    }
    if (this.#title !== undefined) {
      resource.title = this.#title;
    }
    if (Array.isArray(this.value)) {
      resource.isArray = true;
    }
    if (this.classes.length > 0) {
      resource.classes = this.classes;
    }
    return resource;
  }
}

function relation(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH);
}

/** A field whose text is looked up in the document when it is shown: a list may have very many of them. */
function longNumberField(name: string, value: number, pointer: string, numbers: NumberTexts): Field {
  return {
    name,
    value,
    get text() {
      return numbers.of(value, pointer);
    },
  };
}

/** How one hypermedia format is read out of an object. */
export interface ConventionReader {
  readonly convention: Convention;
  /** Media types that declare the format, without parameters. */
  readonly mediaTypes: readonly string[];
  /**
   * Takes links, embedded resources and forms out of the object, and claims the members that it understood. The builder's
   * `format` is set when the document declared this very format; otherwise the structure has to be convincing.
   */
  read(builder: ResourceBuilder, object: JsonObject): void;
}
