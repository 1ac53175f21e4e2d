import path from 'node:path';
import { filesNamedIn, type NamedFile } from '../configXml/namedFiles.ts';
import type { XmlDocument } from '../configXml/xmlDocument.ts';
import { readPage } from './htmlPage.ts';
import type { Layout } from './layout.ts';
import type { ProjectFolder } from './projectFolder.ts';
import { folderOfPath, join, addressInPage, pathOfAddress } from './paths.ts';
import { DEFAULT_START_PAGE } from '../configXml/widget.ts';

/** The files that the config.xml of a project names, with the places where they may be below the project. */
export function projectFilesNamedIn(
  document: XmlDocument,
  { config = '', pages }: Pick<Layout, 'config' | 'pages'>,
): readonly NamedFile[] {
  const folder = folderOfPath(config);
  const isInPages = folder !== '' && folder === `${pages}/`;
  const pagesBelow = isInPages ? '' : path.posix.relative(folder, pages);
  return filesNamedIn(document, pagesBelow, isInPages).map((file) => ({
    ...file,
    candidates: file.candidates
      .map((candidate) => path.posix.normalize(folder + candidate))
      .filter((candidate) => !candidate.startsWith('../')),
    ...(file.pages !== undefined && { pages }),
  }));
}

const SCRIPT = /\.m?js$/i;
/** An import of another file, also one that is written as a call. */
const IMPORT = /\b(?:import|from)\s{0,20}\(?\s{0,20}["'](\.{0,2}\/[^"'\r\n]{1,500})["']/g;

/**
 * The files below the project that the app's first page loads, with what their scripts import. They may be missing.
 *
 * @param startPage below the pages; index.html is read, too
 * @throws CancelledError
 */
export async function filesLoadedBy(
  folder: ProjectFolder,
  { pages }: Pick<Layout, 'pages'>,
  startPage: string,
): Promise<readonly string[]> {
  /** Below the pages. */
  const loaded = new Set<string>();
  const add = (address: string, base: string | undefined, from: string): void => {
    const file = pathOfAddress(addressInPage(address, base, from));
    if (file !== undefined && file !== '') {
      loaded.add(file);
    }
  };
  for (const page of new Set([startPage, DEFAULT_START_PAGE])) {
    const html = await folder.text(join(pages, page));
    const { loads, base } = html === undefined ? { loads: [], base: undefined } : readPage(html);
    for (const address of loads) {
      add(address, base?.href, page);
    }
  }
  // Entries that are added meanwhile are visited, too.
  for (const script of loaded) {
    const text = SCRIPT.test(script) ? await folder.text(join(pages, script)) : undefined;
    for (const [, address = ''] of text?.matchAll(IMPORT) ?? []) {
      add(address, undefined, script);
    }
  }
  return [...loaded].map((file) => join(pages, file));
}
