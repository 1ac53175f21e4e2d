import { sentence, type Sentence } from '../../errors/index.ts';
import { MAX_LINKAGE_DEPTH, MAX_PARTS, MAX_TEXT_LENGTH } from '../limits.ts';
import { expandCompactIri, termsIn, type ContextTerms } from './compactIri.ts';
import {
  hasMembers,
  isObject,
  isWholePointer,
  lastStep,
  mayBeRounded,
  member,
  pointerTo,
  type JsonEntry,
  type JsonObject,
  type NumberTexts,
} from './json.ts';
import { label } from './label.ts';
import { getTargetAddress, checkedDetails, type LinkDetails, type LinkResolver } from './links.ts';
import type {
  Convention,
  EmbeddedResource,
  ResourceField,
  ResourceForm,
  Link,
  LinkTarget,
  Resource,
  SkippedValue,
} from './resource.ts';
import { isNonWebAddress } from './url.ts';

/** Value that can be a resource. */
export type ReadableValue = JsonObject | readonly unknown[];

/** Data shared by all resources of one document. */
export interface DocumentContext {
  readonly links: LinkResolver;
  readonly numbers: NumberTexts;
  /** Returns the resource that JSON:API linkage refers to, if the document includes it. */
  readonly included: (linkage: unknown) => JsonEntry<JsonObject> | undefined;
  /** Included resources that were read, keyed by level and pointer, because many resources can link to the same one. */
  readonly linked: Map<string, Resource>;
  /** Reads a value as a resource. Embedded resources are read on first access. */
  readonly read: (value: ReadableValue, position: DocumentPosition) => Resource;
}

/** Position and context of a value in its document. */
export interface DocumentPosition {
  /** JSON Pointer of the value. */
  readonly pointer: string;
  /** Relation to the parent resource. Empty at the root. */
  readonly rel: string;
  /** Base URL of relative references. */
  readonly base: string;
  /** Prefix for the paths of HAL links. Usually undefined. */
  readonly linksBase?: string | undefined;
  /** Terms of the JSON-LD contexts that apply. */
  readonly terms: ContextTerms;
  /** Format declared by the document or by the enclosing part. */
  readonly format: Convention | undefined;
  readonly depth: number;
}

/** Members of an object. Once a reader has claimed a member, the member isn't a field, and other readers skip it. */
export interface MemberSource {
  readonly members: readonly JsonEntry[];
  readonly claimed: ReadonlySet<string>;
}

/** Collects the conventions' findings for one object or array, and builds a resource from them. */
export class ResourceBuilder implements MemberSource {
  /** The value in the document: an object, or an array that is a separate resource. */
  readonly value: ReadableValue;
  readonly pointer: string;
  readonly rel: string;
  /** Format that was declared, or recognized by a reader. It also applies to everything inside. */
  format: Convention | undefined;
  /** Base URL of relative references, here and in everything inside. */
  base: string;
  /** Prefix for the paths of HAL links, here and in everything inside. */
  linksBase: string | undefined;
  /** Terms of the JSON-LD contexts that apply here and to everything inside. */
  readonly terms: ContextTerms;
  /** Kinds of the resource. */
  classes: readonly string[] = [];
  readonly claimed = new Set<string>();
  /** Members of the value, if it's an object. */
  readonly members: readonly JsonEntry[];
  /** Members of other objects that are treated as members of the resource. */
  readonly included: MemberSource[] = [];
  readonly forms: ResourceForm[] = [];
  /** Link to the resource itself, once found. */
  self: Link | undefined;
  readonly #context: DocumentContext;
  readonly #depth: number;
  readonly #fields: ResourceField[] = [];
  /** Links, keyed by relation and address. */
  readonly #links = new Map<string, Link>();
  readonly #embedded: EmbeddedResource[] = [];
  readonly #skipped: SkippedValue[] = [];
  #title: string | undefined;
  #titleRank = TITLE_MEMBERS.length;

  constructor(context: DocumentContext, value: ReadableValue, position: DocumentPosition) {
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

  /** Returns the members of an object, up to the limit. Returns an empty array for other values. */
  entries(value: unknown, pointer: string): readonly JsonEntry[] {
    if (!isObject(value)) {
      return [];
    }
    const names = this.firstValues(Object.keys(value), pointer);
    return names.map((name) => ({ name, value: value[name], pointer: pointerTo(pointer, name) }));
  }

  /** Returns the object's own member, unless a convention of higher precedence has claimed it. */
  getUnclaimed(name: string): unknown {
    return isObject(this.value) && !this.claimed.has(name) ? member(this.value, name) : undefined;
  }

  /**
   * Adds the members of an object to those of the resource (JSON:API attributes, Siren properties).
   *
   * @param except names of members that were already handled.
   */
  include(object: JsonObject, pointer: string, except: readonly string[] = []): void {
    this.included.push({ members: this.entries(object, pointer), claimed: new Set(except) });
  }

  /**
   * Calls `read` with each object in the array member `name` of an object at `pointer`. Notes elements that aren't
   * objects in `skipped`.
   */
  eachItem(object: JsonObject, name: string, pointer: string, read: (item: JsonEntry<JsonObject>) => void): void {
    const array = member(object, name) ?? [];
    const at = pointerTo(pointer, name);
    if (!Array.isArray(array)) {
      this.skip(at, sentence('{0} isn’t an array.', name));
      return;
    }
    for (const [index, value] of this.firstValues<unknown>(array, at).entries()) {
      if (isObject(value)) {
        read({ name: String(index), value, pointer: pointerTo(at, index) });
      } else {
        this.skip(pointerTo(at, index), sentence('An element of {0} isn’t an object.', name));
      }
    }
  }

  /** Returns the target of a reference. If it has none, notes the reason in `skipped`. */
  target(href: unknown, pointer: string): LinkTarget | undefined {
    if (typeof href !== 'string') {
      this.skip(
        pointer,
        href === undefined ? sentence('The link has no address.') : sentence('The link’s address isn’t text.'),
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

  /** Expands a compact IRI of JSON-LD. Returns any other address unchanged. */
  expanded(href: string): string {
    const [start, rest = ''] = expandCompactIri(href, this.terms) ?? [];
    return start === undefined ? href : this.withMask(start + rest, href, start);
  }

  /** Marks an address that's composed of strings of the document (see {@link LinkResolver.withMask}). */
  withMask(address: string, ...sources: readonly string[]): string {
    return this.#context.links.withMask(address, ...sources);
  }

  /**
   * Adds a link. If the link can't be used, notes the reason in `skipped`. The first `self` is the resource's own link.
   * If several conventions find the same relation to the same target, only the first link is kept. `null` means that
   * the link doesn't exist, and an empty reference leads back to the document. An address for another program, such as
   * `mailto:`, becomes a field.
   *
   * @param pointer JSON Pointer of the address.
   * @returns false when the link can't be used.
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
   * Adds a link for a value that looks like one.
   *
   * @param prefix required start of an address on the origin of the response.
   * @returns false when the value isn't a link, or repeats an existing one. In that case, the member becomes a field.
   */
  inferLink(rel: string, href: string, pointer: string, prefix = ''): boolean {
    const target = this.#context.links.target(href, this.base);
    if (!('kind' in target) || (target.kind === 'internal' && !target.url.startsWith(prefix))) {
      return false;
    }
    // Only parameters and fragments can contain credentials. They're already removed from the target's address.
    const text = /[?#;&]/.test(href) ? getTargetAddress(target) : href;
    return this.#add({ rel, target, pointer, text, inferred: true });
  }

  /** Adds a link. @returns false when a link with this relation and address already exists. */
  #add(found: Link): boolean {
    const link = { ...found, rel: found.rel.slice(0, MAX_TEXT_LENGTH) };
    if (link.rel === 'self' && this.self === undefined) {
      this.self = link;
      return true;
    }
    const key = getLinkKey(link);
    if (this.#links.has(key) || (this.self !== undefined && getLinkKey(this.self) === key)) {
      return false;
    }
    this.#links.set(key, link);
    return true;
  }

  /** Returns the first {@link MAX_PARTS} values of an object or array. If there are more, notes that in `skipped`. */
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
    const text = this.toText(value, pointer) ?? (value === null ? 'null' : Array.isArray(value) ? '[]' : '{}');
    this.#fields.push({ name, value: isScalar ? value : null, text });
  }

  /**
   * Returns a scalar as text, with numbers exactly as sent. Returns undefined for null and values that aren't scalars.
   */
  toText(value: unknown, pointer: string): string | undefined {
    if (typeof value === 'number') {
      return this.#context.numbers.of(value, pointer);
    }
    return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
  }

  /**
   * Adds a value to this resource. A scalar or an empty value becomes a field. Any other value becomes an embedded
   * resource.
   */
  add(name: string, value: unknown, pointer: string): void {
    if (hasMembers(value)) {
      this.embed(name, value, pointer);
    } else {
      this.addField(name, value, pointer);
    }
  }

  /**
   * Embeds an object, or each object of an array. An array with other elements becomes one resource, whose fields are
   * named by position. `null` becomes a field. Any other value that can't be a resource is noted in `skipped`.
   *
   * @param format known format of the value. Defaults to this resource's format.
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

  /**
   * Embeds one value. If it isn't a resource, notes the reason in `skipped`.
   *
   * @param index position among several elements of the relation.
   */
  embedItem(rel: string, value: unknown, pointer: string, index: number | undefined, format = this.format): void {
    if (!isWholePointer(pointer)) {
      // VS Code can't show a tree with several thousand levels.
      this.skip(pointer, sentence('Nested too deeply.'));
    } else if (isObject(value) || Array.isArray(value)) {
      this.#embedded.push(lazily(rel, index, this.#context.read, value, this.#inside(rel, pointer, format)));
    } else {
      this.skip(pointer, sentence('Not a resource: neither an object nor an array.'));
    }
  }

  /**
   * Embeds the resource that JSON:API linkage refers to, if the document includes it. Otherwise embeds the linkage
   * itself.
   */
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

  #inside(rel: string, pointer: string, format: Convention | undefined): DocumentPosition {
    const { base, linksBase, terms } = this;
    return { pointer, rel: rel.slice(0, MAX_TEXT_LENGTH), base, linksBase, terms, format, depth: this.#depth + 1 };
  }

  /** Notes a part that looked like a link or a resource but can't be used. */
  skip(pointer: string, reason: Sentence): void {
    if (this.#skipped.length < MAX_PARTS) {
      this.#skipped.push({ pointer, reason });
    }
  }

  /** Uses a member's value as the resource's title if its name suggests a title and no better one was found. */
  offerTitle(name: string, value: unknown, pointer: string): void {
    if (name === 'metadata' && isObject(value)) {
      this.offerTitle('metadata.name', member(value, 'name'), pointerTo(pointer, 'name'));
      return;
    }
    const rank = TITLE_MEMBERS.indexOf(/^[A-Z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name);
    if (rank < 0 || rank >= this.#titleRank || typeof value === 'boolean') {
      return;
    }
    const title = label(this.toText(value, pointer) ?? '');
    if (title !== '') {
      this.#title = title;
      this.#titleRank = rank;
    }
  }

  /**
   * Builds the resource from everything that was added. Links that lead back to it, such as the `first` of a list with
   * one page, are omitted. Such links are kept if their method isn't GET or HEAD, because their requests change
   * something.
   */
  build(): Resource {
    const own = [
      this.self && getTargetAddress(this.self.target),
      this.pointer === '' ? this.#context.links.base : undefined,
    ];
    const links: Link[] = [];
    const selfRelations = new Set<string>();
    for (const link of this.#links.values()) {
      const { rel, target, pointer, text, method = 'GET' } = link;
      const isBack =
        own.includes(getTargetAddress(target).replace(/#$/, '')) && (method === 'GET' || method === 'HEAD');
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

/**
 * Members that users recognize an object by, best first. `display` is from SCIM and FHIR, `metadata.name` from
 * Kubernetes.
 */
const TITLE_MEMBERS: readonly string[] = (
  'title name username login displayName display_name display fullName full_name userName label subject key slug email ' +
  'filename ref metadata.name id'
).split(' ');

function getLinkKey({ rel, target }: Link): string {
  return `${rel}\n${getTargetAddress(target)}`;
}

/** Creates an embedded resource that is read on first access, because users open only a few elements of a long list. */
function lazily(
  rel: string,
  index: number | undefined,
  read: DocumentContext['read'],
  value: ReadableValue,
  position: DocumentPosition,
): EmbeddedResource {
  let resource: Resource | undefined;
  return {
    rel,
    ...(index !== undefined && { index }),
    get resource() {
      return (resource ??= read(value, position));
    },
  };
}

/**
 * Creates a field for a long number. Its text is looked up in the document only when it's shown, because a list can
 * contain many.
 */
function longNumberField(name: string, value: number, pointer: string, numbers: NumberTexts): ResourceField {
  return {
    name,
    value,
    get text() {
      return numbers.of(value, pointer);
    },
  };
}

/** Reader for one hypermedia format. */
export interface ConventionReader {
  readonly convention: Convention;
  /** Media types that declare the format, without parameters. */
  readonly mediaTypes: readonly string[];
  /**
   * Reads links, embedded resources, and forms from an object, and claims the handled members. Unless the builder's
   * `format` is this format, reads only objects whose structure clearly identifies it.
   */
  read(builder: ResourceBuilder, object: JsonObject): void;
}
