import { decodeXML } from 'entities/decode';

import {
  type EmbeddedResource,
  isHttp,
  type Link,
  MAX_ADDRESS_LENGTH,
  removeCredentials,
  type Resource,
  type ResourceField,
} from '../../../service-client/index.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';

/** Returns a member as a field, or undefined if it's missing or is a link, an object, or a list. */
export function findField({ fields }: Resource, name: string): ResourceField | undefined {
  return fields.find((field) => field.name === name);
}

/** Reports whether a document has a member of this name: a field, a link, or an embedded resource. */
export function hasMember(resource: Resource, name: string): boolean {
  return (
    findField(resource, name) !== undefined ||
    resource.embedded.some(({ rel }) => rel === name) ||
    resource.links.some(({ rel }) => rel === name)
  );
}

/**
 * Returns a member that is a string or a number, as text. For an address, which is read as a link, returns the link's text.
 *
 * @returns undefined for an empty string, `null`, and any other type.
 */
export function textMember(resource: Resource, name: string): string | undefined {
  const field = findField(resource, name);
  if (field === undefined) {
    const link = resource.links.find(({ rel, text }) => rel === name && text !== undefined);
    return link?.text;
  }
  return isScalar(field) && field.text.trim() !== '' ? field.text.trim() : undefined;
}

/** Returns a number, or a string that contains one. */
export function getNumber(resource: Resource, name: string): number | undefined {
  const text = textMember(resource, name);
  const value = text === undefined ? NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Returns a boolean. Accepts the strings `true`, `false`, `1`, and `0`, and the numbers 1 and 0. */
export function getBoolean(resource: Resource, name: string): boolean | undefined {
  const value = String(findField(resource, name)?.value ?? '')
    .trim()
    .toLowerCase();
  if (value === 'true' || value === '1') {
    return true;
  }
  return value === 'false' || value === '0' ? false : undefined;
}

/** Returns a date. Accepts ISO 8601, and seconds or milliseconds since 1970. */
export function getDate(resource: Resource, name: string): Date | undefined {
  const text = textMember(resource, name);
  if (text === undefined) {
    return undefined;
  }
  const epoch = Number(text);
  // Numbers less than 1e11 are seconds, which covers dates up to the year 5138. Larger ones are milliseconds, from 1973 on.
  const date = Number.isFinite(epoch) ? new Date(Math.abs(epoch) < 1e11 ? epoch * 1000 : epoch) : new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** A member of a map, such as one platform of `status`. */
export interface MapEntry {
  readonly name: string;
  /** The member's text. Null stays null. Undefined for an object without a message. */
  readonly text: string | null | undefined;
  /** The value as an absolute address. Undefined if it isn't one. */
  readonly url: string | undefined;
}

/**
 * Returns the members of an object such as `{android: "complete", ios: null}`: fields first, then links, then objects.
 *
 * @param base address that relative references are resolved against.
 * @returns undefined if the member is missing or isn't an object.
 */
export function getMapEntries(
  { embedded, fields }: Resource,
  name: string,
  base: string,
): readonly MapEntry[] | undefined {
  const map = embedded.find(({ rel, index }) => rel === name && index === undefined)?.resource;
  if (map === undefined) {
    return fields.some((field) => field.name === name && field.text === '{}') ? [] : undefined;
  }
  return [
    ...map.fields.slice(0, MAX_ROWS).map((field) => ({
      name: field.name,
      text: field.value === null ? null : field.text,
      url: addressInText(field.text, base),
    })),
    ...map.links.slice(0, MAX_ROWS).map((link) => ({ name: link.rel, text: link.text, url: getTargetUrl(link) })),
    ...map.embedded
      .slice(0, MAX_ROWS)
      .map(({ rel, resource }) => ({ name: rel, text: messageIn(resource), url: selfUrl(resource) })),
  ];
}

/** Digests of a certificate as Java and Google Play show them: pairs of hexadecimal digits, separated by colons. */
export interface Fingerprints {
  readonly sha1: string;
  readonly sha256: string;
}

/** Reads `sha1` and `sha256` of a key or a build. Returns undefined if one is missing or malformed. */
export function readFingerprints(resource: Resource): Fingerprints | undefined {
  const [sha1 = '', sha256 = ''] = [textMember(resource, 'sha1'), textMember(resource, 'sha256')];
  const isWhole = /^(?:[\dA-F]{2}:){19}[\dA-F]{2}$/.test(sha1) && /^(?:[\dA-F]{2}:){31}[\dA-F]{2}$/.test(sha256);
  return isWhole ? { sha1, sha256 } : undefined;
}

/** Returns the elements of the lists whose names match, including elements of a resource that is a list itself. */
export function getElements({ embedded }: Resource, names: RegExp): readonly EmbeddedResource[] {
  return embedded.filter(({ rel, index }) => index !== undefined && names.test(rel));
}

/** Returns the target of the first link that exists and is on the service's origin, or undefined if none is. */
export function linkTo({ links, embedded }: Resource, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const link = links.find(({ rel, target, method = 'GET' }) => {
      return rel === name && target.kind === 'internal' && method === 'GET';
    });
    const nested = embedded.find(({ rel, index }) => rel === name && index === undefined)?.resource;
    const url = (link && getTargetUrl(link)) ?? (nested && selfUrl(nested));
    if (url !== undefined) {
      return url;
    }
  }
  return undefined;
}

/** Returns the resource's own address if it's on the service's origin. */
export function selfUrl({ self }: Resource): string | undefined {
  return self?.target.kind === 'internal' ? self.target.url : undefined;
}

/**
 * Reports whether an address is in a list of the API, such as `/api/v1/apps/1`.
 *
 * @param list name of the list.
 * @param steps number of path segments after the name.
 */
export function isPathBelow(url: string | undefined, list: string, steps: number): boolean {
  const names = (url === undefined ? undefined : URL.parse(url)?.pathname.split('/')) ?? [];
  const [api, version = '', name] = names.slice(-3 - steps);
  return api === 'api' && /^v\d+$/.test(version) && name === list && !names.slice(-steps).includes('');
}

/**
 * Converts a message from the service to plain text on one line: removes markup and decodes character references. Returns undefined if
 * nothing is left.
 */
export function plainMessage(text: string): string | undefined {
  const withoutMarkup = withoutHiddenContent(text).replace(TAG, ' ');
  const plain = decodeXML(withoutMarkup.replaceAll('&nbsp;', ' '))
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return plain === '' ? undefined : plain;
}

/** HTML tags. Only these count as markup, because a message about config.xml may contain `<widget>`. */
const TAG =
  /<\/?(?:!doctype|html|body|main|section|article|header|footer|title|h[1-6]|p|br|hr|div|span|b|i|u|em|strong|small|a|ul|ol|li|dl|dt|dd|pre|code|table|thead|tbody|tr|td|th|center|font|img)\b[^<>]*>/gi;

/** Start and end of comments and elements that a browser doesn't display. */
const HIDDEN_CONTENT = [
  [/<!--/, /-->/],
  [/<head\b/i, /<\/head\s*>/i],
  [/<script\b/i, /<\/script\s*>/i],
  [/<style\b/i, /<\/style\s*>/i],
] as const;

/**
 * Removes content that browsers hide. Content without an end tag extends to the end of the text. Splitting keeps the running time linear.
 */
function withoutHiddenContent(text: string): string {
  return HIDDEN_CONTENT.reduce((rest, [start, end]) => {
    const [shown, ...parts] = rest.split(start);
    return [shown, ...parts.map((part) => afterFirst(end, part))].join(' ');
  }, text);
}

function afterFirst(pattern: RegExp, text: string): string {
  const found = pattern.exec(text);
  return found === null ? '' : text.slice(found.index + found[0].length);
}

/** Returns the text of an object such as `{message: "…"}` that describes a failure or a state. */
function messageIn(resource: Resource): string | undefined {
  return (
    textMember(resource, 'message') ??
    textMember(resource, 'error') ??
    textMember(resource, 'status') ??
    textMember(resource, 'state')
  );
}

function isScalar({ value, text }: ResourceField): boolean {
  return value !== null && typeof value !== 'boolean' && text !== '{}' && text !== '[]';
}

function getTargetUrl({ target }: Link): string | undefined {
  return target.kind === 'template' ? undefined : target.url;
}

/** Converts text to an absolute address if it can't be anything else. */
function addressInText(text: string, base: string): string | undefined {
  if (!/^(?:https?:\/\/|\/(?!\/))[^\s{}\\]*$/i.test(text) || text.length > MAX_ADDRESS_LENGTH) {
    return undefined;
  }
  const url = URL.parse(text, base);
  return url !== null && isHttp(url) && url.username === '' && url.password === ''
    ? removeCredentials(url).href
    : undefined;
}
