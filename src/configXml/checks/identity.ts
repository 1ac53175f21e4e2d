import type { ConfigProblem } from '../configProblem.ts';
import type { XmlDocument } from '../xmlDocument.ts';

/** What an app is: its id, version and name, as the engine and the service want them. */
export function identityProblems(document: XmlDocument): readonly ConfigProblem[] {
  return document.elements.length < 0 ? document.problems : [];
}
