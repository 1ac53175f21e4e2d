import { setImmediate } from 'node:timers/promises';

import { declaredFormat, readFormats } from './formats.ts';
import type { Inference } from './inferred.ts';
import { isObject, member, parseExactly } from './json.ts';
import type { JsonObject } from './json.ts';
import { readLinkHeader } from './linkHeader.ts';
import { LinkResolver } from './links.ts';
import { Node } from './node.ts';
import type { Place } from './place.ts';
import { isPathMap, readPlainAddress, readPlainList } from './plain.ts';
import { ElementPointer, valueAt } from './pointer.ts';
import { Reading } from './reading.ts';
import type { Shape } from './shape.ts';
import type { Resource } from './resource.ts';
import type { Resolve } from './url.ts';

/** A JSON response, as far as a reader needs it. */
export interface ReadInput {
  /** The parsed body: any JSON value. */
  readonly value: unknown;
  /** The body as sent; without it, big numbers are shown rounded. */
  readonly text?: string;
  /** Absolute URL that answered, after redirects: the base of relative references (RFC 3986 §5.1.3). */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Media type without parameters, lower case. */
  readonly mediaType: string;
  /** Resolves references; the URL standard's rules when absent. */
  readonly resolve?: Resolve;
}

/** Milliseconds. */
const LONGEST_SLICE = 5;
const PARTS_IN_A_STEP = 256;

/** Items of an array whose fields are made at once. */
const SHORT = 100;

/**
 * Reads a JSON document as a resource: fields, links, embedded resources and forms, whichever conventions it uses.
 * Takes time linear in the size of the document and never throws, whatever the JSON.
 *
 * An object's own address is its `self`, not one of its `links`. What looked like a link and could not be used is in
 * `skipped` of the resource it was found in.
 */
export function readResource(input: ReadInput): Resource {
  return atOnce(new Reader(input).steps());
}

/** {@link readResource} for long documents: lets everything else in the process run every few milliseconds. */
export async function readResourceInSlices(input: ReadInput): Promise<Resource> {
  const reading = new Reader(input).steps();
  // Parsing the document was a slice of its own.
  await setImmediate();
  for (let start = performance.now(); ;) {
    const step = reading.next();
    if (step.done === true) {
      return step.value;
    }
    if (performance.now() - start > LONGEST_SLICE) {
      await setImmediate();
      start = performance.now();
    }
  }
}

/** A document on its way to a resource, and for as long as somebody may look at the elements of its arrays. */
class Reader {
  readonly #input: ReadInput;
  readonly #reading: Reading;
  /** The document with its numbers as they were sent, once somebody needs it. */
  #exact: { readonly value: unknown } | undefined;

  constructor(input: ReadInput) {
    this.#input = input;
    this.#reading = new Reading(new LinkResolver(input.url, input.resolve), (value, place, pointer) =>
      this.#element(value, place, pointer),
    );
  }

  *steps(): Generator<undefined, Resource> {
    const { value, headers, mediaType } = this.#input;
    const place = { rel: '', base: this.#reading.links.base, format: declaredFormat(mediaType, headers), depth: 0 };
    const resource = yield* this.#rest(this.#root(value, place));
    const exact = this.#exactly('');
    return exact === undefined ? resource : yield* this.#rest(this.#root(exact, place));
  }

  #root(value: unknown, place: Place): Node {
    const root = new Node(this.#reading, isObject(value) || Array.isArray(value) ? value : { value }, place, '');
    const { link } = this.#input.headers;
    if (link !== undefined) {
      readLinkHeader(root, link);
    }
    readNode(root);
    return root;
  }

  #element(value: JsonObject | readonly unknown[], place: Place, pointer: string): Resource {
    const resource = this.#read(value, place, pointer);
    const exact = this.#exactly(pointer);
    return isObject(exact) || Array.isArray(exact) ? this.#read(exact, place, pointer) : resource;
  }

  #read(value: JsonObject | readonly unknown[], place: Place, pointer: string): Resource {
    const node = new Node(this.#reading, value, place, pointer);
    readNode(node);
    // most elements have no parts, and are finished without steps
    return node.isLong || this.#reading.hasParts ? atOnce(this.#rest(node)) : node.finish();
  }

  /** What is left to do for a node that has been read: the rest of its long lists, and its parts. */
  *#rest(root: Node): Generator<undefined, Resource> {
    yield* root.rest();
    const resource = root.finish();
    let parts = 0;
    for (let part = this.#reading.next(); part !== undefined; part = this.#reading.next()) {
      readNode(part.node);
      if (part.node.isLong) {
        yield* part.node.rest();
      }
      part.embedded.resource = part.node.finish();
      parts += 1;
      if (parts % PARTS_IN_A_STEP === 0) {
        yield;
      }
    }
    return resource;
  }

  /** What was read last, with its numbers as they were sent; undefined when it has no numbers that were rounded. */
  #exactly(pointer: string): unknown {
    const { text } = this.#input;
    if (!this.#reading.rounded || text === undefined) {
      return undefined;
    }
    this.#reading.rounded = false;
    this.#exact ??= { value: parseExactly(text) };
    return valueAt(this.#exact.value, pointer);
  }
}

function atOnce(steps: Generator<undefined, Resource>): Resource {
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}

function readNode(node: Node): void {
  const { value } = node;
  const { shapes, inference } = node.reading;
  if (!isObject(value)) {
    readArray(node, value, inference);
    return;
  }
  const shape = shapes.of(value, node.rel);
  readFormats(node, value, shape.hints);
  readMembers(node, value, shape, node.pointer, inference, node.claimed);
  for (const { object, pointer, except } of node.included) {
    readMembers(node, object, shapes.of(object, `${node.rel} included`), pointer, inference, except);
  }
}

function readMembers(
  node: Node,
  object: JsonObject,
  { members }: Shape,
  pointer: string,
  inference: Inference,
  except: readonly string[],
): void {
  const pathMap = isPathMap(object, members, inference);
  // {"id": 2, "link": "/api/v1/apps", "all": […]}: a list's number names nothing
  const isList = Array.isArray(member(object, 'all'));
  for (const known of members) {
    const { name } = known;
    const value = object[name];
    if (known.titleRank !== Infinity && !(isList && name === 'id')) {
      node.offerTitle(value, known.titleRank);
    }
    if (except.length > 0 && except.includes(name)) {
      continue;
    }
    if (typeof value === 'string') {
      if (pathMap) {
        node.link('plain', name, value, pointer + known.step);
      } else if (!readPlainAddress(node, known, value, pointer)) {
        inference.read(node, name, value, pointer + known.step);
        node.field(name, value);
      }
    } else if (typeof value !== 'object' || value === null) {
      node.field(name, value);
    } else if (!readPlainList(node, name, value, pointer + known.step)) {
      node.add(name, value, pointer + known.step);
    }
  }
}

/** The elements of an array that has a resource of its own: fields by position, links under the array's name. */
function readArray(node: Node, array: readonly unknown[], inference: Inference): void {
  const rel = node.rel === '' ? 'item' : node.rel;
  const isLong = array.length > SHORT;
  node.each(array, (item, index) => {
    if (!isField(item)) {
      node.embedItem(rel, item, index, node.pointer);
      return;
    }
    if (typeof item === 'string') {
      inference.read(node, rel, item, new ElementPointer(node.pointer, index));
    }
    if (!isLong) {
      node.field(String(index), item);
    }
  });
  if (isLong) {
    node.fieldsOf(array, isField);
  }
}

/** True for what has no members, like an empty array. */
function isField(item: unknown): boolean {
  return !isObject(item) && !(Array.isArray(item) && item.length > 0);
}
