import { sentence } from '../errors/index.ts';
import type { MissingFiles } from './namedFiles.ts';
import { fileProblems } from './checks/files.ts';
import { identityProblems } from './checks/identity.ts';
import { preferenceProblems } from './checks/preferences.ts';
import { prefixProblems } from './checks/prefixes.ts';
import { elementProblems } from './checks/elements.ts';
import { configError, type ConfigProblem, insertion, preferredFix, removal, renamed } from './configProblem.ts';
import { isWidget, laterWidget } from './widget.ts';
import { syntaxProblems } from './syntax.ts';
import type { XmlDocument, XmlElement } from './xmlDocument.ts';

const WIDGET_SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html#widget';

/**
 * Checks a config.xml. Never throws. After a syntax error, skips the checks that would only report its consequences.
 *
 * @param absent missing files that config.xml refers to. Undefined to skip the file check
 * @returns the problems in document order, or an empty array if the file isn't a Cordova config.xml (see `isWidget`)
 */
export function checkConfig(document: XmlDocument, absent?: MissingFiles): readonly ConfigProblem[] {
  const { root } = document;
  return root === undefined || !isWidget(document)
    ? []
    : findProblems(document, root, absent).toSorted((a, b) => a.span.start - b.span.start);
}

function findProblems(
  document: XmlDocument,
  root: XmlElement,
  absent: MissingFiles | undefined,
): readonly ConfigProblem[] {
  const mistakes = syntaxProblems(document);
  const later = laterWidget(document);
  if (later !== undefined) {
    // The problem for the element before <widget> already covers the extra root.
    const others = mistakes.filter(({ span }) => span.start < root.span.end || span.start > later.span.start);
    return [...others, beforeWidget(document, root, later)];
  }
  if (root.name !== 'widget') {
    const message = sentence('The root element must be <widget>, not <{0}>.', root.name);
    const fixes = [renamed(root, 'widget')];
    return [...mistakes, configError('wrongRoot', root.nameSpan, message, { fixes, source: WIDGET_SOURCE })];
  }
  if (mistakes.some(({ code }) => code === 'tooLarge')) {
    return mistakes;
  }
  return [
    ...mistakes,
    ...prefixProblems(document),
    ...identityProblems(document, mistakes),
    ...elementProblems(document),
    ...preferenceProblems(document),
    ...(absent === undefined ? [] : fileProblems(document, absent)),
  ];
}

/** Creates the problem for an element before the root. */
function beforeWidget({ text }: XmlDocument, element: XmlElement, widget: XmlElement): ConfigProblem {
  const written = text.slice(element.span.start, element.span.end);
  const isWhole = element.span.end <= widget.span.start && !widget.isSelfClosing;
  const move = preferredFix(
    sentence('Move into <{0}>', 'widget'),
    removal(text, element),
    insertion(widget.startTag.end, `\n    ${written}`),
  );
  const message = sentence('<{0}> must be inside <widget>, not before it.', element.name);
  return configError('wrongRoot', element.nameSpan, message, { fixes: isWhole ? [move] : [], source: WIDGET_SOURCE });
}
