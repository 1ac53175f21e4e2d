import { areSimilar } from './didYouMean.ts';
import type { XmlAttribute, XmlDocument, XmlElement } from './xmlDocument.ts';
import { MAX_SHOWN_LENGTH } from './limits.ts';
import type { Span } from './markup.ts';

/** An element that describes the app: a child of the root or of one of its `<platform>` elements. */
export interface WidgetPart {
  readonly element: XmlElement;
  /** Name without the prefix of Cordova or PhoneGap Build, such as `splash` for `gap:splash`. */
  readonly name: string;
  /** Name of the `<platform>`. Undefined for all platforms. */
  readonly platform: string | undefined;
}

/** Returns the parts of an app's config.xml in document order. */
export function widgetParts({ root }: XmlDocument): readonly WidgetPart[] {
  const parts: WidgetPart[] = [];
  for (const element of root?.children ?? []) {
    if (element.name === 'platform') {
      const platform = findAttribute(element, 'name')?.value.trim() ?? '';
      for (const child of element.children) {
        parts.push({ element: child, name: localName(child), platform });
      }
    } else {
      parts.push({ element, name: localName(element), platform: undefined });
    }
  }
  return parts;
}

/** Returns the first attribute with a name. */
export function findAttribute(element: Pick<XmlElement, 'attributes'>, name: string): XmlAttribute | undefined {
  return element.attributes.find((attribute) => attribute.name === name);
}

/**
 * Returns the name of a `<plugin>`. Without a name, as in PhoneGap Build, returns the name of the plugin's Git
 * repository. Returns an empty string if neither exists. Also returns an empty string for PhoneGap 2's `<plugin
 * name="Geolocation" value="…">`, which isn't a plugin but assigns a class to a part of PhoneGap.
 */
export function getPluginName(element: XmlElement): string {
  const has = (name: string): boolean => findAttribute(element, name) !== undefined;
  if (has('value') && !has('spec') && !has('version') && !has('source')) {
    return '';
  }
  const [address = ''] = (findAttribute(element, 'spec')?.value ?? '').split(/[?#]/, 1);
  const isGit = address.endsWith('.git') || findAttribute(element, 'source')?.value === 'git';
  const [, last = ''] = /\/([\w.-]{1,200}?)(?:\.git)?\/?$/.exec(address) ?? [];
  const name = findAttribute(element, 'name')?.value ?? '';
  return name === '' && isGit ? last : name;
}

function localName({ name }: XmlElement): string {
  return name.startsWith('gap:') || name.startsWith('cdv:') ? name.slice('gap:'.length) : name;
}

/** The default start page. */
export const DEFAULT_START_PAGE = 'index.html';

/** Returns the path in `<content src>`, relative to the pages folder. */
export function getStartPage({ root }: XmlDocument): string {
  const content = root?.children.find(({ name }) => name === 'content');
  const src = (content && findAttribute(content, 'src')?.value) ?? '';
  return withoutQuery(src === '' ? DEFAULT_START_PAGE : src).replace(/^(\.?\/)+/, '');
}

/** Reports whether the app starts with a website instead of its own page. */
export function isWebAddress(page: string): boolean {
  return /^https?:\/\//i.test(page) && URL.canParse(page);
}

/** Returns an address without query and fragment. */
export function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}

/**
 * Reports whether a config.xml belongs to a Cordova app, rather than to Jenkins, Tizen, or BlackBerry WebWorks. Also
 * accepts a root with Cordova's elements if its name resembles `widget` or it's in the widget namespace.
 */
export function isWidget(document: XmlDocument): boolean {
  const { root } = document;
  if (root === undefined || isForeignWidget(root)) {
    return false;
  }
  if (root.name === 'widget' || laterWidget(document) !== undefined) {
    return true;
  }
  const isMeant =
    areSimilar(root.name.replace(/^(?:cdv|gap):/, ''), 'widget') || getNamespaces(root).some(isOwnNamespace);
  return isMeant && root.children.filter(({ name }) => USUAL_ELEMENTS.has(name)).length >= MIN_USUAL_ELEMENTS;
}

/**
 * Returns the `<widget>` that follows another root element or is inside an unclosed one. Returns undefined if
 * `<widget>` is the root.
 */
export function laterWidget({ root, elements }: XmlDocument): XmlElement | undefined {
  if (root === undefined || root.name === 'widget') {
    return undefined;
  }
  const isOpen = root.endTag === undefined && !root.isSelfClosing;
  return elements.find(
    ({ name, parent }) => name === 'widget' && (parent === undefined || (isOpen && parent === root)),
  );
}

/** Elements that nearly every Cordova config.xml has and that are rare in other files. */
const USUAL_ELEMENTS: ReadonlySet<string> = new Set(
  'name author content access allow-intent allow-navigation preference platform plugin'.split(' '),
);
const MIN_USUAL_ELEMENTS = 2;

/**
 * Reports whether the root is a widget of another kind. Cordova also supported those platforms, but its files have a
 * different namespace.
 */
function isForeignWidget(root: XmlElement): boolean {
  const namespaces = getNamespaces(root);
  const isForeign = namespaces.some((url) => FOREIGN_NAMESPACES.some((each) => url.startsWith(each)));
  return isForeign && !namespaces.some(isCordovaNamespace);
}

/** Namespaces of Tizen and BlackBerry WebWorks. */
const FOREIGN_NAMESPACES = ['http://tizen.org/', 'http://www.blackberry.com/'] as const;

function isOwnNamespace(url: string): boolean {
  return url === 'http://www.w3.org/ns/widgets' || isCordovaNamespace(url);
}

function isCordovaNamespace(url: string): boolean {
  return url === 'http://cordova.apache.org/ns/1.0' || url === 'http://phonegap.com/ns/1.0';
}

function getNamespaces({ attributes }: XmlElement): readonly string[] {
  return attributes.flatMap(({ name, value }) => (name === 'xmlns' || name.startsWith('xmlns:') ? [value] : []));
}

/** Matches placeholders that a script or a generator replaces: `{{X}}`, `{X}`, `__X__`, `*X*`, `<%X%>`. */
const PLACEHOLDER = /\{[^{}]+\}|__(?:[A-Za-z\d]+_)+_|\*[A-Z][A-Z\d_]+\*|<%[^%]*%>/;
/** Matches placeholders that are the whole value: `$X`, `$(X)`, `%X%`, `*X*`, `@X@`, `[[X]]`. */
const WHOLE_PLACEHOLDER = /^(?:\$[A-Z][A-Z\d_]*|\$\([\w.-]+\)|%[\w.-]+%|\*[\w.-]+\*|@[\w.-]+@|\[\[[\w.-]+\]\])$/;
/** Matches a template tag, which XML parsers can't read. */
const TEMPLATE_TAG = /<%[^%]*%>/;

/** Reports whether a value contains a placeholder. */
export function hasPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || WHOLE_PLACEHOLDER.test(value.trim());
}

/** Returns the range of the first `<%X%>` in a document. */
export function templateTag(text: string): Span | undefined {
  const found = TEMPLATE_TAG.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/** Shortens a value for a message, because it may contain a pasted page. */
export function toDisplayText(value: string): string {
  const text = value.replace(/\s+/g, ' ');
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
