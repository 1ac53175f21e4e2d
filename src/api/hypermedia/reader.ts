import { setImmediate } from 'node:timers/promises';

import { declaredFormat, readFormats } from './formats.ts';
import { Inference } from './inferred.ts';
import { isObject, member, parseExactly } from './json.ts';
import type { JsonObject } from './json.ts';
import { readLinkHeader } from './linkHeader.ts';
import { LinkResolver } from './links.ts';
import { Node } from './node.ts';
import { isPathMap, readPlainAddress, readPlainList } from './plain.ts';
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
const NODES_IN_A_STEP = 256;

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
  const reading = steps(input);
  for (;;) {
    const step = reading.next();
    if (step.done === true) {
      return step.value;
    }
  }
}

/** {@link readResource} for long documents: lets everything else in the process run every few milliseconds. */
export async function readResourceInSlices(input: ReadInput): Promise<Resource> {
  const reading = steps(input);
  // Parsing the document was a slice of its own.
  await setImmediate();
  for (let start = performance.now(); ; ) {
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

function* steps(input: ReadInput): Generator<undefined, Resource> {
  const first = yield* read(input, input.value);
  if (!first.rounded || input.text === undefined) {
    return first.resource;
  }
  const exact = parseExactly(input.text);
  return exact === undefined ? first.resource : (yield* read(input, exact)).resource;
}

function* read({ url, resolve, headers, mediaType }: ReadInput, value: unknown): Generator<undefined, { readonly resource: Resource; readonly rounded: boolean }> {
  const links = new LinkResolver(url, resolve);
  const inference = new Inference(links.base, links.addresses);
  const reading = new Reading(links);
  const structured = isObject(value) || Array.isArray(value);
  const format = declaredFormat(mediaType, headers);
  const place = { rel: '', base: links.base, format, depth: 0 };
  const root = new Node(reading, structured ? value : { value }, { values: [], place, pointer: '', first: -1, slots: [], slot: 0, next: 0 }, 0);
  const { link } = headers;
  if (link !== undefined) {
    readLinkHeader(root, link);
  }
  readNode(root, inference);
  yield* root.rest();
  const resource = root.finish();
  let nodes = 0;
  for (let node = reading.next(); node !== undefined; node = reading.next()) {
    readNode(node, inference);
    if (node.isLong) {
      yield* node.rest();
    }
    node.finish();
    nodes += 1;
    if (nodes % NODES_IN_A_STEP === 0) {
      yield;
    }
  }
  return { resource, rounded: reading.rounded };
}

function readNode(node: Node, inference: Inference): void {
  const { value } = node;
  if (!isObject(value)) {
    readArray(node, value, inference);
    return;
  }
  const shape = node.reading.shapes.of(value, node.rel);
  readFormats(node, value, shape.hints);
  readMembers(node, value, shape, node.pointer, inference, node.claimed);
  for (const { object, pointer, except } of node.included) {
    readMembers(node, object, node.reading.shapes.of(object, `${node.rel} included`), pointer, inference, except);
  }
}

function readMembers(node: Node, object: JsonObject, { members }: Shape, pointer: string, inference: Inference, except: readonly string[]): void {
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
        inference.read(node, name, value, pointer, known.step);
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
  const pointer = `${node.pointer}/`;
  const isLong = array.length > SHORT;
  node.each(array, (item, index) => {
    if (!isField(item)) {
      node.embedItem(rel, item, index, node.pointer);
      return;
    }
    if (typeof item === 'string') {
      inference.read(node, rel, item, pointer, String(index));
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
