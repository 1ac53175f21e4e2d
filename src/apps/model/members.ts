import { decodeXML } from 'entities/decode';

import { removeCredentials } from '../../api/credentials.ts';
import { isHttp } from '../../api/hypermedia/url.ts';
import { MAX_ADDRESS_LENGTH } from '../../api/limits.ts';
import type { Embedded, Field, Link, Resource } from '../../api/hypermedia/resource.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';

/** The member as a field; undefined when there is none, or it is a link, an object or a list. */
export function fieldOf({ fields }: Resource, name: string): Field | undefined {
  return fields.find((field) => field.name === name);
}

/** True when the document has a member of this name, whatever it was read as. */
export function hasMember(resource: Resource, name: string): boolean {
  return (
    fieldOf(resource, name) !== undefined ||
    resource.embedded.some(({ rel }) => rel === name) ||
    resource.links.some(({ rel }) => rel === name)
  );
}

/**
 * A member that is a text or a number; an address, which is read as a link, too.
 *
 * @returns undefined for an empty text, `null`, and anything else.
 */
export function textMember(resource: Resource, name: string): string | undefined {
  const field = fieldOf(resource, name);
  if (field === undefined) {
    const link = resource.links.find(({ rel, text }) => rel === name && text !== undefined);
    return link?.text;
  }
  return isScalar(field) && field.text.trim() !== '' ? field.text.trim() : undefined;
}

/** A number, also one that was sent as a text. */
export function numberOf(resource: Resource, name: string): number | undefined {
  const text = textMember(resource, name);
  const value = text === undefined ? NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** A truth value, also one that was sent as a text or a number. */
export function booleanOf(resource: Resource, name: string): boolean | undefined {
  const value = String(fieldOf(resource, name)?.value ?? '')
    .trim()
    .toLowerCase();
  if (value === 'true' || value === '1') {
    return true;
  }
  return value === 'false' || value === '0' ? false : undefined;
}

/** A time: ISO 8601, or seconds or milliseconds since 1970. */
export function dateOf(resource: Resource, name: string): Date | undefined {
  const text = textMember(resource, name);
  if (text === undefined) {
    return undefined;
  }
  const epoch = Number(text);
  // Numbers below are seconds, numbers above are milliseconds: the year 5138, or 1973.
  const date = Number.isFinite(epoch) ? new Date(Math.abs(epoch) < 1e11 ? epoch * 1000 : epoch) : new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** A member of a map, such as one platform of `status`. */
export interface MapEntry {
  readonly name: string;
  /** Undefined for an object; null as sent. */
  readonly text: string | null | undefined;
  /** The value as an absolute address, when it is one. */
  readonly url: string | undefined;
}

/**
 * The members of an object such as `{android: "complete", ios: null}`, in the order of fields, links, objects.
 *
 * @param base address that relative references are resolved against.
 * @returns undefined when there is no such object; a list is none.
 */
export function mapOf({ embedded, fields }: Resource, name: string, base: string): readonly MapEntry[] | undefined {
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
    ...map.links.slice(0, MAX_ROWS).map((link) => ({ name: link.rel, text: link.text, url: targetOf(link) })),
    ...map.embedded
      .slice(0, MAX_ROWS)
      .map(({ rel, resource }) => ({ name: rel, text: messageIn(resource), url: selfUrl(resource) })),
  ];
}

/** Digests of a certificate, as Java and Google Play show them: pairs of hexadecimal digits with colons between. */
export interface Fingerprints {
  readonly sha1: string;
  readonly sha256: string;
}

/** The fingerprints that a key or a build has, in `sha1` and `sha256`; undefined when one is missing or malformed. */
export function readFingerprints(resource: Resource): Fingerprints | undefined {
  const [sha1 = '', sha256 = ''] = [textMember(resource, 'sha1'), textMember(resource, 'sha256')];
  const isWhole = /^(?:[\dA-F]{2}:){19}[\dA-F]{2}$/.test(sha1) && /^(?:[\dA-F]{2}:){31}[\dA-F]{2}$/.test(sha256);
  return isWhole ? { sha1, sha256 } : undefined;
}

/** The elements of the lists that a resource has under these names, or is. */
export function elementsOf({ embedded }: Resource, names: RegExp): readonly Embedded[] {
  return embedded.filter(({ rel, index }) => index !== undefined && names.test(rel));
}

/** The target of a link on the service’s origin; of several names, the first that there is. */
export function linkTo({ links, embedded }: Resource, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const link = links.find(({ rel, target, method = 'GET' }) => {
      return rel === name && target.kind === 'internal' && method === 'GET';
    });
    const nested = embedded.find(({ rel, index }) => rel === name && index === undefined)?.resource;
    const url = (link && targetOf(link)) ?? (nested && selfUrl(nested));
    if (url !== undefined) {
      return url;
    }
  }
  return undefined;
}

/** The resource's own address, on the service's origin. */
export function selfUrl({ self }: Resource): string | undefined {
  return self?.target.kind === 'internal' ? self.target.url : undefined;
}

/** True for a path of the API that ends like `/apps/1`: the name of a list, then so many steps. */
export function isPathBelow(url: string | undefined, list: string, steps: number): boolean {
  const names = (url === undefined ? undefined : URL.parse(url)?.pathname.split('/')) ?? [];
  const [api, version = '', name] = names.slice(-3 - steps);
  return api === 'api' && /^v\d+$/.test(version) && name === list && !names.slice(-steps).includes('');
}

/** A message of a service as plain text in one line: without markup, with its character references decoded. Undefined when nothing is left. */
export function plainMessage(text: string): string | undefined {
  const withoutMarkup = withoutHiddenContent(text).replace(TAG, ' ');
  const plain = decodeXML(withoutMarkup.replaceAll('&nbsp;', ' '))
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return plain === '' ? undefined : plain;
}

/** A tag of HTML by its name: `<widget>` in a message about config.xml is no markup. */
const TAG =
  /<\/?(?:!doctype|html|body|main|section|article|header|footer|title|h[1-6]|p|br|hr|div|span|b|i|u|em|strong|small|a|ul|ol|li|dl|dt|dd|pre|code|table|thead|tbody|tr|td|th|center|font|img)\b[^<>]*>/gi;

/** Where a comment or an element begins whose content a browser does not show, and where it ends. */
const HIDDEN_CONTENT = [
  [/<!--/, /-->/],
  [/<head\b/i, /<\/head\s*>/i],
  [/<script\b/i, /<\/script\s*>/i],
  [/<style\b/i, /<\/style\s*>/i],
] as const;

/** What is not closed is hidden to the end, as in a browser. Each part is looked at once. */
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

/** The text of an object about a failure or a state: `{message: "…"}`. */
function messageIn(resource: Resource): string | undefined {
  return (
    textMember(resource, 'message') ??
    textMember(resource, 'error') ??
    textMember(resource, 'status') ??
    textMember(resource, 'state')
  );
}

function isScalar({ value, text }: Field): boolean {
  return value !== null && typeof value !== 'boolean' && text !== '{}' && text !== '[]';
}

function targetOf({ target }: Link): string | undefined {
  return target.kind === 'template' ? undefined : target.url;
}

/** The absolute address for a text that can be nothing but one. */
function addressInText(text: string, base: string): string | undefined {
  if (!/^(?:https?:\/\/|\/(?!\/))[^\s{}\\]*$/i.test(text) || text.length > MAX_ADDRESS_LENGTH) {
    return undefined;
  }
  const url = URL.parse(text, base);
  return url !== null && isHttp(url) && url.username === '' && url.password === ''
    ? removeCredentials(url).href
    : undefined;
}
