import { sentence } from '../api/errors/sentence.ts';
import type { Absences } from './namedFiles.ts';
import { fileProblems } from './checks/files.ts';
import { identityProblems } from './checks/identity.ts';
import { preferenceProblems } from './checks/preferences.ts';
import { prefixProblems } from './checks/prefixes.ts';
import { elementProblems } from './checks/elements.ts';
import {
  type ConfigProblem,
  insertion,
  preferredFix,
  type ProblemSeverity,
  renamed,
  spanWithLine,
} from './configProblem.ts';
import { MAX_PROBLEMS } from './limits.ts';
import { isWidget, laterWidget } from './widget.ts';
import { syntaxProblems } from './syntax.ts';
import type { XmlDocument, XmlElement } from './xmlDocument.ts';

const WIDGET_SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html#widget';

/**
 * Checks a config.xml. Never throws. A syntax mistake suppresses the checks that would only repeat it.
 *
 * @param absent what it names and is not there; undefined when nobody looked.
 * @returns in the order of the text; none for what is no config.xml of a Cordova app, see `isWidget`.
 */
export function checkConfig(document: XmlDocument, absent?: Absences): readonly ConfigProblem[] {
  const { root } = document;
  return root === undefined || !isWidget(document)
    ? []
    : problemsOf(document, root, absent)
        .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
        .slice(0, MAX_PROBLEMS)
        .sort((a, b) => a.span.start - b.span.start);
}

/** The gravest first. */
const SEVERITIES: readonly ProblemSeverity[] = ['error', 'warning', 'information'];

function problemsOf(document: XmlDocument, root: XmlElement, absent: Absences | undefined): ConfigProblem[] {
  const mistakes = syntaxProblems(document);
  const later = laterWidget(document);
  if (later !== undefined) {
    // That everything must be inside of one element is said by this.
    const others = mistakes.filter(({ span }) => span.start < root.span.end || span.start > later.span.start);
    return [...others, beforeWidget(document, root, later)];
  }
  if (root.name !== 'widget') {
    return [...mistakes, wrongRoot(root)];
  }
  if (mistakes.some(({ code }) => code === 'tooLarge')) {
    return [...mistakes];
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

/** An element that stands before the root. */
function beforeWidget({ text }: XmlDocument, element: XmlElement, widget: XmlElement): ConfigProblem {
  const written = text.slice(element.span.start, element.span.end);
  const isWhole = element.span.end <= widget.span.start && !widget.isSelfClosing;
  const removal = { span: spanWithLine(text, element), newText: '' };
  return {
    code: 'wrongRoot',
    severity: 'error',
    span: element.nameSpan,
    message: sentence('<{0}> stands before <widget>, and everything must be inside of that.', element.name),
    fixes: isWhole
      ? [
          preferredFix(
            sentence('Move into <{0}>', 'widget'),
            removal,
            insertion(widget.startTag.end, `\n    ${written}`),
          ),
        ]
      : [],
    source: WIDGET_SOURCE,
  };
}

function wrongRoot(root: XmlElement): ConfigProblem {
  return {
    code: 'wrongRoot',
    severity: 'error',
    span: root.nameSpan,
    message: sentence('The root element is <{0}>. A build takes no other than <widget>.', root.name),
    fixes: [renamed(root, 'widget')],
    source: WIDGET_SOURCE,
  };
}
