import { sentence } from '../../errors/index.ts';
import {
  changeFix,
  configNote,
  type ConfigProblem,
  configWarning,
  insertion,
  preferredFix,
  removal,
  renamed,
} from '../configProblem.ts';
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
import { ignoresMode, findMixedUpTarget, textInPropertyList } from './fileChanges.ts';
import { isIdentity, isValidIdentity } from './identity.ts';
import { valueProblem } from './valueChecks.ts';
import { findAttribute, getPluginName, toDisplayText } from '../widget.ts';

const SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html';

/** Common wrong names of elements, mapped to the correct names. */
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

/** Common wrong names of each element's attributes, mapped to the correct names. */
const ATTRIBUTE_MISTAKES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Cordova's template used to contain this name.
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

/**
 * Finds problems with elements and attributes: unknown, misplaced, missing, or repeated ones, invalid values, and
 * elements that services ignore.
 */
export function elementProblems(document: XmlDocument): readonly ConfigProblem[] {
  const { root, text, mismatch } = document;
  const rootRule = root === undefined ? undefined : elementRule(root.name);
  if (root === undefined || rootRule === undefined) {
    return [];
  }
  const problems = [...ownProblems(text, root, rootRule)];
  // No rules exist for the content of plugins and of elements in other formats.
  const judged = [{ parent: root, parentRule: rootRule }];
  for (let next = judged.pop(); next !== undefined; next = judged.pop()) {
    const { parent, parentRule } = next;
    const firsts = new Map<string, XmlElement>();
    for (const element of parent.children) {
      const rule = elementRule(element.name);
      // After a missing end tag, elements may be nested by mistake.
      const isPlaceKnown = element.startTag.start < mismatch;
      if (rule !== undefined) {
        const misplaced = isPlaceKnown ? findPositionProblem(text, element, rule, parentRule, firsts) : undefined;
        problems.push(...(misplaced === undefined ? [] : [misplaced]), ...ownProblems(text, element, rule));
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

/** Returns the problems with an element that don't depend on its position. */
function ownProblems(text: string, element: XmlElement, rule: ElementRule): readonly ConfigProblem[] {
  const bareText = textInPropertyList(text, element, rule);
  const isLeftOut = rule.leftOut !== undefined && !changesCleartext(element, rule.name.replace('gap:', ''));
  return [
    // In a broken tag, a missing attribute may be in the unreadable part.
    ...(element.isWhole ? attributeProblems(element, rule) : []),
    ...(bareText === undefined ? [] : [bareText]),
    ...(isLeftOut
      ? [
          configNote('leftOutElement', element.nameSpan, sentence('Build services ignore <{0}>.', rule.name), {
            next: LEFT_OUT_REASONS[rule.leftOut],
            source: rule.source,
          }),
        ]
      : []),
  ];
}

function unknownElement(element: XmlElement, parent: ElementRule): ConfigProblem {
  const { name, nameSpan } = element;
  const message = sentence('Cordova has no element <{0}>.', toDisplayText(name));
  const here = elementsIn(parent.name).map((rule) => rule.name);
  const mistake = ELEMENT_MISTAKES.get(name.toLowerCase()) ?? '';
  const intended = here.includes(mistake) ? mistake : (didYouMean(name, here) ?? didYouMean(name, ELEMENT_NAMES));
  return intended === undefined
    ? configNote('unknownElement', nameSpan, message, {
        next: sentence('It has no effect unless a plugin reads it.'),
        source: SOURCE,
      })
    : configWarning('unknownElement', nameSpan, message, {
        next: sentence('Did you mean <{0}>?', intended),
        fixes: [renamed(element, intended)],
        source: SOURCE,
      });
}

const ELEMENT_NAMES: readonly string[] = ELEMENTS.map(({ name }) => name);

/**
 * Returns the problem for an element that isn't allowed in its parent or is repeated.
 *
 * @param firsts earlier elements that are allowed only once, keyed by name. The function adds this one
 */
function findPositionProblem(
  text: string,
  element: XmlElement,
  rule: ElementRule,
  parent: ElementRule,
  firsts: Map<string, XmlElement>,
): ConfigProblem | undefined {
  if (!rule.parents.includes(parent.name)) {
    return misplacedElement(text, element, rule, parent);
  }
  // An element may be repeated for different languages.
  const key = `${rule.name} ${findAttribute(element, 'xml:lang')?.value ?? ''}`;
  const first = firsts.get(key);
  if (rule.isOnce !== true || first === undefined) {
    firsts.set(key, element);
    return undefined;
  }
  const message = sentence('Another <{0}> comes before this one, and only the first one counts.', rule.name);
  return configWarning('repeatedElement', element.nameSpan, message, {
    related: { span: first.nameSpan, message: sentence('This is the one that counts.') },
    fixes: [{ title: sentence('Remove this <{0}>', rule.name), changes: [removal(text, element)] }],
    source: rule.source,
  });
}

function misplacedElement(text: string, element: XmlElement, rule: ElementRule, parent: ElementRule): ConfigProblem {
  const { parents } = rule;
  // Move the element after the root's child that contains it.
  let around = element;
  while (around.parent?.parent !== undefined) {
    around = around.parent;
  }
  const written = text.slice(element.span.start, element.span.end);
  const move = preferredFix(
    sentence('Move into <{0}>', 'widget'),
    removal(text, element),
    insertion(around.span.end, `\n  ${written}`),
  );
  const message = sentence('<{0}> has no effect in <{1}>.', rule.name, parent.name);
  const places = parents.map((name) => `<${name}>`);
  return configWarning('misplacedElement', element.nameSpan, message, {
    next: parents.length === 0 ? sentence('It can only be the root element.') : sentence('It belongs in {0}.', places),
    fixes: parents.includes('widget') ? [move] : [],
    source: rule.source,
  });
}

/** Returns the problems with unknown or missing attributes and invalid values. */
function attributeProblems(element: XmlElement, rule: ElementRule): readonly ConfigProblem[] {
  const present = new Set(element.attributes.map(({ name }) => attributeRule(rule, name)?.name ?? name));
  const absent = rule.attributes.map(({ name }) => name).filter((name) => !present.has(name));
  const mixedUp = findMixedUpTarget(element, rule);
  const intended = new Set(mixedUp === undefined ? [] : ['file', 'target']);
  const found = element.attributes.map((attribute) => {
    const known = attributeRule(rule, attribute.name);
    if (known !== undefined) {
      const isElsewhere = rule.name === 'widget' && isIdentity(attribute.name);
      const isUnread = known.name === 'mode' && ignoresMode(element, rule);
      return isElsewhere || isUnread ? undefined : valueProblem(known, attribute);
    }
    if (rule.isOpen === true || isForeignName(attribute.name)) {
      return undefined;
    }
    const similar = meantAttribute(rule, attribute.name, absent);
    intended.add(similar ?? '');
    return unknownAttribute(rule, attribute, similar, element);
  });
  // The attributes of the root are checked in `identity.ts`.
  const required = rule.name === 'widget' ? [] : rule.attributes.filter(({ isRequired }) => isRequired === true);
  const missing = required.filter(({ name }) => !present.has(name) && !intended.has(name));
  return [mixedUp, ...found, ...missing.map((attribute) => missingAttribute(element, rule, attribute))].filter(
    (problem) => problem !== undefined,
  );
}

function meantAttribute(rule: ElementRule, name: string, absent: readonly string[]): string | undefined {
  const mistakes = Object.entries(ATTRIBUTE_MISTAKES[rule.name] ?? {});
  const [, mistake] = mistakes.find(([wrong]) => wrong.toLowerCase() === name.toLowerCase()) ?? [];
  return mistake !== undefined && absent.includes(mistake) ? mistake : didYouMean(name, absent);
}

function unknownAttribute(
  rule: ElementRule,
  { name, nameSpan, value }: XmlAttribute,
  intended: string | undefined,
  element: XmlElement,
): ConfigProblem {
  // With the right name, an unread value would become an invalid one.
  const isAccepted = rule.name !== 'widget' || isValidIdentity(element, intended ?? '', value);
  const message = sentence('<{0}> has no attribute “{1}”.', rule.name, toDisplayText(name));
  return intended === undefined
    ? configNote('unknownAttribute', nameSpan, message, { source: rule.source })
    : configWarning('unknownAttribute', nameSpan, message, {
        next: sentence('Did you mean “{0}”?', intended),
        fixes: isAccepted ? [changeFix(nameSpan, intended)] : [],
        source: rule.source,
      });
}

function missingAttribute(element: XmlElement, rule: ElementRule, { name, source }: AttributeRule): ConfigProblem {
  const at = element.attributes.at(-1)?.span.end ?? element.nameSpan.end;
  const isPlugin = name === 'name' && (rule.name === 'plugin' || rule.name === 'gap:plugin');
  const value = isPlugin ? getPluginName(element) : '';
  const written = `${name}="${value}"`;
  const title = sentence('Add {0}', written);
  return configWarning(
    'missingAttribute',
    element.nameSpan,
    sentence('<{0}> requires the attribute “{1}”.', rule.name, name),
    { fixes: [{ title, changes: [insertion(at, ` ${written}`)], isPreferred: value !== '' }], source },
  );
}
