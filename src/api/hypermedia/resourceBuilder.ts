import { sentence, type Sentence } from '../errors/sentence.ts';
import { MAX_LINKAGE_DEPTH, MAX_PARTS, MAX_TEXT_LENGTH } from '../limits.ts';
import { expandCompactIri, termsIn, type Terms } from './compactIri.ts';
import {
  hasMembers,
  isObject,
  isWholePointer,
  lastStep,
  mayBeRounded,
  member,
  pointerTo,
  type Entry,
  type JsonObject,
  type NumberTexts,
} from './json.ts';
import { label } from './label.ts';
import { addressOfTarget, checkedDetails, type LinkDetails, type LinkResolver } from './links.ts';
import type { Convention, Embedded, Field, Form, Link, LinkTarget, Resource, Skipped } from './resource.ts';
import { isNonWebAddress } from './url.ts';

/** A value that can be a resource. */
export type Readable = JsonObject | readonly unknown[];

/** Shared by the resources of one document. */
export interface DocumentContext {
  readonly links: LinkResolver;
  readonly numbers: NumberTexts;
  /** Finds the resource that JSON:API linkage stands for, where the document includes it. */
  readonly included: (linkage: unknown) => Entry<JsonObject> | undefined;
  /** Included resources that were read, by level and place: many others may lead to one. */
  readonly linked: Map<string, Resource>;
  /** Reads a value and everything that belongs to its resource; embedded resources are read when they're looked at. */
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
  /** What stands in front of the paths of HAL's links; undefined for most. */
  readonly linksBase?: string | undefined;
  /** The terms of the JSON-LD contexts that apply. */
  readonly terms: Terms;
  /** The format that the document, or the part above, declared. */
  readonly format: Convention | undefined;
  readonly depth: number;
}

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
  /** What stands in front of the paths of HAL's links, here and in everything inside. */
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
  readonly forms: Form[] = [];
  /** Link to the resource itself, as soon as it has been found. */
  self: Link | undefined;
  readonly #context: DocumentContext;
  readonly #depth: number;
  readonly #fields: Field[] = [];
  /** By relation and address. */
  readonly #links = new Map<string, Link>();
  readonly #embedded: Embedded[] = [];
  readonly #skipped: Skipped[] = [];
  #title: string | undefined;
  #titleRank = TITLE_MEMBERS.length;

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
  }

  /** The members of an object, as many as are read; none of what is no object. */
  entries(value: unknown, pointer: string): readonly Entry[] {
    if (!isObject(value)) {
      return [];
    }
    const names = this.firstValues(Object.keys(value), pointer);
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

  /**
   * Calls `read` with each object of the array that is the member `name` of an object at `pointer`. What is none is noted in
   * `skipped`: one bad element does not spoil the others.
   */
  eachItem(object: JsonObject, name: string, pointer: string, read: (item: Entry<JsonObject>) => void): void {
    const array = member(object, name) ?? [];
    const at = pointerTo(pointer, name);
    if (!Array.isArray(array)) {
      this.skip(at, sentence('{0} is not an array.', name));
      return;
    }
    for (const [index, value] of this.firstValues<unknown>(array, at).entries()) {
      if (isObject(value)) {
        read({ name: String(index), value, pointer: pointerTo(at, index) });
      } else {
        this.skip(pointerTo(at, index), sentence('The element of {0} is not an object.', name));
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

  /** The address that a compact IRI of JSON-LD stands for; any other address as it is. */
  expanded(href: string): string {
    const [start, rest = ''] = expandCompactIri(href, this.terms) ?? [];
    return start === undefined ? href : this.withMask(start + rest, href, start);
  }

  /** An address that is made of other texts of the document, as {@link LinkResolver.withMask} describes it. */
  withMask(address: string, ...sources: readonly string[]): string {
    return this.#context.links.withMask(address, ...sources);
  }

  /**
   * Adds a link, or notes why it cannot be used. The first `self` is the resource's own; the same relation to the same
   * target counts once, as the convention reads it that came first. `null` means that there's no such link, and an empty
   * reference leads back to the document. An address for another program, such as `mailto:`, is a field.
   *
   * @param pointer of the address
   * @returns false when the link cannot be used
   */
  addLink(rel: string, href: unknown, pointer: string, details?: LinkDetails): boolean {
    if (href === null || (href === '' && rel !== 'self')) {
      return true;
    }
    if (typeof href === 'string' && isNonWebAddress(this.expanded(href))) {
      this.addField(rel, href, pointer);
      return true;
    }
    const target = this.target(href, pointer);
    if (target !== undefined) {
      this.#add({ rel, target, pointer, ...(details && checkedDetails(details)) });
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
    const target = this.#context.links.target(href, this.base);
    if (!('kind' in target) || (target.kind === 'internal' && !target.url.startsWith(prefix))) {
      return false;
    }
    // only parameters and a fragment can hold credentials, which a target's address has none of
    const text = /[?#;&]/.test(href) ? addressOfTarget(target) : href;
    return this.#add({ rel, target, pointer, text, inferred: true });
  }

  /** @returns false when there is a link of this relation to this address */
  #add(found: Link): boolean {
    const link = { ...found, rel: found.rel.slice(0, MAX_TEXT_LENGTH) };
    if (link.rel === 'self' && this.self === undefined) {
      this.self = link;
      return true;
    }
    const key = keyOfLink(link);
    if (this.#links.has(key) || (this.self !== undefined && keyOfLink(this.self) === key)) {
      return false;
    }
    this.#links.set(key, link);
    return true;
  }

  /** The first {@link MAX_PARTS} of the values of an object or array; notes how many it leaves out. */
  firstValues<Value>(values: readonly Value[], pointer: string): readonly Value[] {
    if (values.length <= MAX_PARTS) {
      return values;
    }
    const count = String(values.length);
    this.skip(pointer, sentence('Only the first {0} of {1} values are listed.', String(MAX_PARTS), count));
    return values.slice(0, MAX_PARTS);
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
    if (value === null) {
      this.addField(rel, null, pointer);
    } else if (Array.isArray(value) && value.every(isObject)) {
      for (const [index, item] of this.firstValues(value, pointer).entries()) {
        this.embedItem(rel, item, pointerTo(pointer, index), index, format);
      }
    } else {
      this.embedItem(rel, value, pointer, undefined, format);
    }
  }

  /** Embeds one value, or notes why it isn't a resource. @param index among the elements of its relation, when it is one of several */
  embedItem(rel: string, value: unknown, pointer: string, index: number | undefined, format = this.format): void {
    if (!isWholePointer(pointer)) {
      // VS Code fails at some thousands of levels
      this.skip(pointer, sentence('Nested too deeply.'));
    } else if (isObject(value) || Array.isArray(value)) {
      this.#embedded.push(lazily(rel, index, this.#context.read, value, this.#inside(rel, pointer, format)));
    } else {
      this.skip(pointer, sentence('Not a resource: neither an object nor an array.'));
    }
  }

  /** Embeds the resource that JSON:API linkage stands for, where the document includes it; otherwise the linkage itself. */
  embedLinkage(rel: string, linkage: unknown, pointer: string, index?: number): void {
    const { included, linked, read } = this.#context;
    const found = this.#depth < MAX_LINKAGE_DEPTH ? included(linkage) : undefined;
    if (found === undefined) {
      this.embedItem(rel, linkage, pointer, index, 'json-api');
      return;
    }
    const key = `${this.#depth} ${found.pointer}`;
    const readOnce: DocumentContext['read'] = (value, position) => {
      const resource = linked.get(key) ?? read(value, position);
      linked.set(key, resource);
      return resource;
    };
    this.#embedded.push(lazily(rel, index, readOnce, found.value, this.#inside(rel, found.pointer, 'json-api')));
  }

  #inside(rel: string, pointer: string, format: Convention | undefined): Position {
    const { base, linksBase, terms } = this;
    return { pointer, rel: rel.slice(0, MAX_TEXT_LENGTH), base, linksBase, terms, format, depth: this.#depth + 1 };
  }

  /** Notes what looked like a link or a resource and could not be used. */
  skip(pointer: string, reason: Sentence): void {
    if (this.#skipped.length < MAX_PARTS) {
      this.#skipped.push({ pointer, reason });
    }
  }

  /** Takes a member for the resource's title if its name says so and no better one was offered. */
  offerTitle(name: string, value: unknown, pointer: string): void {
    if (name === 'metadata' && isObject(value)) {
      this.offerTitle('metadata.name', member(value, 'name'), pointerTo(pointer, 'name'));
      return;
    }
    const rank = TITLE_MEMBERS.indexOf(/^[A-Z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name);
    if (rank < 0 || rank >= this.#titleRank || typeof value === 'boolean') {
      return;
    }
    const title = label(this.textOf(value, pointer) ?? '');
    if (title !== '') {
      this.#title = title;
      this.#titleRank = rank;
    }
  }

  /**
   * The resource, once everything that belongs to it has been found. A link that leads back to it, such as the `first` of a list
   * that has one page, is none of its links. A request other than GET doesn't lead back: it changes something.
   */
  build(): Resource {
    const own = [
      this.self && addressOfTarget(this.self.target),
      this.pointer === '' ? this.#context.links.base : undefined,
    ];
    const links: Link[] = [];
    const selfRelations = new Set<string>();
    for (const link of this.#links.values()) {
      const { rel, target, pointer, text, method = 'GET' } = link;
      const isBack = own.includes(addressOfTarget(target).replace(/#$/, '')) && (method === 'GET' || method === 'HEAD');
      if (!isBack) {
        links.push(link);
      } else if (text !== undefined) {
        this.addField(lastStep(pointer), text, pointer);
      } else if (rel !== 'self') {
        selfRelations.add(rel);
      }
    }
    return {
      ...(this.self && { self: this.self }),
      ...(selfRelations.size > 0 && { selfRelations: [...selfRelations].slice(0, 10) }),
      ...(this.#title !== undefined && { title: this.#title }),
      ...(this.classes.length > 0 && { classes: this.classes }),
      ...(Array.isArray(this.value) && { isArray: true }),
      fields: this.#fields,
      links,
      embedded: this.#embedded,
      forms: this.forms,
      skipped: this.#skipped,
      pointer: this.pointer,
    };
  }
}

/** Members by which users recognize a thing, best first. `display` is SCIM's and FHIR's, `metadata.name` Kubernetes'. */
const TITLE_MEMBERS: readonly string[] = (
  'title name username login displayName display_name display fullName full_name userName label subject key slug email ' +
  'filename ref metadata.name id'
).split(' ');

function keyOfLink({ rel, target }: Link): string {
  return `${rel}\n${addressOfTarget(target)}`;
}

/** A resource inside another one, read when it is first looked at: users open few elements of a long list. */
function lazily(
  rel: string,
  index: number | undefined,
  read: DocumentContext['read'],
  value: Readable,
  position: Position,
): Embedded {
  let resource: Resource | undefined;
  return {
    rel,
    ...(index !== undefined && { index }),
    get resource() {
      return (resource ??= read(value, position));
    },
  };
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
