import { setImmediate } from 'node:timers/promises';

import { collectionJson } from './collectionJson.ts';
import type { ConventionReader } from './convention.ts';
import { hal } from './hal.ts';
import { hydra } from './hydra.ts';
import { Inference } from './inferred.ts';
import { isObject, member, parseExactly } from './json.ts';
import type { JsonObject } from './json.ts';
import { jsonApi } from './jsonApi.ts';
import { readLinkHeader } from './linkHeader.ts';
import { LinkResolver } from './links.ts';
import { Node } from './node.ts';
import { odata } from './odata.ts';
import { isPathMap, readPlainAddress, readPlainList } from './plain.ts';
import { Reading } from './reading.ts';
import type { Convention, Resource } from './resource.ts';
import { siren } from './siren.ts';
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

/**
 * The formats in order of precedence. The `Link` header and the format that the document declares go before all of them;
 * the plain conventions and the inferred links come after. Several may contribute to one resource.
 */
const FORMATS: readonly ConventionReader[] = [hal, jsonApi, siren, collectionJson, hydra, odata];

/** Milliseconds. */
const LONGEST_SLICE = 10;
const NODES_IN_A_STEP = 256;

/** Which formats a member hints at, as bits of {@link FORMATS}. */
const MARKERS = new Map<string, number>();
for (const [index, { markers }] of FORMATS.entries()) {
  for (const marker of markers) {
    MARKERS.set(marker, (MARKERS.get(marker) ?? 0) | (1 << index));
  }
}

/** Formats whose members carry another one's name in front: `Orders@odata.navigationLink`. */
const CONTROL_INFORMATION = MARKERS.get('@') ?? 0;

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
  const inference = new Inference(links.base);
  const reading = new Reading(links);
  const structured = isObject(value) || Array.isArray(value);
  const format = declaredFormat(mediaType, headers);
  const place = { rel: '', base: links.base, format, depth: 0 };
  const root = new Node(reading, structured ? value : { value }, { values: [], place, pointer: '', first: -1, slots: [], slot: 0, next: 0 }, 0);
  if (headers.link !== undefined) {
    readLinkHeader(root, headers.link);
  }
  readNode(root, inference);
  const resource = root.finish();
  let nodes = 0;
  for (let node = reading.next(); node !== undefined; node = reading.next()) {
    readNode(node, inference);
    node.finish();
    nodes += 1;
    if (nodes % NODES_IN_A_STEP === 0) {
      yield;
    }
  }
  return { resource, rounded: reading.rounded };
}

/** What the response says its body is. OData's media type is application/json: its version header tells. */
function declaredFormat(mediaType: string, headers: Readonly<Record<string, string>>): Convention | undefined {
  return FORMATS.find(({ mediaTypes }) => mediaTypes.includes(mediaType))?.convention ?? (Object.hasOwn(headers, 'odata-version') ? 'odata' : undefined);
}

function readNode(node: Node, inference: Inference): void {
  const { value } = node;
  if (!isObject(value)) {
    readArray(node, value, inference);
    return;
  }
  readFormats(node, value);
  readMembers(node, value, node.pointer, inference, node.claimed);
  for (const { object, pointer, except } of node.included) {
    readMembers(node, object, pointer, inference, except);
  }
}

function readFormats(node: Node, object: JsonObject): void {
  let hints = 0;
  for (const name of Object.keys(object)) {
    hints |= MARKERS.get(name) ?? 0;
    if (name.includes('@')) {
      hints |= CONTROL_INFORMATION;
    }
  }
  if (hints === 0 && node.format === undefined) {
    return;
  }
  const declared = FORMATS.find(({ convention }) => convention === node.format);
  declared?.read(node, object);
  for (const [index, format] of FORMATS.entries()) {
    if ((hints & (1 << index)) !== 0 && format !== declared) {
      format.read(node, object);
    }
  }
}

function readMembers(node: Node, object: JsonObject, pointer: string, inference: Inference, except: readonly string[]): void {
  const pathMap = isPathMap(object, inference);
  // {"id": 2, "link": "/api/v1/apps", "all": […]}: a list's number names nothing
  const isList = Array.isArray(member(object, 'all'));
  for (const name of Object.keys(object)) {
    const value = object[name];
    const known = node.reading.name(name);
    if (known.titleRank !== Infinity && !(isList && name === 'id')) {
      node.offerTitle(name, value);
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
  for (const [index, item] of array.entries()) {
    if (isObject(item) || (Array.isArray(item) && item.length > 0)) {
      node.embedItem(rel, item, index, node.pointer);
    } else {
      if (typeof item === 'string') {
        inference.read(node, rel, item, node.pointer, `/${index}`);
      }
      node.add(String(index), item, `${node.pointer}/${index}`);
    }
  }
}
