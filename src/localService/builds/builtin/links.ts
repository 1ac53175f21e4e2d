/** The links that open the app, of those that config.xml names. */
import { domainToASCII } from 'node:url';

import type { Log } from '../builder.ts';
import type { IntentFilter, LinkData } from '../packages/intentFilters.ts';
import { android, type AttributeName } from './androidElements.ts';
import type { Attribute } from './resources.ts';

/** An intent filter whose values Android takes. */
export interface LinkFilter {
  readonly autoVerify: boolean;
  /** The attributes of each `<data>`. */
  readonly data: readonly (readonly Attribute[])[];
}

/** The attributes that a `<data>` for links may have. */
const ATTRIBUTES: readonly (readonly [name: AttributeName, value: RegExp])[] = [
  // Capacitor's is the ID of the app, which may have underscores.
  ['scheme', /^[a-z][\w+.-]{0,99}$/],
  ['host', /^(?:\*|(?:\*\.)?[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?)$/],
  ['port', /^\d{1,5}$/],
  ['path', /^\//],
  ['pathPrefix', /^\//],
  ['pathPattern', /^[/.]/],
  ['pathSuffix', /./],
  ['pathAdvancedPattern', /^[/.[]/],
];
/** They mean something to Android or its WebView: the shell takes no link with one of them. */
const SYSTEM_SCHEMES = new Set(['about', 'android-app', 'blob', 'content', 'data', 'file', 'intent', 'javascript']);

/** @param log receives a line for each filter: the links that open the app, or why they can't */
export function readLinks(filters: readonly IntentFilter[], log: Log): readonly LinkFilter[] {
  return filters.flatMap(({ autoVerify, data: given }) => {
    const data = given.map(withLowerCase);
    const fault = findFault(data);
    if (fault !== undefined) {
      log(`config.xml: An intent filter has no effect, because ${fault}`);
      return [];
    }
    log(`Links that open the app: ${linksOf(data).map(toShown).join(', ')}`);
    return [{ autoVerify, data: data.map(toAttributes) }];
  });
}

/** As browsers write addresses: Android compares the case of letters, too. */
function withLowerCase(data: LinkData): LinkData {
  const { scheme, host } = data;
  return {
    ...data,
    ...(scheme === undefined ? {} : { scheme: scheme.toLowerCase() }),
    ...(host === undefined ? {} : { host: domainToASCII(host) || host.toLowerCase() }),
  };
}

/** Why Android or the shell takes no links of a filter. Android combines the values of all of its `<data>`. */
function findFault(data: readonly LinkData[]): string | undefined {
  const rules = new Map<string, RegExp>(ATTRIBUTES);
  const wrong = data.flatMap(Object.entries<string>).find(([name, value]) => rules.get(name)?.test(value) !== true);
  if (wrong !== undefined) {
    return `${toShown(wrong[0])}="${toShown(wrong[1])}" isn’t valid for links.`;
  }
  const schemes = data.flatMap(({ scheme = [] }) => scheme);
  const systemScheme = schemes.find((scheme) => SYSTEM_SCHEMES.has(scheme));
  if (systemScheme !== undefined) {
    return `the scheme “${systemScheme}” belongs to the system.`;
  }
  if (schemes.length === 0) {
    return 'it names no scheme.';
  }
  const isWeb = schemes.some((scheme) => /^https?$/.test(scheme));
  return isWeb && !data.some(({ host = '*' }) => host !== '*') ? 'http: and https: need a host.' : undefined;
}

/** The links of a filter: each scheme with each host, and those with each path. */
function linksOf(data: readonly LinkData[]): readonly string[] {
  const valuesOf = (parts: (each: LinkData) => string | readonly string[]): readonly string[] => {
    const values = data.flatMap(parts);
    return values.length === 0 ? [''] : [...new Set(values)];
  };
  const hosts = valuesOf(({ host, port }) =>
    host === undefined ? [] : `//${host}${port === undefined ? '' : `:${port}`}`,
  );
  const paths = valuesOf((each) =>
    Object.entries(each).flatMap(([name, value]) => (name.startsWith('path') ? value : [])),
  );
  return valuesOf(({ scheme = [] }) => scheme).flatMap((scheme) =>
    hosts.flatMap((host) => paths.map((path) => `${scheme}:${host}${path}`)),
  );
}

/** A text of config.xml for a line of the log. Unlike `plainText`, it keeps `${}`. */
function toShown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
}

function toAttributes(data: LinkData): readonly Attribute[] {
  return ATTRIBUTES.flatMap(([name]) => {
    const value = data[name];
    return value === undefined ? [] : [android(name, value)];
  });
}
