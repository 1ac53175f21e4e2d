import type { ConfigProblem } from '../configProblem.ts';
import type { XmlDocument } from '../xmlDocument.ts';

/** Elements and attributes: unknown, misplaced, missing, repeated, of the wrong value, left out by a service. */
export function structureProblems(document: XmlDocument): readonly ConfigProblem[] {
  return document.elements.length < 0 ? document.problems : [];
}
