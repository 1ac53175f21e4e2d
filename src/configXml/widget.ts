import { areSimilar } from './didYouMean.ts';
import type { XmlAttribute, XmlDocument, XmlElement } from './xmlDocument.ts';
import { MAX_SHOWN_LENGTH } from './limits.ts';
import type { Span } from './markup.ts';

/** An element about the app: a child of the root, or of one of its `<platform>` elements. */
export interface WidgetPart {
  readonly element: XmlElement;
  /** Without the prefix of Cordova or PhoneGap Build: `splash` for `gap:splash`. */
  readonly name: string;
  /** The name of the `<platform>`; undefined for all platforms. */
  readonly platform: string | undefined;
}

/** The parts of an app's config.xml, in the order of the text. */
export function widgetParts({ root }: XmlDocument): readonly WidgetPart[] {
  const parts: WidgetPart[] = [];
  for (const element of root?.children ?? []) {
    if (element.name === 'platform') {
      const platform = attributeOf(element, 'name')?.value.trim() ?? '';
      for (const child of element.children) {
        parts.push({ element: child, name: localName(child), platform });
      }
    } else {
      parts.push({ element, name: localName(element), platform: undefined });
    }
  }
  return parts;
}

/** The first attribute of a name. */
export function attributeOf(element: Pick<XmlElement, 'attributes'>, name: string): XmlAttribute | undefined {
  return element.attributes.find((attribute) => attribute.name === name);
}

/**
 * The name of a `<plugin>`; without one, as PhoneGap Build had it, that of its Git repository. Empty when nothing names it, and for
 * PhoneGap 2's `<plugin name="Geolocation" value="…">`, which gives a part of PhoneGap itself a class.
 */
export function nameOfPlugin(element: XmlElement): string {
  const has = (name: string): boolean => attributeOf(element, name) !== undefined;
  if (has('value') && !has('spec') && !has('version') && !has('source')) {
    return '';
  }
  const [address = ''] = (attributeOf(element, 'spec')?.value ?? '').split(/[?#]/, 1);
  const isGit = address.endsWith('.git') || attributeOf(element, 'source')?.value === 'git';
  const [, last = ''] = /\/([\w.-]{1,200}?)(?:\.git)?\/?$/.exec(address) ?? [];
  const name = attributeOf(element, 'name')?.value ?? '';
  return name === '' && isGit ? last : name;
}

function localName({ name }: XmlElement): string {
  return name.startsWith('gap:') || name.startsWith('cdv:') ? name.slice('gap:'.length) : name;
}

/** Where nothing else is named. */
export const DEFAULT_START_PAGE = 'index.html';

/** The file that `<content src>` names, below the folder of the pages. */
export function startPageOf({ root }: XmlDocument): string {
  const content = root?.children.find(({ name }) => name === 'content');
  const src = (content && attributeOf(content, 'src')?.value) ?? '';
  return withoutQuery(src === '' ? DEFAULT_START_PAGE : src).replace(/^(\.?\/)+/, '');
}

/** Whether the app begins with a website, and not with a page of its own. */
export function isWebAddress(page: string): boolean {
  return /^https?:\/\//i.test(page) && URL.canParse(page);
}

/** An address without query and fragment. */
export function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}

/**
 * True for the config.xml of a Cordova app, not for that of Jenkins, Tizen or BlackBerry WebWorks; also for one whose root has another name that is
 * close to `widget`, or has the namespace of widgets, around elements of Cordova.
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
    areSimilar(root.name.replace(/^(?:cdv|gap):/, ''), 'widget') || namespacesOf(root).some(isOwnNamespace);
  return isMeant && root.children.filter(({ name }) => USUAL_ELEMENTS.has(name)).length >= MIN_USUAL_ELEMENTS;
}

/** The `<widget>` of a text whose first element stands before it, or is never closed; undefined where that is the first. */
export function laterWidget({ root, elements }: XmlDocument): XmlElement | undefined {
  if (root === undefined || root.name === 'widget') {
    return undefined;
  }
  const isOpen = root.endTag === undefined && !root.isSelfClosing;
  return elements.find(
    ({ name, parent }) => name === 'widget' && (parent === undefined || (isOpen && parent === root)),
  );
}

/** Elements that nearly every config.xml has, and which are rare elsewhere. */
const USUAL_ELEMENTS: ReadonlySet<string> = new Set(
  'name author content access allow-intent allow-navigation preference platform plugin'.split(' '),
);
const MIN_USUAL_ELEMENTS = 2;

/** Whether the root is that of widgets of another kind. Cordova, which built for those platforms too, has a namespace of its own. */
function isForeignWidget(root: XmlElement): boolean {
  const namespaces = namespacesOf(root);
  const isForeign = namespaces.some((url) => FOREIGN_NAMESPACES.some((each) => url.startsWith(each)));
  return isForeign && !namespaces.some(isCordovaNamespace);
}

/** The namespaces of Tizen and of BlackBerry WebWorks. */
const FOREIGN_NAMESPACES = ['http://tizen.org/', 'http://www.blackberry.com/'] as const;

function isOwnNamespace(url: string): boolean {
  return url === 'http://www.w3.org/ns/widgets' || isCordovaNamespace(url);
}

function isCordovaNamespace(url: string): boolean {
  return url === 'http://cordova.apache.org/ns/1.0' || url === 'http://phonegap.com/ns/1.0';
}

function namespacesOf({ attributes }: XmlElement): readonly string[] {
  return attributes.flatMap(({ name, value }) => (name === 'xmlns' || name.startsWith('xmlns:') ? [value] : []));
}

/** What a script of the project, or a generator, fills in: `{{X}}`, `{X}`, `__X__`, `<%X%>`. */
const PLACEHOLDER = /\{[^{}]+\}|__(?:[A-Za-z\d]+_)+_|<%[^%]*%>/;
/** The same as a whole value: `$X`, `$(X)`, `%X%`, `*X*`, `@X@`, `[[X]]`. */
const WHOLE_PLACEHOLDER = /^(?:\$[A-Z][A-Z\d_]*|\$\([\w.-]+\)|%[\w.-]+%|\*[\w.-]+\*|@[\w.-]+@|\[\[[\w.-]+\]\])$/;
/** Which no XML parser reads. */
const TEMPLATE_TAG = /<%[^%]*%>/;

/** True for a value that is not known yet. */
export function hasPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || WHOLE_PLACEHOLDER.test(value.trim());
}

/** Where a text first has a `<%X%>`. */
export function templateTag(text: string): Span | undefined {
  const found = TEMPLATE_TAG.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/** A value as a message shows it: it may be a page that was pasted by accident. */
export function shown(value: string): string {
  const text = value.replace(/\s+/g, ' ');
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
