import { fileProblems } from './checks/files.ts';
import { identityProblems } from './checks/identity.ts';
import { preferenceProblems } from './checks/preferences.ts';
import { structureProblems } from './checks/structure.ts';
import type { ConfigProblem } from './configProblem.ts';
import type { XmlDocument } from './xmlDocument.ts';

/**
 * Checks a config.xml. Never throws. What is not well-formed hides the rest of the checks where they would only repeat it.
 *
 * @param missingFiles paths of {@link filesNamedIn} that are not there; undefined when nobody has looked.
 * @returns in the order of the text; none for a text whose root is not `widget`, see {@link isWidget}.
 */
export function checkConfig(document: XmlDocument, missingFiles?: ReadonlySet<string>): readonly ConfigProblem[] {
  if (!isWidget(document)) {
    return [];
  }
  return [
    ...document.problems,
    ...identityProblems(document),
    ...structureProblems(document),
    ...preferenceProblems(document),
    ...(missingFiles === undefined ? [] : fileProblems(document, missingFiles)),
  ].sort((a, b) => a.span.start - b.span.start);
}

/** True for the config.xml of a Cordova app: not that of Jenkins or of Tizen. */
export function isWidget({ root }: XmlDocument): boolean {
  return root?.name === 'widget';
}
