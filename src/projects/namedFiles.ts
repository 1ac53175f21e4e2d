import path from 'node:path';
import { DEFAULT_START_PAGE, filesNamedIn } from '../configXml/checks/files.ts';
import type { NamedFile } from '../configXml/checks/namedFile.ts';
import type { XmlDocument } from '../configXml/xmlDocument.ts';
import { readPage } from './htmlPage.ts';
import type { Layout } from './layout.ts';
import type { ProjectFolder } from './projectFolder.ts';
import { folderOfPath, join } from './packing/paths.ts';
import { addressInPage, pathOfAddress } from './pageAddress.ts';

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

/**
 * The files below the project that the app's first page loads. They may be missing.
 *
 * @param startPage below the pages; index.html is read, too
 * @throws CancelledError
 */
export async function filesLoadedBy(
  folder: ProjectFolder,
  { pages }: Pick<Layout, 'pages'>,
  startPage: string,
): Promise<readonly string[]> {
  const loaded: string[] = [];
  for (const page of new Set([startPage, DEFAULT_START_PAGE])) {
    const html = await folder.text(join(pages, page));
    const { loads, base } = html === undefined ? { loads: [], base: undefined } : readPage(html);
    for (const address of loads) {
      const file = pathOfAddress(addressInPage(address, base?.href, page));
      if (file !== undefined && file !== '') {
        loaded.push(join(pages, file));
      }
    }
  }
  return loaded;
}
