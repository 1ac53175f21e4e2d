import { sentence, type Sentence, withArguments } from '../api/errors/sentence.ts';
import type { Span } from '../configXml/xmlDocument.ts';
import { addressInPage, leavesApp, pathOfAddress } from './paths.ts';
import { shown, withoutQuery } from '../configXml/widget.ts';

/**
 * A sign that a page is the source of a build, not its result:
 * - `file`: a script in a language other than JavaScript
 * - `folder`: a module below `src/`, unless that file is there
 * - `placeholder`: a text that a build replaces
 * - `element`: an element that a script fills, in a page without a script of its own
 * - `frontMatter`: the lines that templates of site generators begin with
 * - `import`: a module that imports a package by name, which only the module itself shows
 */
export interface SourceMark {
  readonly kind: 'file' | 'folder' | 'placeholder' | 'element' | 'frontMatter' | 'import';
  /** As written: the address of a script, the placeholder, the element as `<app-root>`, or the name of the package. */
  readonly what: string;
  readonly span: Span;
}

const SOURCE_FILE = /\.(?:tsx?|mts|jsx|vue|svelte)$/i;
const SOURCE_FOLDER = /^(?:\.{0,2}\/)*src\//;
/** Create React App, Vite, SvelteKit; html-webpack-plugin. */
const PLACEHOLDER = /%(?:PUBLIC_URL|(?:REACT_APP|VITE)_\w+|sveltekit\.\w[\w.]*)%|<%[=-][^%]*%>/;
/** The first line of a template for Jekyll, Eleventy, Hugo, and the like. */
const FRONT_MATTER = /^\uFEFF?---(?=[ \t]{0,20}\r?\n)/;

export function frontMatterMark(html: string): SourceMark | undefined {
  const found = FRONT_MATTER.exec(html)?.[0];
  return found === undefined ? undefined : { kind: 'frontMatter', what: '---', span: { start: 0, end: found.length } };
}

/** @param span of the text, or of the tag that it's in */
export function placeholderMark(text: string, span: Span): SourceMark | undefined {
  const found = PLACEHOLDER.exec(text)?.[0];
  return found === undefined ? undefined : { kind: 'placeholder', what: found, span };
}

export function scriptMark(src: string, isModule: boolean, span: Span): SourceMark | undefined {
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
 * What shows that a page needs a build. A module below `src/` that is there may be one of a page without any tool.
 *
 * @param exists whether a file is among the pages
 * @param pagePath of the page, below the folder of the pages
 */
export function loadsSources(
  { sources, base }: { readonly sources: readonly SourceMark[]; readonly base: { readonly href: string } | undefined },
  exists: (path: string) => boolean,
  pagePath?: string,
): SourceMark | undefined {
  const isThere = (src: string): boolean => {
    const path = pathOfAddress(addressInPage(src, base?.href, pagePath));
    return path !== undefined && exists(path);
  };
  return sources.find(({ kind, what }) => kind !== 'folder' || !isThere(what));
}

const MESSAGES: Readonly<Record<SourceMark['kind'], Sentence>> = {
  file: sentence('{0} loads {1}, which only a build tool can read, so the app would be blank.'),
  folder: sentence('{0} loads {1}, which isn’t in the app. A build tool has to build the page first.'),
  placeholder: sentence('{0} contains {1}, which only a build tool fills in, so the app wouldn’t work.'),
  element: sentence('{0} contains {1} but no script, which a build tool adds. Without it, the app would be blank.'),
  frontMatter: sentence(
    '{0} begins with “{1}”, so it’s a template for a site generator such as Jekyll, Eleventy, or Hugo.',
  ),
  import: sentence(
    '{0} loads a module that imports “{1}” by name, which only a build tool can find, so the app would be blank.',
  ),
};

/** The message for a page that is the source of a build. @param path of the page, below the project */
export function sourceMessage(path: string, { kind, what }: SourceMark): Sentence {
  return withArguments(MESSAGES[kind], path, shown(what));
}
