import path from 'node:path';
import { filesNamedIn } from '../configXml/checks/files.ts';
import type { NamedFile } from '../configXml/checks/namedFile.ts';
import type { XmlDocument } from '../configXml/xmlDocument.ts';
import type { Layout } from './layout.ts';
import { folderOfPath } from './packing/paths.ts';

/** The files that the config.xml of a project names, with the places where they may be below the project. */
export function projectFilesNamedIn(
  document: XmlDocument,
  { config = '', pages }: Pick<Layout, 'config' | 'pages'>,
): readonly NamedFile[] {
  const folder = folderOfPath(config);
  const isInPages = folder !== '' && folder === `${pages}/`;
  return filesNamedIn(document, isInPages ? '' : pages, isInPages).map((file) => ({
    ...file,
    candidates: file.candidates
      .map((candidate) => path.posix.normalize(folder + candidate))
      .filter((candidate) => !candidate.startsWith('../')),
    ...(file.pages !== undefined && { pages }),
  }));
}
