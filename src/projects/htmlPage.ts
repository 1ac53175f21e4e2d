import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

import type { Span } from '../configXml/xmlDocument.ts';
import { isServiceScript, leavesApp } from './pageAddress.ts';
import { frontMatterMark, placeholderMark, scriptMark, type SourceMark } from './sourceMark.ts';

/** What a web page says in its tags. A span is that of a tag. */
export interface Page {
  readonly title: string | undefined;
  /** The address of its web app manifest, as written. */
  readonly manifest: string | undefined;
  /** Addresses, as those of the next one. */
  readonly touchIcons: readonly string[];
  /** Its other icons that are PNG images. */
  readonly icons: readonly string[];
  /** As written: any colour of CSS. */
  readonly themeColor: string | undefined;
  readonly base: PageReference | undefined;
  /** The scripts that a browser runs: neither data nor those for old browsers. */
  readonly scripts: readonly PageScript[];
  readonly stylesheets: readonly PageReference[];
  /** Addresses in the app that it loads from, as written: scripts, stylesheets, images, media, and frames. */
  readonly loads: readonly string[];
  readonly policies: readonly PagePolicy[];
  readonly sources: readonly SourceMark[];
  /** Whether an import map tells the browser where packages are that modules import by name. */
  readonly hasImportMap: boolean;
  /** It shows nothing and runs nothing. */
  readonly isEmpty: boolean;
}

interface PageReference {
  readonly href: string;
  readonly span: Span;
}

export interface PageScript {
  /** Undefined for one that is written in the page. */
  readonly src: string | undefined;
  readonly isModule: boolean;
  readonly nonce: string | undefined;
  /** As written: `sha256-… sha384-…`. */
  readonly integrity: string | undefined;
  readonly span: Span;
}

interface PagePolicy {
  readonly content: string;
  readonly span: Span;
}

/** Characters of a page that are read. */
const MAX_LENGTH = 512 * 1024;
/** Of its scripts and stylesheets the first: each is looked for. */
const MAX_REFERENCES = 1_000;
const MAX_TITLE = 200;
const MAX_ADDRESS = 2_000;

/** Elements whose tags are not those of the page: what a script copies, and what is shown without scripts. */
const UNUSED: ReadonlySet<string> = new Set(['template', 'noscript']);
/** Elements that show nothing. */
const METADATA: ReadonlySet<string> = new Set('html head body meta link title style base script noscript'.split(' '));

const JAVASCRIPT = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/;

/** Reads a page, in time that grows as its length does. */
export function readPage(html: string): Page {
  return new PageReader(html.slice(0, MAX_LENGTH)).read();
}

class PageReader implements TokenizerCallbacks {
  readonly #html: string;
  /** Begin of the tag that is read. */
  #start = 0;
  #name = '';
  #attributes = new Map<string, string>();
  #attributeName = '';
  #value = '';
  /** The kind of element that the text belongs to. */
  #textOf: 'title' | 'body' | 'unseen' = 'body';
  #unused: { readonly name: string; depth: number } | undefined;
  #drawings = 0;

  #title: string | undefined;
  #titleSpan: Span = { start: 0, end: 0 };
  #manifest: string | undefined;
  #themeColor: string | undefined;
  #base: PageReference | undefined;
  readonly #touchIcons: string[] = [];
  readonly #icons: string[] = [];
  readonly #scripts: PageScript[] = [];
  readonly #stylesheets: PageReference[] = [];
  readonly #loads: string[] = [];
  readonly #policies: PagePolicy[] = [];
  readonly #sources: SourceMark[] = [];
  #hasImportMap = false;
  /** Elements and texts that are shown. */
  #shown = 0;
  #firstElement: SourceMark | undefined;
  #appRoot: SourceMark | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  read(): Page {
    this.#markSource(frontMatterMark(this.#html));
    const tokenizer = new Tokenizer({ decodeEntities: true }, this);
    tokenizer.write(this.#html);
    tokenizer.end();
    if (this.#scripts.every(({ src }) => src !== undefined && isServiceScript(src))) {
      this.#readWithoutScripts();
    }
    return {
      title: unlessEmpty(this.#title?.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE)),
      manifest: this.#manifest,
      touchIcons: this.#touchIcons,
      icons: this.#icons,
      themeColor: this.#themeColor,
      base: this.#base,
      scripts: this.#scripts,
      stylesheets: this.#stylesheets,
      loads: this.#loads,
      policies: this.#policies,
      sources: this.#sources,
      hasImportMap: this.#hasImportMap,
      isEmpty: this.#shown === 0 && this.#scripts.length === 0,
    };
  }

  /** A page may fill in a placeholder or an element by itself, but not without a script of its own. */
  #readWithoutScripts(): void {
    this.#markSource(placeholderMark(this.#title ?? '', this.#titleSpan));
    const lone = this.#shown === 1 && this.#firstElement?.what.includes('-') === true ? this.#firstElement : undefined;
    this.#markSource(this.#appRoot ?? lone);
  }

  #markSource(mark: SourceMark | undefined): void {
    if (mark !== undefined) {
      this.#sources.push(mark);
    }
  }

  // What the tokenizer finds

  onopentagname(start: number, end: number): void {
    this.#start = start - 1;
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#html.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#html.slice(start, end);
  }

  onattribentity(code: number): void {
    this.#value += String.fromCodePoint(code);
  }

  onattribend(): void {
    // A browser takes the first of two that have the same name.
    if (!this.#attributes.has(this.#attributeName)) {
      this.#attributes.set(this.#attributeName, this.#value);
    }
  }

  onopentagend(at: number): void {
    this.#endTag({ start: this.#start, end: at + 1 }, false);
  }

  onselfclosingtag(at: number): void {
    this.#endTag({ start: this.#start, end: at + 1 }, true);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    this.#textOf = 'body';
    if (name === this.#unused?.name) {
      this.#unused.depth -= 1;
      this.#unused = this.#unused.depth > 0 ? this.#unused : undefined;
    } else if (name === 'svg') {
      this.#drawings = Math.max(0, this.#drawings - 1);
    }
  }

  ontext(start: number, end: number): void {
    this.#readText(this.#html.slice(start, end), { start, end });
  }

  ontextentity(code: number, end: number): void {
    this.#readText(String.fromCodePoint(code), { start: end, end });
  }

  /** In a drawing, `<title/>` and `<style/>` are closed. */
  isInForeignContext(): boolean {
    return this.#drawings > 0;
  }

  oncdata(): void {
    // It is shown only within a drawing.
  }

  oncomment(): void {
    // It is not shown.
  }

  ondeclaration(): void {
    // All of them are `<!doctype html>`.
  }

  onprocessinginstruction(): void {
    // HTML has none.
  }

  onend(): void {
    // `read` goes on.
  }

  // Tags and texts

  #endTag(span: Span, isSelfClosing: boolean): void {
    const name = this.#name;
    if (this.#unused !== undefined) {
      this.#unused.depth += name === this.#unused.name ? 1 : 0;
      return;
    }
    this.#countElement(name, span);
    if (name === 'svg' && !isSelfClosing) {
      this.#drawings += 1;
    }
    if (UNUSED.has(name)) {
      this.#unused = { name, depth: 1 };
      return;
    }
    this.#textOf = name === 'script' || name === 'style' ? 'unseen' : 'body';
    for (const value of this.#attributes.values()) {
      this.#markSource(placeholderMark(value, span));
    }
    this.#readLoaded(name);
    switch (name) {
      case 'title':
        this.#readTitle(span);
        break;
      case 'meta':
        this.#readMeta(span);
        break;
      case 'link':
        this.#readLink(span);
        break;
      case 'base':
        this.#readBase(span);
        break;
      case 'script':
        this.#readScript(span);
        break;
    }
  }

  #readText(text: string, span: Span): void {
    if (this.#unused !== undefined || this.#textOf === 'unseen') {
      return;
    }
    if (this.#textOf === 'title') {
      this.#title = (this.#title ?? '') + text;
    } else if (/\S/.test(text)) {
      // SvelteKit's is in the head, where no other text is.
      const placeholder = this.#shown === 0 ? placeholderMark(text, span) : undefined;
      this.#shown += placeholder === undefined ? 1 : 0;
      this.#markSource(placeholder);
    }
  }

  #countElement(name: string, span: Span): void {
    if (!METADATA.has(name)) {
      this.#shown += 1;
      const mark: SourceMark = { kind: 'element', what: `<${name}>`, span };
      this.#firstElement ??= mark;
      if (name === 'app-root') {
        this.#appRoot ??= mark;
      }
    }
  }

  #readTitle(span: Span): void {
    // Drawings have titles, too.
    const isOfPage = this.#title === undefined && this.#drawings === 0;
    this.#textOf = isOfPage ? 'title' : 'unseen';
    if (isOfPage) {
      this.#title = '';
      this.#titleSpan = span;
    }
  }

  #readMeta(span: Span): void {
    const content = this.#attribute('content');
    if (content === undefined) {
      return;
    }
    if (this.#attribute('http-equiv')?.toLowerCase() === 'content-security-policy') {
      this.#policies.push({ content, span });
    }
    // One for a dark theme says so.
    if (this.#attribute('name')?.toLowerCase() === 'theme-color' && !this.#attributes.has('media')) {
      this.#themeColor ??= content;
    }
  }

  #readLoaded(name: string): void {
    const address = this.#attribute(name === 'link' ? 'href' : 'src');
    const isShort = address !== undefined && address.length <= MAX_ADDRESS;
    if (isShort && !leavesApp(address) && this.#loads.length < MAX_REFERENCES) {
      this.#loads.push(address);
    }
  }

  #readLink(span: Span): void {
    const href = this.#attribute('href');
    if (href === undefined) {
      return;
    }
    const relations = (this.#attribute('rel') ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('stylesheet') && this.#stylesheets.length < MAX_REFERENCES) {
      this.#stylesheets.push({ href, span });
    }
    if (relations.includes('manifest')) {
      this.#manifest ??= href;
    }
    if (relations.some((relation) => /^apple-touch-icon(?:-precomposed)?$/.test(relation))) {
      this.#touchIcons.push(href);
    } else if (relations.includes('icon') && isPng(href, this.#attribute('type'))) {
      this.#icons.push(href);
    }
  }

  #readBase(span: Span): void {
    // An empty one counts: it is the page's own address. Each other address is seen from it, which takes as long as it is.
    const href = this.#attributes.get('href')?.trim();
    if (href !== undefined && href.length <= MAX_ADDRESS) {
      this.#base ??= { href, span };
    }
  }

  #readScript(span: Span): void {
    const type = (this.#attributes.get('type') ?? '').trim().toLowerCase();
    const src = this.#attributes.get('src')?.trim();
    this.#hasImportMap ||= type.startsWith('importmap');
    const isMore = this.#scripts.length >= MAX_REFERENCES;
    if (isMore || !JAVASCRIPT.test(type) || this.#attributes.has('nomodule') || src === '') {
      return;
    }
    const isModule = type === 'module';
    const [nonce, integrity] = [this.#attribute('nonce'), this.#attribute('integrity')];
    this.#scripts.push({ src, isModule, nonce, integrity, span });
    this.#markSource(src === undefined ? undefined : scriptMark(src, isModule, span));
  }

  /** Of the tag that is read; without white space at its ends. @returns undefined for an empty one */
  #attribute(name: string): string | undefined {
    return unlessEmpty(this.#attributes.get(name)?.trim());
  }
}

function unlessEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function isPng(href: string, type: string | undefined): boolean {
  return type === undefined ? /\.png(?:[?#]|$)/i.test(href) : type.toLowerCase() === 'image/png';
}
