import { collectionJson } from './conventions/collectionJson.ts';
import { hal } from './conventions/hal.ts';
import { hydra } from './conventions/hydra.ts';
import { LinkInference, isPathMap, readPlainMember } from './conventions/plain.ts';
import { jsonApi } from './conventions/jsonApi.ts';
import { readLinkHeader } from './conventions/linkHeader.ts';
import { odata } from './conventions/odata.ts';
import { siren } from './conventions/siren.ts';
import { MAX_PARTS } from '../limits.ts';
import { NO_TERMS } from './compactIri.ts';
import {
  hasMembers,
  isObject,
  member,
  NumberTexts,
  pointerTo,
  text as textIn,
  type JsonEntry,
  type JsonObject,
} from './json.ts';
import { LinkResolver } from './links.ts';
import type { Convention, EmbeddedResource, Resource } from './resource.ts';
import {
  ResourceBuilder,
  type ConventionReader,
  type DocumentContext,
  type MemberSource,
  type DocumentPosition,
  type ReadableValue,
} from './resourceBuilder.ts';
import type { ResolveUrl } from './url.ts';

/**
 * Formats in order of precedence. The `Link` header and the document's declared format are read before these, and the
 * plain conventions and inferred links after them. Several formats can contribute to one resource.
 */
const FORMATS: readonly ConventionReader[] = [hal, jsonApi, siren, collectionJson, hydra, odata];

/** Parts of a JSON response that the readers need. */
export interface ReadInput {
  /** Parsed body: any JSON value. */
  readonly value: unknown;
  /** The body as sent. If it's missing, large numbers are rounded. */
  readonly text?: string | undefined;
  /** Absolute URL of the response after redirects: the base of relative references (RFC 3986 §5.1.3). */
  readonly url: string;
  /** Headers with lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Media type without parameters, in lowercase. */
  readonly mediaType: string;
  /** Resolves references. Defaults to the URL standard's rules. */
  readonly resolve?: ResolveUrl;
  /** Strings of the response in which a secret was replaced. These addresses aren't followed. */
  readonly masked?: ReadonlySet<string>;
}

/**
 * Reads a JSON document as a resource: fields, links, embedded resources, and forms, in any supported convention. Runs
 * in linear time and never throws. Embedded resources are read on first access.
 *
 * An object's own address becomes `self` and isn't in `links`. A resource lists its unusable links in `skipped`.
 */
export function readResource({ value, text, url, headers, mediaType, resolve, masked }: ReadInput): Resource {
  const links = new LinkResolver(url, resolve, masked);
  const inference = new LinkInference(links.base);
  const isScalar = typeof value !== 'object' || value === null;
  const context: DocumentContext = {
    links,
    // A scalar is read as a field of an object.
    numbers: new NumberTexts(isScalar && text !== undefined ? `{"value":${text}}` : text),
    included: includedIn(value),
    linked: new Map(),
    read: (part, position) => {
      const builder = new ResourceBuilder(context, part, position);
      const link = position.depth === 0 ? headers.link : undefined;
      if (link !== undefined) {
        readLinkHeader(builder, link);
      }
      if (isObject(part)) {
        readObject(builder, part, inference);
      } else {
        readArray(builder, part, inference);
      }
      return builder.build();
    },
  };
  const format = declaredFormat(mediaType, headers);
  const root: DocumentPosition = { pointer: '', rel: '', base: links.base, terms: NO_TERMS, format, depth: 0 };
  return context.read(isScalar ? { value } : (value as ReadableValue), root);
}

/**
 * Returns the format that the response declares. OData doesn't have a media type, but its responses have a header with
 * the version.
 */
function declaredFormat(mediaType: string, headers: Readonly<Record<string, string>>): Convention | undefined {
  return (
    FORMATS.find(({ mediaTypes }) => mediaTypes.includes(mediaType))?.convention ??
    (Object.hasOwn(headers, 'odata-version') ? 'odata' : undefined)
  );
}

function readObject(builder: ResourceBuilder, object: JsonObject, inference: LinkInference): void {
  const declared = FORMATS.find(({ convention }) => convention === builder.format);
  declared?.read(builder, object);
  for (const format of FORMATS) {
    if (format !== declared) {
      format.read(builder, object);
    }
  }
  readResourceMembers(builder, builder, inference);
  for (const included of builder.included) {
    readResourceMembers(builder, included, inference);
  }
}

/**
 * Reads the members that no format has claimed, as plain conventions, inferred links, fields, and embedded resources.
 */
function readResourceMembers(
  builder: ResourceBuilder,
  { members, claimed }: MemberSource,
  inference: LinkInference,
): void {
  const pathMap = isPathMap(members, inference);
  // In `{"id": 2, "link": "/api/v1/apps", "all": […]}`, the ID doesn't identify a resource.
  const isList = members.some(({ name, value }) => name === 'all' && Array.isArray(value));
  for (const { name, value, pointer } of members) {
    if (!(isList && name === 'id')) {
      builder.offerTitle(name, value, pointer);
    }
    if (claimed.has(name)) {
      continue;
    }
    if (pathMap && typeof value === 'string') {
      builder.addLink(name, value, pointer);
    } else if (!readPlainMember(builder, name, value, pointer) && !inference.read(builder, name, value, pointer)) {
      builder.add(name, value, pointer);
    }
  }
}

/**
 * Reads the elements of an array that is a separate resource. Fields are named by position, and links have the array's
 * name as relation.
 */
function readArray(builder: ResourceBuilder, array: readonly unknown[], inference: LinkInference): void {
  const { pointer } = builder;
  const rel = builder.rel === '' ? 'item' : builder.rel;
  for (const [index, item] of builder.firstValues(array, pointer).entries()) {
    if (isObject(item) || hasMembers(item)) {
      builder.embedItem(rel, item, pointerTo(pointer, index), index);
    } else if (!inference.read(builder, rel, item, pointerTo(pointer, index))) {
      builder.addField(String(index), item, pointerTo(pointer, index));
    }
  }
}

/**
 * Returns a function that finds the resources included in a JSON:API document, by type and ID (JSON:API 1.1, "Compound
 * Documents").
 */
function includedIn(document: unknown): DocumentContext['included'] {
  let byIdentifier: Map<string, JsonEntry<JsonObject>> | undefined;
  const included = isObject(document) ? member(document, 'included') : undefined;
  return (linkage) => {
    if (byIdentifier === undefined) {
      byIdentifier = new Map();
      for (const [index, value] of Array.isArray(included) ? (included as readonly unknown[]).entries() : []) {
        const key = toIdentifierKey(value);
        if (key !== undefined && isObject(value)) {
          byIdentifier.set(key, { name: String(index), value, pointer: `/included/${index}` });
        }
      }
    }
    return byIdentifier.get(toIdentifierKey(linkage) ?? '');
  };
}

function toIdentifierKey(identifier: unknown): string | undefined {
  const type = isObject(identifier) ? textIn(identifier, 'type') : undefined;
  const id = isObject(identifier) ? textIn(identifier, 'id') : undefined;
  return type === undefined || id === undefined ? undefined : JSON.stringify([type, id]);
}

/**
 * Yields a resource and its embedded resources in document order, each once, up to {@link MAX_PARTS}. Embedded
 * resources are read as needed.
 */
export function* eachResource(root: Resource): Generator<Resource> {
  const seen = new Set<string>();
  const pending: EmbeddedResource[][] = [];
  for (let resource: Resource | undefined = root; resource !== undefined; resource = pending.at(-1)?.pop()?.resource) {
    // Linkage can lead to the same resource repeatedly, even in cycles.
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
