import { sentence } from '../api/errors/sentence.ts';
import type { Absences } from './checks/namedFile.ts';
import { fileProblems } from './checks/files.ts';
import { identityProblems } from './checks/identity.ts';
import { preferenceProblems } from './checks/preferences.ts';
import { prefixProblems } from './checks/prefixes.ts';
import { elementProblems } from './checks/elements.ts';
import { spanWithLine } from './checks/widgetParts.ts';
import { type ConfigProblem, insertion, preferredFix, renamed } from './configProblem.ts';
import { areSimilar } from './didYouMean.ts';
import type { XmlDocument, XmlElement } from './xmlDocument.ts';

const WIDGET_SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html#widget';

/**
 * Checks a config.xml. Never throws. A syntax mistake suppresses the checks that would only repeat it.
 *
 * @param absent what it names and is not there; undefined when nobody looked.
 * @returns in the order of the text; none for what is no config.xml of a Cordova app, see {@link isWidget}.
 */
export function checkConfig(document: XmlDocument, absent?: Absences): readonly ConfigProblem[] {
  const { root, problems } = document;
  if (root === undefined || !isWidget(document)) {
    return [];
  }
  const later = laterWidget(document);
  if (later !== undefined) {
    // That everything must be inside of one element is said by this.
    const others = problems.filter(({ span }) => span.start < root.span.end || span.start > later.span.start);
    return inOrder([...others, beforeWidget(document, root, later)]);
  }
  if (root.name !== 'widget') {
    const isReported = problems.some(({ related }) => related?.span.start === root.nameSpan.start);
    return isReported ? problems : inOrder([...problems, wrongRoot(root)]);
  }
  if (problems.some(({ code }) => code === 'tooLarge')) {
    return problems;
  }
  return inOrder([
    ...problems,
    ...prefixProblems(document),
    ...identityProblems(document),
    ...elementProblems(document),
    ...preferenceProblems(document),
    ...(absent === undefined ? [] : fileProblems(document, absent)),
  ]);
}

function inOrder(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.toSorted((a, b) => a.span.start - b.span.start);
}

/**
 * True for the config.xml of a Cordova app, not for that of Jenkins, Tizen or BlackBerry WebWorks; also for one whose root has another name that is
 * close to `widget`, or has the namespace of widgets, around elements of Cordova.
 */
export function isWidget(document: XmlDocument): boolean {
  const { root } = document;
  if (root === undefined || isForeignWidget(root)) {
    return false;
  }
  if (root.name === 'widget' || laterWidget(document) !== undefined) {
    return true;
  }
  const isMeant =
    areSimilar(root.name.replace(/^(?:cdv|gap):/, ''), 'widget') || namespacesOf(root).some(isOwnNamespace);
  return isMeant && root.children.filter(({ name }) => USUAL_ELEMENTS.has(name)).length >= MIN_USUAL_ELEMENTS;
}

/** The `<widget>` of a text whose first element stands before it, or is never closed; undefined where that is the first. */
function laterWidget({ root, elements }: XmlDocument): XmlElement | undefined {
  if (root === undefined || root.name === 'widget') {
    return undefined;
  }
  const isOpen = root.endTag === undefined && !root.isSelfClosing;
  return elements.find(
    ({ name, parent }) => name === 'widget' && (parent === undefined || (isOpen && parent === root)),
  );
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

/** Elements that nearly every config.xml has, and which are rare elsewhere. */
const USUAL_ELEMENTS: ReadonlySet<string> = new Set(
  'name author content access allow-intent allow-navigation preference platform plugin'.split(' '),
);
const MIN_USUAL_ELEMENTS = 2;

/** Whether the root is that of widgets of another kind. Cordova, which built for those platforms too, has a namespace of its own. */
function isForeignWidget(root: XmlElement): boolean {
  const namespaces = namespacesOf(root);
  const isForeign = namespaces.some((url) => FOREIGN_NAMESPACES.some((each) => url.startsWith(each)));
  return isForeign && !namespaces.some(isCordovaNamespace);
}

/** Of Tizen, and of BlackBerry WebWorks. */
const FOREIGN_NAMESPACES = ['http://tizen.org/', 'http://www.blackberry.com/'] as const;

function isOwnNamespace(url: string): boolean {
  return url === 'http://www.w3.org/ns/widgets' || isCordovaNamespace(url);
}

function isCordovaNamespace(url: string): boolean {
  return url === 'http://cordova.apache.org/ns/1.0' || url === 'http://phonegap.com/ns/1.0';
}

function namespacesOf({ attributes }: XmlElement): readonly string[] {
  return attributes.flatMap(({ name, value }) => (name === 'xmlns' || name.startsWith('xmlns:') ? [value] : []));
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
