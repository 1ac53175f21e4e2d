/** config.xml: what an app is, and what it is built with (W3C Widget Packaging, and the elements that Cordova adds). */
import { parseXml, XmlElement, XmlError } from '@rgrove/parse-xml';

import { withBlankComments } from '../../../formats/xmlComments.ts';
import type { Plugin } from '../../store/model.ts';
import { PackageError, shown } from './archiveContents.ts';

/** The values of a config.xml. Missing texts are empty. */
export interface ConfigFile {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly shortName: string;
  readonly description: string;
  /** `android-versionCode` of the root, and the like: attributes that are for one platform. */
  readonly platformVersions: Readonly<Record<string, string>>;
  /** The page that the app starts with, relative to its web root or a URL. */
  readonly contentSrc: string;
  readonly preferences: readonly Preference[];
  readonly icons: readonly ConfigIcon[];
  readonly accessOrigins: readonly string[];
  readonly allowedIntents: readonly string[];
  readonly allowedNavigation: readonly string[];
  readonly plugins: readonly ConfigPlugin[];
  /** An element that changes Android's manifest has it load what isn't encrypted. */
  readonly usesCleartextTraffic: boolean;
  /**
   * The elements that builders take nothing from, some of which would run code or change files outside of the app in Cordova: in
   * their order, once for each name and platform.
   */
  readonly otherElements: readonly { readonly name: string; readonly platform: string | undefined }[];
}

/** The elements that are read, and `platform`, whose children are. */
const READ_ELEMENTS =
  'name description author content preference access allow-intent allow-navigation plugin gap:plugin platform'.split(
    ' ',
  );

export interface Preference {
  readonly name: string;
  readonly value: string;
  /** `undefined`: for all platforms. */
  readonly platform: string | undefined;
}

/** An icon that config.xml names. Missing texts are empty. */
export interface ConfigIcon {
  /** Relative to the folder of config.xml. */
  readonly src: string;
  /** Such as `xhdpi`. */
  readonly density: string;
  /** Pixels. */
  readonly width: string;
  /** `undefined`: for all platforms. */
  readonly platform: string | undefined;
}

export interface ConfigPlugin extends Plugin {
  readonly variables: Readonly<Record<string, string>>;
  /** `undefined`: for all platforms. */
  readonly platform: string | undefined;
}

/**
 * Reads the bytes of a config.xml.
 *
 * @throws PackageError "Malformed config.xml: …"
 */
export function parseConfig(bytes: Uint8Array): ConfigFile {
  const widget = parseWidget(decode(bytes));
  const elements = [...elementsOf(widget)];
  const named = (name: string): readonly FoundElement[] => elements.filter(({ element }) => element.name === name);
  const attributes = (name: string, attribute: string): readonly string[] =>
    named(name).map(({ element }) => attributeOf(element, attribute));
  return {
    id: attributeOf(widget, 'id'),
    version: attributeOf(widget, 'version'),
    name: textOfElement(named('name')[0]?.element),
    shortName: attributeOf(named('name')[0]?.element, 'short'),
    description: textOfElement(named('description')[0]?.element),
    platformVersions: Object.fromEntries(
      Object.entries(widget.attributes).filter(([name]) => /^(?:android|ios)-\w+$/.test(name)),
    ),
    contentSrc: attributeOf(named('content')[0]?.element, 'src') || 'index.html',
    preferences: named('preference').map(({ element, platform }) => ({
      name: attributeOf(element, 'name'),
      value: attributeOf(element, 'value'),
      platform,
    })),
    icons: named('icon').map(({ element, platform }) => ({
      src: attributeOf(element, 'src'),
      density: attributeOf(element, 'density') || attributeOf(element, 'gap:density'),
      width: attributeOf(element, 'width'),
      platform,
    })),
    accessOrigins: attributes('access', 'origin'),
    allowedIntents: attributes('allow-intent', 'href'),
    allowedNavigation: attributes('allow-navigation', 'href'),
    plugins: [...named('plugin'), ...named('gap:plugin')].flatMap(({ element, platform }) =>
      pluginOf(element, platform),
    ),
    usesCleartextTraffic: elements.some(
      ({ element, platform }) => (platform ?? 'android') === 'android' && allowsCleartext(element),
    ),
    otherElements: otherElementsOf(elements),
  };
}

/** As {@link parseConfig}, but the error is a value, for builds without a config.xml. */
export function readConfig(bytes: Uint8Array): ConfigFile | PackageError {
  try {
    return parseConfig(bytes);
  } catch (error) {
    if (error instanceof PackageError) {
      return error;
    }
    throw error;
  }
}

/** The file that a `<content src>` names, relative to the web root. */
export function pageOfContent(src: string): string {
  return src.replace(/[?#].*$/s, '').replace(/^(\.?\/)+/, '');
}

interface FoundElement {
  readonly element: XmlElement;
  /** `undefined` outside of a `<platform>`. */
  readonly platform: string | undefined;
}

/** The children of the root, and those of its `<platform>` elements. */
function* elementsOf(widget: XmlElement): Generator<FoundElement> {
  for (const element of childrenOf(widget)) {
    if (element.name === 'platform') {
      const platform = attributeOf(element, 'name');
      yield* childrenOf(element).map((child) => ({ element: child, platform }));
    } else {
      yield { element, platform: undefined };
    }
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformedConfig('it is not in UTF-8. Save it as UTF-8');
  }
}

function parseWidget(xml: string): XmlElement {
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(xml)?.[1];
  if (declared !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(declared)) {
    throw malformedConfig(`its encoding is declared as ${shown(declared)}. Save it as UTF-8`);
  }
  // Line ends as XML §2.11 has them: the parser copies the whole text for each one that it changes itself.
  const { root } = parse(withBlankComments(xml.replace(/\r\n?/g, '\n')));
  if (root?.name !== 'widget') {
    throw malformedConfig(`its root element is ${shown(root?.name ?? '')}, not "widget"`);
  }
  return root;
}

function parse(xml: string): ReturnType<typeof parseXml> {
  try {
    const document = parseXml(xml, { preserveDocumentType: true });
    if (document.children.some(({ type }) => type === 'doctype')) {
      throw malformedConfig('it has a document type declaration. Remove it');
    }
    return document;
  } catch (error) {
    if (error instanceof XmlError) {
      const [reason = ''] = error.message.split(/ \(line \d|\n/, 1);
      throw malformedConfig(`${shown(reason).slice(1, -1)} (line ${error.line}, column ${error.column})`);
    }
    // The parser calls itself for each element within another.
    throw error instanceof RangeError ? malformedConfig('its elements are nested too deep') : error;
  }
}

/** The error for a config.xml that cannot be read. */
export function malformedConfig(reason: string): PackageError {
  return new PackageError(`Malformed config.xml: ${reason}.`);
}

function childrenOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement);
}

function attributeOf(element: XmlElement | undefined, name: string): string {
  return element === undefined || !Object.hasOwn(element.attributes, name) ? '' : (element.attributes[name] ?? '');
}

/** The text of an element itself, white space normalised (Widget Packaging, "rule for getting text content with normalized white space"). */
function textOfElement(element: XmlElement | undefined): string {
  const texts = element?.children.flatMap((child) =>
    'text' in child && !(child instanceof XmlElement) ? [child.text] : [],
  );
  return (texts ?? []).join('').replace(/\s+/g, ' ').trim();
}

function pluginOf(element: XmlElement, platform: string | undefined): readonly ConfigPlugin[] {
  const name = nameOfPlugin(element);
  if (name === '') {
    return [];
  }
  const variables = childrenOf(element).flatMap((child): readonly (readonly [string, string])[] => {
    switch (child.name) {
      case 'variable':
        return [[attributeOf(child, 'name'), attributeOf(child, 'value') || attributeOf(child, 'default')]];
      // As PhoneGap Build's own config.xml has it.
      case 'param':
        return [[attributeOf(child, 'name'), attributeOf(child, 'value')]];
      default:
        return [];
    }
  });
  const version = attributeOf(element, 'spec') || attributeOf(element, 'version');
  return [{ name, version: version === '' ? null : version, variables: Object.fromEntries(variables), platform }];
}

/**
 * As PhoneGap Build had it, a plugin may be named by its Git repository alone. Empty when nothing names it, and for PhoneGap 2's
 * `<plugin name="Geolocation" value="…">`, which gives a part of PhoneGap itself a class.
 */
function nameOfPlugin(element: XmlElement): string {
  const has = (name: string): boolean => Object.hasOwn(element.attributes, name);
  if (has('value') && !has('spec') && !has('version') && !has('source')) {
    return '';
  }
  const [address = ''] = attributeOf(element, 'spec').split(/[?#]/, 1);
  const isGit = address.endsWith('.git') || attributeOf(element, 'source') === 'git';
  const [, last = ''] = /\/([\w.-]{1,200}?)(?:\.git)?\/?$/.exec(address) ?? [];
  return attributeOf(element, 'name') || (isGit ? last : '');
}

/** Elements that change files of a platform. */
const CHANGES = new Set(['edit-config', 'config-file', 'gap:config-file']);
const CLEARTEXT = 'android:usesCleartextTraffic';

function allowsCleartext(element: XmlElement): boolean {
  return CHANGES.has(element.name) && childrenOf(element).some((child) => attributeOf(child, CLEARTEXT) === 'true');
}

/** Whether nothing else is changed. */
function onlyAllowsCleartext(element: XmlElement): boolean {
  const changesOnlyThat = (child: XmlElement): boolean =>
    Object.keys(child.attributes).join() === CLEARTEXT && childrenOf(child).length === 0;
  return allowsCleartext(element) && childrenOf(element).every(changesOnlyThat);
}

function otherElementsOf(elements: readonly FoundElement[]): ConfigFile['otherElements'] {
  const others = elements
    .filter(({ element }) => {
      const isPlugin = element.name === 'plugin' || element.name === 'gap:plugin';
      const isRead = READ_ELEMENTS.includes(element.name) || onlyAllowsCleartext(element);
      return !isRead || (isPlugin && nameOfPlugin(element) === '');
    })
    .map(({ element, platform }) => ({ name: element.name, platform }));
  return [...new Map(others.map((other) => [`${other.name} ${other.platform}`, other])).values()];
}
