import { type Sentence, sentence } from '../../api/errors/sentence.ts';
import { changeFix, type ConfigProblem, insertion, type ProblemFix, renamed, spanWithLine } from '../configProblem.ts';
import { didYouMean } from '../didYouMean.ts';
import {
  type AttributeRule,
  attributeRule,
  type ElementRule,
  elementRule,
  ELEMENTS,
  elementsIn,
  isForeignName,
  LEFT_OUT_REASONS,
} from '../rules.ts';
import type { XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';
import { changesCleartext } from './cleartext.ts';
import { ignoresMode, mixedUpPlace, textInPropertyList } from './fileChanges.ts';
import { IDENTITY_ATTRIBUTES } from './identity.ts';
import { valueProblem } from './valueChecks.ts';
import { attributeOf, nameOfPlugin, shown } from '../widget.ts';

const SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html';

/** Elements that are often called by another name. */
const ELEMENT_MISTAKES: ReadonlyMap<string, string> = new Map([
  ['title', 'name'],
  ['preferences', 'preference'],
  ['setting', 'preference'],
  ['permission', 'config-file'],
  ['allow-access', 'access'],
  ['allow-url', 'allow-navigation'],
  ['splashscreen', 'splash'],
  ['splash-screen', 'splash'],
  ['script', 'hook'],
  ['licence', 'license'],
]);

/** Attributes that are often called by another name, by element: what was meant. */
const ATTRIBUTE_MISTAKES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Cordova's own template had it.
  access: { allow: 'origin', href: 'origin', url: 'origin', src: 'origin', uri: 'origin' },
  'allow-navigation': { origin: 'href', allow: 'href', url: 'href', src: 'href' },
  'allow-intent': { origin: 'href', allow: 'href', url: 'href', src: 'href' },
  preference: { key: 'name', id: 'name' },
  plugin: { id: 'name' },
  author: { mail: 'email', url: 'href' },
  widget: { versionCode: 'android-versionCode', CFBundleVersion: 'ios-CFBundleVersion' },
  content: { href: 'src', url: 'src' },
  icon: { href: 'src', path: 'src' },
  splash: { href: 'src', path: 'src' },
};

/** Elements and attributes: unknown, misplaced, missing, repeated, of the wrong value, left out by a service. */
export function elementProblems(document: XmlDocument): readonly ConfigProblem[] {
  const { root } = document;
  const rule = root === undefined ? undefined : elementRule(root.name);
  if (root === undefined || rule === undefined) {
    return [];
  }
  const check = new ElementCheck(document);
  check.element(root, rule);
  check.descendants(root, rule);
  return check.problems;
}

class ElementCheck {
  readonly problems: ConfigProblem[] = [];
  readonly #document: XmlDocument;

  constructor(document: XmlDocument) {
    this.#document = document;
  }

  descendants(root: XmlElement, rootRule: ElementRule): void {
    // The content of elements of other formats and of plugins has no rules here.
    const judged = [{ parent: root, parentRule: rootRule }];
    for (let next = judged.pop(); next !== undefined; next = judged.pop()) {
      const { parent, parentRule } = next;
      const firsts = new Map<string, XmlElement>();
      for (const element of parent.children) {
        const rule = elementRule(element.name);
        // Behind a missing end tag, an element may be in another one by mistake.
        const isPlaceKnown = element.startTag.start < this.#document.mismatch;
        if (rule !== undefined) {
          if (isPlaceKnown) {
            this.#checkPlace(element, rule, parentRule, firsts);
          }
          this.element(element, rule);
          if (element.children.length > 0 && rule.isOpen !== true) {
            judged.push({ parent: element, parentRule: rule });
          }
        } else if (isPlaceKnown && !isForeignName(element.name)) {
          this.problems.push(this.#unknownElement(element, parentRule));
        }
      }
    }
  }

  element(element: XmlElement, rule: ElementRule): void {
    // An attribute that seems missing in a broken tag may be in the part that could not be read.
    if (element.isWhole) {
      this.#checkAttributes(element, rule);
    }
    const bareText = textInPropertyList(this.#document.text, element, rule);
    this.problems.push(...(bareText === undefined ? [] : [bareText]));
    if (rule.leftOut !== undefined && !changesCleartext(element, rule.name.replace('gap:', ''))) {
      this.problems.push(leftOutElement(element, rule, LEFT_OUT_REASONS[rule.leftOut]));
    }
  }

  #unknownElement({ name, nameSpan, endTag }: XmlElement, parent: ElementRule): ConfigProblem {
    const problem = { code: 'unknownElement', span: nameSpan, source: SOURCE } as const;
    const message = sentence('Cordova knows no element <{0}>.', shown(name));
    const meant = this.#meantElement(name, parent);
    return meant === undefined
      ? {
          ...problem,
          severity: 'information',
          message,
          next: sentence('It has no effect, unless a plugin reads it.'),
        }
      : {
          ...problem,
          severity: 'warning',
          message,
          next: sentence('Did you mean <{0}>?', meant),
          fixes: [renamed({ nameSpan, endTag }, meant)],
        };
  }

  #meantElement(name: string, parent: ElementRule): string | undefined {
    const here = elementsIn(parent.name).map((rule) => rule.name);
    const mistake = ELEMENT_MISTAKES.get(name.toLowerCase());
    if (mistake !== undefined && here.includes(mistake)) {
      return mistake;
    }
    return didYouMean(name, here) ?? didYouMean(name, ELEMENT_NAMES);
  }

  /** @param firsts the elements before this one that may stand once only, by name; is added to. */
  #checkPlace(element: XmlElement, rule: ElementRule, parent: ElementRule, firsts: Map<string, XmlElement>): void {
    if (!rule.parents.includes(parent.name)) {
      this.problems.push(misplacedElement(this.#document, element, rule, parent));
    } else if (rule.isOnce === true) {
      // A text may stand in several languages.
      const key = `${rule.name} ${attributeOf(element, 'xml:lang')?.value ?? ''}`;
      const first = firsts.get(key);
      if (first === undefined) {
        firsts.set(key, element);
      } else {
        this.problems.push(repeatedElement(this.#document.text, element, first, rule));
      }
    }
  }

  /** Attributes that are unknown, missing, or have an impossible value. */
  #checkAttributes(element: XmlElement, rule: ElementRule): void {
    const present = new Set(element.attributes.map(({ name }) => attributeRule(rule, name)?.name ?? name));
    const absent = rule.attributes.map(({ name }) => name).filter((name) => !present.has(name));
    const mixedUp = mixedUpPlace(element, rule);
    this.problems.push(...(mixedUp === undefined ? [] : [mixedUp]));
    const meant = new Set(mixedUp === undefined ? [] : ['file', 'target']);
    for (const attribute of element.attributes) {
      const known = attributeRule(rule, attribute.name);
      if (known !== undefined) {
        const isIdentity = rule.name === 'widget' && IDENTITY_ATTRIBUTES.has(attribute.name);
        const isUnread = known.name === 'mode' && ignoresMode(element, rule);
        const judged = isForOthers(element, known) ? { ...known, isFatal: false } : known;
        const problem = isIdentity || isUnread ? undefined : valueProblem(judged, attribute);
        this.problems.push(...(problem === undefined ? [] : [problem]));
      } else if (rule.isOpen !== true && !isForeignName(attribute.name)) {
        const similar = this.#meantAttribute(rule, attribute.name, absent);
        meant.add(similar ?? '');
        this.problems.push(unknownAttribute(rule, attribute, similar));
      }
    }
    // Those of the root are checked with what an app is.
    const required = rule.name === 'widget' ? [] : rule.attributes.filter(({ isRequired }) => isRequired === true);
    const missing = required.filter(({ name }) => !present.has(name) && !meant.has(name));
    this.problems.push(...missing.map((attribute) => missingAttribute(element, rule, attribute)));
  }

  #meantAttribute(rule: ElementRule, name: string, absent: readonly string[]): string | undefined {
    const mistakes = Object.entries(ATTRIBUTE_MISTAKES[rule.name] ?? {});
    const [, mistake] = mistakes.find(([wrong]) => wrong.toLowerCase() === name.toLowerCase()) ?? [];
    return mistake !== undefined && absent.includes(mistake) ? mistake : didYouMean(name, absent);
  }
}

/** Whether an element is for one platform, and that is none that reads the attribute. */
function isForOthers(element: XmlElement, { platforms = [] }: AttributeRule): boolean {
  const outer = element.parent?.name === 'platform' ? attributeOf(element.parent, 'name') : undefined;
  const platform = (outer ?? attributeOf(element, 'platform'))?.value.trim();
  return platform !== undefined && platforms.length > 0 && !platforms.some((each) => each === platform);
}

const ELEMENT_NAMES: readonly string[] = ELEMENTS.map(({ name }) => name);

function misplacedElement(
  document: XmlDocument,
  element: XmlElement,
  rule: ElementRule,
  parent: ElementRule,
): ConfigProblem {
  return {
    code: 'misplacedElement',
    severity: 'warning',
    span: element.nameSpan,
    message: sentence('<{0}> has no effect in <{1}>.', rule.name, parent.name),
    next:
      rule.parents.length === 0
        ? sentence('It can only be the root element.')
        : sentence(
            'It belongs into {0}.',
            rule.parents.map((name) => `<${name}>`),
          ),
    fixes: rule.parents.includes('widget') ? [movedToRoot(document.text, element)] : [],
    source: rule.source,
  };
}

/** Moves an element behind the child of the root that it stands in. */
function movedToRoot(text: string, element: XmlElement): ProblemFix {
  let around = element;
  while (around.parent?.parent !== undefined) {
    around = around.parent;
  }
  const written = text.slice(element.span.start, element.span.end);
  const at = around.span.end;
  return {
    title: sentence('Move into <{0}>', 'widget'),
    isPreferred: true,
    changes: [{ span: spanWithLine(text, element), newText: '' }, insertion(at, `\n  ${written}`)],
  };
}

function repeatedElement(text: string, element: XmlElement, first: XmlElement, rule: ElementRule): ConfigProblem {
  return {
    code: 'repeatedElement',
    severity: 'warning',
    span: element.nameSpan,
    source: rule.source,
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
    code: 'leftOutElement',
    severity: 'information',
    span: nameSpan,
    source,
    message: sentence('Build services leave <{0}> out.', name),
    next: reason,
  };
}

function unknownAttribute(
  rule: ElementRule,
  { name, nameSpan }: XmlAttribute,
  meant: string | undefined,
): ConfigProblem {
  const problem = { code: 'unknownAttribute', span: nameSpan, source: rule.source } as const;
  const message = sentence('<{0}> has no attribute “{1}”.', rule.name, shown(name));
  return meant === undefined
    ? { ...problem, severity: 'information', message }
    : {
        ...problem,
        severity: 'warning',
        message,
        next: sentence('Did you mean “{0}”?', meant),
        fixes: [changeFix(nameSpan, meant)],
      };
}

function missingAttribute(element: XmlElement, rule: ElementRule, { name, source }: AttributeRule): ConfigProblem {
  const at = element.attributes.at(-1)?.span.end ?? element.nameSpan.end;
  const isPlugin = name === 'name' && (rule.name === 'plugin' || rule.name === 'gap:plugin');
  const value = isPlugin ? nameOfPlugin(element) : '';
  const written = `${name}="${value}"`;
  return {
    code: 'missingAttribute',
    severity: 'warning',
    span: element.nameSpan,
    message: sentence('<{0}> needs an attribute “{1}”.', rule.name, name),
    fixes: [
      { title: sentence('Add {0}', written), changes: [insertion(at, ` ${written}`)], isPreferred: value !== '' },
    ],
    source,
  };
}
