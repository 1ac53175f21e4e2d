/** Reads config.xml, which describes an app and its build (W3C Widget Packaging, and Cordova's additional elements). */
import { parseXml, XmlElement, XmlError } from '@rgrove/parse-xml';

import { withBlankComments } from './xmlComments.ts';
import { addsOnlyLinks, readIntentFilters, type IntentFilter } from './intentFilters.ts';
import { addsOnlyQueries, readQueries } from './queries.ts';
import { getAttribute, getChildren } from './xmlElements.ts';
import type { Platform, Plugin } from '../model.ts';
import { MAX_SHOWN_LENGTH } from '../limits.ts';

/** Values of a config.xml. Missing strings are empty. */
export interface ConfigFile {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly shortName: string;
  readonly description: string;
  /** Platform-specific attributes of the root, such as `android-versionCode`. */
  readonly platformVersions: Readonly<Record<string, string>>;
  /** Start page relative to the web root, or a URL. */
  readonly contentSrc: string;
  readonly preferences: readonly { readonly name: string; readonly value: string }[];
  readonly icons: readonly ConfigIcon[];
  readonly accessOrigins: readonly string[];
  readonly allowedIntents: readonly string[];
  readonly allowedNavigation: readonly string[];
  readonly plugins: readonly ConfigPlugin[];
  /** Links that open the app on Android. */
  readonly intentFilters: readonly IntentFilter[];
  /** Apps that the app can see on Android, in the format of {@link readQueries}. */
  readonly queries: readonly string[];
  /** Whether an element that changes Android's manifest allows unencrypted connections. */
  readonly usesCleartextTraffic: boolean;
  /** Names of elements that builders ignore. In Cordova, some of them run code or change files outside the app. */
  readonly otherElements: readonly string[];
}

/** Names of the elements that builders read. */
const READ_ELEMENTS =
  'name description author content preference access allow-intent allow-navigation plugin gap:plugin'.split(' ');

/** An icon that config.xml refers to. Missing strings are empty. */
export interface ConfigIcon {
  /** Path relative to the folder of config.xml. */
  readonly src: string;
  /** Density, such as `xhdpi`. */
  readonly density: string;
  /** Width in pixels. */
  readonly width: string;
  /** Whether the icon is in a `<platform>`. Such icons take precedence over icons for all platforms. */
  readonly isForPlatform: boolean;
}

/** A plugin in config.xml with the values of its variables. */
export interface ConfigPlugin extends Plugin {
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Parses a config.xml. The values of a `<platform>` follow the values for all platforms, so the last value wins.
 *
 * @param platform platform whose elements are read, or `undefined` for those of every platform
 * @throws PackageError if the file is malformed. The message starts with "Malformed config.xml:"
 */
export function parseConfig(bytes: Uint8Array, platform?: Platform): ConfigFile {
  const widget = parseWidget(decode(bytes));
  const isPlatform = ({ name }: XmlElement): boolean => name === 'platform';
  const common = getChildren(widget).filter((element) => !isPlatform(element));
  const own = getChildren(widget)
    .filter(isPlatform)
    .filter((element) => platform === undefined || getAttribute(element, 'name') === platform)
    .flatMap(getChildren);
  const elements = [...common, ...own];
  const named = (name: string): readonly XmlElement[] => elements.filter((element) => element.name === name);
  const attributes = (name: string, attribute: string): readonly string[] =>
    named(name).map((element) => getAttribute(element, attribute));
  const plugins = [...named('plugin'), ...named('gap:plugin')].flatMap(parsePlugin);
  return {
    id: getAttribute(widget, 'id'),
    version: getAttribute(widget, 'version'),
    name: getElementText(named('name')[0]),
    shortName: getAttribute(named('name')[0], 'short'),
    description: getElementText(named('description')[0]),
    platformVersions: Object.fromEntries(
      Object.entries(widget.attributes).filter(([name]) => /^(?:android|ios)-\w+$/.test(name)),
    ),
    contentSrc: getAttribute(named('content')[0], 'src') || 'index.html',
    preferences: named('preference').map((element) => ({
      name: getAttribute(element, 'name'),
      value: getAttribute(element, 'value'),
    })),
    icons: named('icon').map((element) => ({
      src: getAttribute(element, 'src'),
      density: getAttribute(element, 'density') || getAttribute(element, 'gap:density'),
      width: getAttribute(element, 'width'),
      isForPlatform: own.includes(element),
    })),
    accessOrigins: attributes('access', 'origin'),
    allowedIntents: attributes('allow-intent', 'href'),
    allowedNavigation: attributes('allow-navigation', 'href'),
    plugins,
    intentFilters: readIntentFilters(elements, plugins),
    queries: readQueries(elements),
    usesCleartextTraffic: elements.some(allowsCleartext),
    otherElements: [...new Set(elements.filter((element) => !isRead(element)).map(({ name }) => name))],
  };
}

/** The values of an app without a config.xml. */
export const NO_CONFIG = parseConfig(Buffer.from('<widget/>'));

/** Returns the path of the file that a `<content src>` refers to, relative to the web root. */
export function toPagePath(src: string): string {
  return src.replace(/[?#].*$/s, '').replace(/^(\.?\/)+/, '');
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformedConfig('it isn’t in UTF-8. Save it as UTF-8');
  }
}

function parseWidget(xml: string): XmlElement {
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(xml)?.[1];
  if (declared !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(declared)) {
    throw malformedConfig(`its encoding is declared as ${toDisplayText(declared)}. Save it as UTF-8`);
  }
  // Convert line endings (XML §2.11) before parsing, because the parser would copy the whole text for each line ending.
  const { root } = parseXmlText(withBlankComments(xml.replace(/\r\n?/g, '\n')));
  if (root?.name !== 'widget') {
    throw malformedConfig(`its root element is ${toDisplayText(root?.name ?? '')}, not "widget"`);
  }
  return root;
}

function parseXmlText(xml: string): ReturnType<typeof parseXml> {
  try {
    const document = parseXml(xml, { preserveDocumentType: true });
    if (document.children.some(({ type }) => type === 'doctype')) {
      throw malformedConfig('it has a document type declaration. Remove it');
    }
    return document;
  } catch (error) {
    if (error instanceof XmlError) {
      const [reason = ''] = error.message.split(/ \(line \d|\n/, 1);
      throw malformedConfig(`${toDisplayText(reason).slice(1, -1)} (line ${error.line}, column ${error.column})`);
    }
    // The parser recurses into nested elements, so it can overflow the stack.
    throw error instanceof RangeError ? malformedConfig('its elements are nested too deeply') : error;
  }
}

/** Creates the error for a config.xml that can't be parsed. */
export function malformedConfig(reason: string): PackageError {
  return new PackageError(`Malformed config.xml: ${reason}.`);
}

/**
 * Returns an element's text with normalized white space (Widget Packaging, "rule for getting text content with
 * normalized white space").
 */
function getElementText(element: XmlElement | undefined): string {
  const texts = element?.children.flatMap((child) =>
    'text' in child && !(child instanceof XmlElement) ? [child.text] : [],
  );
  return (texts ?? []).join('').replace(/\s+/g, ' ').trim();
}

function parsePlugin(element: XmlElement): readonly ConfigPlugin[] {
  const name = getPluginName(element);
  if (name === '') {
    return [];
  }
  const variables = getChildren(element).flatMap((child): readonly (readonly [string, string])[] => {
    switch (child.name) {
      case 'variable':
        return [[getAttribute(child, 'name'), getAttribute(child, 'value') || getAttribute(child, 'default')]];
      // PhoneGap Build's name for `<variable>`.
      case 'param':
        return [[getAttribute(child, 'name'), getAttribute(child, 'value')]];
      default:
        return [];
    }
  });
  const version = getAttribute(element, 'spec') || getAttribute(element, 'version');
  return [{ name, version: version === '' ? null : version, variables: Object.fromEntries(variables) }];
}

/**
 * Returns the name of a plugin. Without a name, as in PhoneGap Build, returns the name of the plugin's Git repository.
 * Returns an empty string if neither exists, or for PhoneGap 2's `<plugin name="Geolocation" value="…">`, which isn't a
 * plugin.
 */
function getPluginName(element: XmlElement): string {
  const has = (name: string): boolean => Object.hasOwn(element.attributes, name);
  if (has('value') && !has('spec') && !has('version') && !has('source')) {
    return '';
  }
  const [address = ''] = getAttribute(element, 'spec').split(/[?#]/, 1);
  const isGit = address.endsWith('.git') || getAttribute(element, 'source') === 'git';
  const [, last = ''] = /\/([\w.-]{1,200}?)(?:\.git)?\/?$/.exec(address) ?? [];
  return getAttribute(element, 'name') || (isGit ? last : '');
}

/** Elements that change a platform's files. */
const CHANGES = new Set(['edit-config', 'config-file', 'gap:config-file']);
const CLEARTEXT = 'android:usesCleartextTraffic';

function allowsCleartext(element: XmlElement): boolean {
  return CHANGES.has(element.name) && getChildren(element).some((child) => getAttribute(child, CLEARTEXT) === 'true');
}

/** Reports whether the only effect of an element is to allow unencrypted connections. */
function onlyAllowsCleartext(element: XmlElement): boolean {
  const changesOnlyThat = (child: XmlElement): boolean =>
    Object.keys(child.attributes).join() === CLEARTEXT && getChildren(child).length === 0;
  return allowsCleartext(element) && getChildren(element).every(changesOnlyThat);
}

/** Reports whether builders use the content of an element. */
function isRead(element: XmlElement): boolean {
  const isPlugin = element.name === 'plugin' || element.name === 'gap:plugin';
  return (
    (READ_ELEMENTS.includes(element.name) && !(isPlugin && getPluginName(element) === '')) ||
    onlyAllowsCleartext(element) ||
    addsOnlyLinks(element) ||
    addsOnlyQueries(element)
  );
}

/** Thrown when a package is rejected. The message explains the problem to the app's developer. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}

/** Formats the name of an entry for a message: quoted, shortened, and without control and format characters. */
export function toDisplayText(name: string): string {
  const text = name.slice(0, 4 * MAX_SHOWN_LENGTH).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFD]/gu, '');
  // Remove a surrogate whose other half was cut off.
  const cut = text.slice(0, MAX_SHOWN_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `"${text.length > MAX_SHOWN_LENGTH ? `${cut}…` : text}"`;
}
