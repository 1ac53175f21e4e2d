import { Parser } from 'htmlparser2';
import { sentence, type Sentence, withArguments } from '../errors/index.ts';
import { type Span, toDisplayText, withoutQuery } from '../config-xml/index.ts';
import { MAX_CONFIGURATION_BYTES, MAX_PATH_BYTES } from './limits.ts';
import { addressInPage, isServiceScript, leavesApp, toPagePath } from './paths.ts';

/** Content of a page's tags. Every span is the range of a tag. */
export type HtmlPage = Readonly<HtmlPageContent>;

interface HtmlPageContent {
  title: string | undefined;
  /** Address of the web app manifest, as written. */
  manifest: string | undefined;
  /** Addresses of Apple touch icons, as written. */
  readonly touchIcons: string[];
  /** Addresses of other icons that are PNG images, as written. */
  readonly icons: string[];
  /** CSS color, as written. */
  themeColor: string | undefined;
  base: PageReference | undefined;
  /** Scripts that a browser runs. Excludes data blocks and scripts for old browsers. */
  readonly scripts: PageScript[];
  readonly stylesheets: PageReference[];
  /** Addresses of the app's files that the page loads, as written: scripts, stylesheets, images, media, and frames. */
  readonly loads: string[];
  readonly policies: { readonly content: string; readonly span: Span }[];
  readonly sources: SourceMark[];
  /** Whether an import map tells the browser how to resolve package names in imports. */
  hasImportMap: boolean;
  /** Whether the page has neither visible content nor scripts. */
  isEmpty: boolean;
}

interface PageReference {
  readonly href: string;
  readonly span: Span;
}

/** A script that a page loads or contains. */
export interface PageScript {
  /** Address of the script. Undefined for an inline script. */
  readonly src: string | undefined;
  readonly isModule: boolean;
  readonly nonce: string | undefined;
  /** `integrity` attribute, as written: `sha256-… sha384-…`. */
  readonly integrity: string | undefined;
  readonly span: Span;
}

/** Elements whose content isn't part of the page: templates, and content for browsers without scripts. */
const UNUSED: ReadonlySet<string> = new Set(['template', 'noscript']);
/** Elements that aren't visible. */
const METADATA: ReadonlySet<string> = new Set('html head body meta link title style base script noscript'.split(' '));

const JAVASCRIPT = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/;

/** Attributes, keyed by name. If an attribute is repeated, the first value wins. */
type TagAttributes = ReadonlyMap<string, string>;

/** Reads a page as a browser does, up to {@link MAX_CONFIGURATION_BYTES} characters. */
export function readPage(html: string): HtmlPage {
  const reader = new PageReader(frontMatterMark(html));
  const parser = new Parser({
    onopentag: (name, attributes, isImplied) => {
      if (!isImplied) {
        reader.open(name, new Map(Object.entries(attributes)), { start: parser.startIndex, end: parser.endIndex + 1 });
      }
    },
    ontext: (text) => reader.text(text, { start: parser.startIndex, end: parser.endIndex + 1 }),
    onclosetag: (name) => reader.close(name),
  });
  parser.end(html.slice(0, MAX_CONFIGURATION_BYTES));
  return reader.end();
}

class PageReader {
  readonly #page: HtmlPageContent = {
    ...{ title: undefined, manifest: undefined, themeColor: undefined, base: undefined },
    ...{ touchIcons: [], icons: [], scripts: [], stylesheets: [], loads: [], policies: [], sources: [] },
    ...{ hasImportMap: false, isEmpty: true },
  };
  #titleSpan: Span = { start: 0, end: 0 };
  /** The kind of element that contains the current text. */
  #textKind: 'title' | 'body' | 'unseen' = 'body';
  #unused: { readonly name: string; depth: number } | undefined;
  /** Depth of nested `<svg>` elements. */
  #drawings = 0;
  /** Number of visible elements and text nodes so far. */
  #shown = 0;
  #firstElement: SourceMark | undefined;
  #appRoot: SourceMark | undefined;

  constructor(frontMatter: SourceMark | undefined) {
    this.#mark(frontMatter);
  }

  end(): HtmlPage {
    const { title, scripts } = this.#page;
    if (scripts.every(({ src }) => src !== undefined && isServiceScript(src))) {
      // Only the page's own scripts can replace a lone placeholder or custom element.
      const isLone = this.#shown === 1 && this.#firstElement?.what.includes('-') === true;
      this.#mark(placeholderMark(title ?? '', this.#titleSpan));
      this.#mark(this.#appRoot ?? (isLone ? this.#firstElement : undefined));
    }
    this.#page.title = unlessEmpty(title?.replace(/\s+/g, ' ').trim());
    this.#page.isEmpty = this.#shown === 0 && scripts.length === 0;
    return this.#page;
  }

  #mark(mark: SourceMark | undefined): void {
    if (mark !== undefined) {
      this.#page.sources.push(mark);
    }
  }

  open(name: string, attributes: TagAttributes, span: Span): void {
    if (this.#unused !== undefined) {
      this.#unused.depth += name === this.#unused.name ? 1 : 0;
      return;
    }
    this.#countElement(name, span);
    this.#drawings += name === 'svg' ? 1 : 0;
    if (UNUSED.has(name)) {
      this.#unused = { name, depth: 1 };
      return;
    }
    this.#textKind = name === 'script' || name === 'style' ? 'unseen' : 'body';
    for (const value of attributes.values()) {
      this.#mark(placeholderMark(value, span));
    }
    const address = getValue(attributes, name === 'link' ? 'href' : 'src');
    if (address !== undefined && !leavesApp(address)) {
      this.#page.loads.push(address);
    }
    switch (name) {
      case 'title':
        this.#readTitle(span);
        break;
      case 'meta':
        this.#readMeta(attributes, span);
        break;
      case 'link':
        this.#readLink(attributes, span);
        break;
      case 'base':
        this.#readBase(attributes, span);
        break;
      case 'script':
        this.#readScript(attributes, span);
        break;
    }
  }

  close(name: string): void {
    this.#textKind = 'body';
    this.#drawings -= name === 'svg' && this.#unused === undefined ? 1 : 0;
    if (name === this.#unused?.name) {
      this.#unused.depth -= 1;
      this.#unused = this.#unused.depth > 0 ? this.#unused : undefined;
    }
  }

  text(text: string, span: Span): void {
    if (this.#unused !== undefined || this.#textKind === 'unseen') {
      return;
    }
    if (this.#textKind === 'title') {
      this.#page.title = (this.#page.title ?? '') + text;
    } else if (/\S/.test(text)) {
      // SvelteKit's placeholder is in the head, which doesn't contain any other text.
      const placeholder = this.#shown === 0 ? placeholderMark(text, span) : undefined;
      this.#shown += placeholder === undefined ? 1 : 0;
      this.#mark(placeholder);
    }
  }

  #countElement(name: string, span: Span): void {
    if (!METADATA.has(name)) {
      this.#shown += 1;
      const mark: SourceMark = { kind: 'element', what: `<${name}>`, span };
      this.#firstElement ??= mark;
      this.#appRoot ??= name === 'app-root' ? mark : undefined;
    }
  }

  #readTitle(span: Span): void {
    // Only a title outside of drawings is the page's.
    const isPageTitle = this.#page.title === undefined && this.#drawings === 0;
    this.#textKind = isPageTitle ? 'title' : 'unseen';
    if (isPageTitle) {
      this.#page.title = '';
      this.#titleSpan = span;
    }
  }

  #readMeta(attributes: TagAttributes, span: Span): void {
    const content = getValue(attributes, 'content');
    if (content === undefined) {
      return;
    }
    if (getValue(attributes, 'http-equiv')?.toLowerCase() === 'content-security-policy') {
      this.#page.policies.push({ content, span });
    }
    // A color with a media attribute is for a dark theme.
    if (getValue(attributes, 'name')?.toLowerCase() === 'theme-color' && !attributes.has('media')) {
      this.#page.themeColor ??= content;
    }
  }

  #readLink(attributes: TagAttributes, span: Span): void {
    const href = getValue(attributes, 'href');
    if (href === undefined) {
      return;
    }
    const relations = (getValue(attributes, 'rel') ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('stylesheet')) {
      this.#page.stylesheets.push({ href, span });
    }
    if (relations.includes('manifest')) {
      this.#page.manifest ??= href;
    }
    if (relations.some((relation) => /^apple-touch-icon(?:-precomposed)?$/.test(relation))) {
      this.#page.touchIcons.push(href);
    } else if (relations.includes('icon') && isPng(href, getValue(attributes, 'type'))) {
      this.#page.icons.push(href);
    }
  }

  #readBase(attributes: TagAttributes, span: Span): void {
    // An empty base is the page's address. The length is limited because every other address is resolved against it.
    const href = attributes.get('href')?.trim();
    if (href !== undefined && href.length <= MAX_PATH_BYTES) {
      this.#page.base ??= { href, span };
    }
  }

  #readScript(attributes: TagAttributes, span: Span): void {
    const type = (attributes.get('type') ?? '').trim().toLowerCase();
    const src = attributes.get('src')?.trim();
    this.#page.hasImportMap ||= type.startsWith('importmap');
    if (!JAVASCRIPT.test(type) || attributes.has('nomodule') || src === '') {
      return;
    }
    const isModule = type === 'module';
    const [nonce, integrity] = [getValue(attributes, 'nonce'), getValue(attributes, 'integrity')];
    this.#page.scripts.push({ src, isModule, nonce, integrity, span });
    this.#mark(src === undefined ? undefined : scriptMark(src, isModule, span));
  }
}

/** Returns the trimmed value of an attribute, or undefined if it's empty. */
function getValue(attributes: TagAttributes, name: string): string | undefined {
  return unlessEmpty(attributes.get(name)?.trim());
}

function unlessEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function isPng(href: string, type: string | undefined): boolean {
  return type === undefined ? /\.png(?:[?#]|$)/i.test(href) : type.toLowerCase() === 'image/png';
}

/**
 * A sign that a page is the source of a build rather than its result:
 * - `file`: a script in a language other than JavaScript
 * - `folder`: a module in `src/`, unless that file exists
 * - `placeholder`: a placeholder that a build replaces
 * - `element`: an element that a script fills, in a page without scripts
 * - `frontMatter`: lines at the start of a file that mark it as a template for a site generator
 * - `import`: a module that imports a package by name, found in the module's code
 */
export interface SourceMark {
  readonly kind: 'file' | 'folder' | 'placeholder' | 'element' | 'frontMatter' | 'import';
  /**
   * The text that is the sign: the address of a script, the placeholder, the element such as `<app-root>`, or the name
   * of the package.
   */
  readonly what: string;
  readonly span: Span;
}

const SOURCE_FILE = /\.(?:tsx?|mts|jsx|vue|svelte)$/i;
const SOURCE_FOLDER = /^(?:\.{0,2}\/)*src\//;
/** Matches placeholders of Create React App, Vite, SvelteKit, and html-webpack-plugin. */
const PLACEHOLDER = /%(?:PUBLIC_URL|(?:REACT_APP|VITE)_\w+|sveltekit\.\w[\w.]*)%|<%[=-][^%]*%>/;
/** Matches the first line of a template for Jekyll, Eleventy, Hugo, or a similar tool. */
const FRONT_MATTER = /^\uFEFF?---(?=[ \t]{0,20}\r?\n)/;

function frontMatterMark(html: string): SourceMark | undefined {
  const found = FRONT_MATTER.exec(html)?.[0];
  return found === undefined ? undefined : { kind: 'frontMatter', what: '---', span: { start: 0, end: found.length } };
}

/**
 * Finds a placeholder in text.
 *
 * @param span the span of the text, or of the tag that contains it
 */
function placeholderMark(text: string, span: Span): SourceMark | undefined {
  const found = PLACEHOLDER.exec(text)?.[0];
  return found === undefined ? undefined : { kind: 'placeholder', what: found, span };
}

function scriptMark(src: string, isModule: boolean, span: Span): SourceMark | undefined {
  const path = withoutQuery(src);
  if (leavesApp(src)) {
    return undefined;
  }
  if (SOURCE_FILE.test(path)) {
    return { kind: 'file', what: src, span };
  }
  return isModule && SOURCE_FOLDER.test(path) ? { kind: 'folder', what: src, span } : undefined;
}

/**
 * Returns the sign that a page is the source of a build, or undefined. A module in `src/` is a sign only if the file
 * doesn't exist.
 *
 * @param exists reports whether a file exists in the pages folder
 * @param pagePath the path of the page, relative to the pages folder
 */
export function loadsSources(
  { sources, base }: { readonly sources: readonly SourceMark[]; readonly base: { readonly href: string } | undefined },
  exists: (path: string) => boolean,
  pagePath?: string,
): SourceMark | undefined {
  const isThere = (src: string): boolean => {
    const path = toPagePath(addressInPage(src, base?.href, pagePath));
    return path !== undefined && exists(path);
  };
  return sources.find(({ kind, what }) => kind !== 'folder' || !isThere(what));
}

const MESSAGES: Readonly<Record<SourceMark['kind'], Sentence>> = {
  file: sentence('{0} loads source code ({1}), so the app would be blank.'),
  folder: sentence('{0} loads {1}, which isn’t in the app. A build tool has to build the page first.'),
  placeholder: sentence('{0} contains {1}, which only a build tool fills in, so the app wouldn’t work.'),
  element: sentence('{0} contains {1} but no script. A build tool has to add it. Without it, the app would be blank.'),
  frontMatter: sentence(
    '{0} begins with “{1}”, so it’s a template for a site generator such as Jekyll, Eleventy, or Hugo.',
  ),
  import: sentence(
    '{0} loads a module that imports “{1}” by name, which only a build tool can find, so the app would be blank.',
  ),
};

/**
 * Returns the message for a page that is the source of a build.
 *
 * @param path the path of the page, relative to the project
 */
export function sourceMessage(path: string, { kind, what }: SourceMark): Sentence {
  return withArguments(MESSAGES[kind], path, toDisplayText(what));
}
