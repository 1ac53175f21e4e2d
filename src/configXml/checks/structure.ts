import { type Sentence, sentence } from '../../api/errors/sentence.ts';
import type { ConfigProblem, ProblemFix } from '../configProblem.ts';
import { didYouMean } from '../didYouMean.ts';
import { ELEMENTS } from '../rules/elements.ts';
import type { ElementRule } from '../rules/rule.ts';
import { elementRule, elementsIn, isForeignName } from '../rules/ruleTable.ts';
import type { XmlDocument, XmlElement } from '../xmlDocument.ts';
import { addAttributeProblems } from './attributes.ts';
import { shown } from './valueTypes.ts';
import { attributeOf, spanWithLine } from './widgetParts.ts';

/** Where Cordova says which elements there are. */
const SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html';

/** Elements that are often called by another name. */
const MISTAKES: Readonly<Record<string, string>> = {
  title: 'name',
  preferences: 'preference',
  setting: 'preference',
  permission: 'config-file',
  'allow-access': 'access',
  'allow-url': 'allow-navigation',
  splashscreen: 'splash',
  'splash-screen': 'splash',
  script: 'hook',
  licence: 'license',
};

/** Elements and attributes: unknown, misplaced, missing, repeated, of the wrong value, left out by a service. */
export function structureProblems(document: XmlDocument): readonly ConfigProblem[] {
  const { root } = document;
  const rootRule = root === undefined ? undefined : elementRule(root.name);
  if (root === undefined || rootRule === undefined) {
    return [];
  }
  const broken = brokenTags(document);
  const problems: ConfigProblem[] = [];
  const check = (element: XmlElement, rule: ElementRule): void => {
    if (!broken.isStartTag(element)) {
      addAttributeProblems(problems, element, rule);
    }
    if (rule.leftOut !== undefined) {
      problems.push(leftOutElement(element, rule, rule.leftOut));
    }
  };
  check(root, rootRule);
  // What another format or a plugin has in its elements, nobody here knows.
  const judged = [{ parent: root, parentRule: rootRule }];
  for (let next = judged.pop(); next !== undefined; next = judged.pop()) {
    const { parent, parentRule } = next;
    const firsts = new Map<string, XmlElement>();
    for (const element of parent.children) {
      const rule = elementRule(element.name);
      const isPlaceKnown = broken.placesFrom === Infinity || element.startTag.start < broken.placesFrom;
      if (rule !== undefined) {
        if (isPlaceKnown) {
          addPlaceProblems(problems, document, element, rule, parentRule, firsts);
        }
        check(element, rule);
        if (element.children.length > 0 && rule.isOpen !== true) {
          judged.push({ parent: element, parentRule: rule });
        }
      } else if (isPlaceKnown && !isForeignName(element.name)) {
        problems.push(unknownElement(element, parentRule));
      }
    }
  }
  return problems;
}

interface BrokenTags {
  /** True for an element whose start tag is not well-formed: what it lacks may be in what could not be read. */
  readonly isStartTag: (element: XmlElement) => boolean;
  /** From here on, an element may be in another one only because an end tag is missing. */
  readonly placesFrom: number;
}

function brokenTags({ problems, root }: XmlDocument): BrokenTags {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const tags = errors.filter(
    ({ code, span }) => (code === 'notClosed' || code === 'endTagMismatch') && span.start !== root?.startTag.start,
  );
  // A misspelt name is told once, where the tags differ.
  const starts = tags.map(({ span, related }) => Math.min(span.start, related?.span.start ?? Infinity));
  const isBroken = ({ startTag }: XmlElement): boolean =>
    errors.some(({ span }) => span.start > startTag.start && span.start < startTag.end) ||
    tags.some(({ span }) => span.start === startTag.start && span.end === startTag.end);
  return {
    isStartTag: (element) => errors.length > 0 && isBroken(element),
    placesFrom: Math.min(...starts.map((start) => start - 1)),
  };
}

function unknownElement(element: XmlElement, parent: ElementRule): ConfigProblem {
  const { name, nameSpan } = element;
  const problem = { code: 'unknownElement', span: nameSpan, source: SOURCE } as const;
  const meant = meantElement(name, parent);
  return meant === undefined
    ? {
        ...{ ...problem, severity: 'information' },
        message: sentence('Cordova knows no element <{0}>.', shown(name)),
        next: sentence('It has no effect, unless a plugin reads it.'),
      }
    : {
        ...{ ...problem, severity: 'warning' },
        message: sentence('Cordova knows no element <{0}>.', shown(name)),
        next: sentence('Did you mean <{0}>?', meant),
        fixes: [renamed(element, meant)],
      };
}

function meantElement(name: string, parent: ElementRule): string | undefined {
  const mistake = Object.hasOwn(MISTAKES, name.toLowerCase()) ? MISTAKES[name.toLowerCase()] : undefined;
  const here = elementsIn(parent.name).map((rule) => rule.name);
  return mistake !== undefined && here.includes(mistake)
    ? mistake
    : (didYouMean(name, here) ??
        didYouMean(
          name,
          ELEMENTS.map((rule) => rule.name),
        ));
}

/** Changes the name in both tags. */
export function renamed({ nameSpan, endTag }: XmlElement, newText: string): ProblemFix {
  const ending = endTag === undefined ? [] : [{ span: endTag, newText: `</${newText}>` }];
  return {
    title: sentence('Change to “{0}”', newText),
    isPreferred: true,
    changes: [{ span: nameSpan, newText }, ...ending],
  };
}

/** @param firsts the elements before this one that may stand once only, by name; is added to. */
function addPlaceProblems(
  problems: ConfigProblem[],
  document: XmlDocument,
  element: XmlElement,
  rule: ElementRule,
  parentRule: ElementRule,
  firsts: Map<string, XmlElement>,
): void {
  if (!rule.parents.includes(parentRule.name)) {
    problems.push(misplacedElement(document, element, rule, parentRule));
  } else if (rule.isOnce === true) {
    // A text may stand in several languages.
    const key = `${rule.name} ${attributeOf(element, 'xml:lang')?.value ?? ''}`;
    const first = firsts.get(key);
    if (first === undefined) {
      firsts.set(key, element);
    } else {
      problems.push(repeatedElement(document.text, element, first, rule));
    }
  }
}

function misplacedElement(
  document: XmlDocument,
  element: XmlElement,
  rule: ElementRule,
  parent: ElementRule,
): ConfigProblem {
  const problem = {
    code: 'misplacedElement',
    severity: 'warning',
    span: element.nameSpan,
    source: rule.source,
  } as const;
  const message = sentence('<{0}> has no effect in <{1}>.', rule.name, parent.name);
  if (rule.parents.length === 0) {
    return { ...problem, message, next: sentence('It can only be the root element.') };
  }
  return {
    ...{ ...problem, message },
    next: sentence(
      'It belongs into {0}.',
      rule.parents.map((name) => `<${name}>`),
    ),
    ...(rule.parents.includes('widget') ? { fixes: [movedToRoot(document.text, element)] } : {}),
  };
}

/** Moves an element behind the child of the root that it stands in. */
function movedToRoot(text: string, element: XmlElement): ProblemFix {
  let around = element;
  while (around.parent?.parent !== undefined) {
    around = around.parent;
  }
  const before = text.slice(Math.max(0, around.span.start - MAX_INDENT), around.span.start);
  const indent = /(?:\r?\n|^)[ \t]*$/.exec(before)?.[0] ?? '';
  const written = text.slice(element.span.start, element.span.end);
  const at = around.span.end;
  return {
    title: sentence('Move into <{0}>', 'widget'),
    isPreferred: true,
    changes: [
      { span: spanWithLine(text, element), newText: '' },
      { span: { start: at, end: at }, newText: indent + written },
    ],
  };
}

/** White space before an element, in characters. */
const MAX_INDENT = 200;

function repeatedElement(text: string, element: XmlElement, first: XmlElement, rule: ElementRule): ConfigProblem {
  return {
    ...{ code: 'repeatedElement', severity: 'warning', span: element.nameSpan, source: rule.source },
    message: sentence('There is another <{0}> before this one, and only that one counts.', rule.name),
    related: { span: first.nameSpan, message: sentence('This is the one that counts.') },
    fixes: [
      {
        title: sentence('Remove this <{0}>', rule.name),
        changes: [{ span: spanWithLine(text, element), newText: '' }],
      },
    ],
  };
}

function leftOutElement({ nameSpan }: XmlElement, { name, source }: ElementRule, reason: Sentence): ConfigProblem {
  return {
    ...{ code: 'leftOutElement', severity: 'information', span: nameSpan, source },
    message: sentence('Build services leave <{0}> out.', name),
    next: reason,
  };
}
