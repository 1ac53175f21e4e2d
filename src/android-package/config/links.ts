/** Validates the links in config.xml that open the app. */
import { domainToASCII } from 'node:url';

import type { IntentFilter, LinkData } from './intentFilters.ts';
import { android, type AttributeName } from '../resources/androidElements.ts';
import type { ResourceAttribute } from '../resources/resources.ts';
import type { WriteLog } from '../buildError.ts';

/** An intent filter that Android accepts. */
export interface LinkFilter {
  readonly autoVerify: boolean;
  /** Attributes of each `<data>` element. */
  readonly data: readonly (readonly ResourceAttribute[])[];
}

/** Attributes that a `<data>` element for links can have, with patterns for their values. */
const ATTRIBUTES: readonly (readonly [name: AttributeName, value: RegExp])[] = [
  // Capacitor uses the app's ID as the scheme, which may contain underscores.
  ['scheme', /^[a-z][\w+.-]{0,99}$/],
  ['host', /^(?:\*|(?:\*\.)?[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?)$/],
  ['port', /^\d{1,5}$/],
  ['path', /^\//],
  ['pathPrefix', /^\//],
  ['pathPattern', /^[/.]/],
  ['pathSuffix', /./],
  ['pathAdvancedPattern', /^[/.[]/],
];
/** Schemes that have a special meaning in Android or WebView. The shell doesn't accept links with these schemes. */
const SYSTEM_SCHEMES = new Set(['about', 'android-app', 'blob', 'content', 'data', 'file', 'intent', 'javascript']);

/**
 * Returns the filters with links that can open the app.
 *
 * @param log receives a line for each filter: its links, or the reason why they can't open the app
 */
export function readLinks(filters: readonly IntentFilter[], log: WriteLog): readonly LinkFilter[] {
  return filters.flatMap(({ autoVerify, data: given }) => {
    const data = given.map(withLowerCase);
    const fault = findFault(data);
    if (fault !== undefined) {
      log(`config.xml: An intent filter has no effect, because ${fault}`);
      return [];
    }
    log(`Links that open the app: ${getLinks(data).map(toDisplayLink).join(', ')}`);
    return [{ autoVerify, data: data.map(toAttributes) }];
  });
}

/** Converts the scheme and host to lowercase as browsers do, because Android compares them case-sensitively. */
function withLowerCase(data: LinkData): LinkData {
  const { scheme, host } = data;
  return {
    ...data,
    ...(scheme === undefined ? {} : { scheme: scheme.toLowerCase() }),
    ...(host === undefined ? {} : { host: domainToASCII(host) || host.toLowerCase() }),
  };
}

/**
 * Returns the reason why Android or the shell rejects a filter, if any. Android combines the values of all `<data>`
 * elements in a filter.
 */
function findFault(data: readonly LinkData[]): string | undefined {
  const rules = new Map<string, RegExp>(ATTRIBUTES);
  const wrong = data.flatMap(Object.entries<string>).find(([name, value]) => rules.get(name)?.test(value) !== true);
  if (wrong !== undefined) {
    return `${toDisplayLink(wrong[0])}="${toDisplayLink(wrong[1])}" isn’t valid for links.`;
  }
  const schemes = data.flatMap(({ scheme = [] }) => scheme);
  const systemScheme = schemes.find((scheme) => SYSTEM_SCHEMES.has(scheme));
  if (systemScheme !== undefined) {
    return `the scheme “${systemScheme}” is reserved for the system.`;
  }
  if (schemes.length === 0) {
    return 'it doesn’t specify a scheme.';
  }
  const isWeb = schemes.some((scheme) => /^https?$/.test(scheme));
  return isWeb && !data.some(({ host = '*' }) => host !== '*') ? 'http: and https: require a host.' : undefined;
}

/** Returns a filter's links: all combinations of its schemes, hosts, and paths. */
function getLinks(data: readonly LinkData[]): readonly string[] {
  const getValues = (parts: (each: LinkData) => string | readonly string[]): readonly string[] => {
    const values = data.flatMap(parts);
    return values.length === 0 ? [''] : [...new Set(values)];
  };
  const hosts = getValues(({ host, port }) =>
    host === undefined ? [] : `//${host}${port === undefined ? '' : `:${port}`}`,
  );
  const paths = getValues((each) =>
    Object.entries(each).flatMap(([name, value]) => (name.startsWith('path') ? value : [])),
  );
  return getValues(({ scheme = [] }) => scheme).flatMap((scheme) =>
    hosts.flatMap((host) => paths.map((path) => `${scheme}:${host}${path}`)),
  );
}

/** Formats a string from config.xml for the log. Unlike `removeUnsafeCharacters`, keeps `${}`. */
function toDisplayLink(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
}

function toAttributes(data: LinkData): readonly ResourceAttribute[] {
  return ATTRIBUTES.flatMap(([name]) => {
    const value = data[name];
    return value === undefined ? [] : [android(name, value)];
  });
}
