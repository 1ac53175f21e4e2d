import { sentence } from '../../api/errors/sentence.ts';
import type { ConfigProblem, ProblemFix } from '../configProblem.ts';
import { didYouMean } from '../didYouMean.ts';
import type { AttributeRule, ElementRule } from '../rules/rule.ts';
import { attributeRule, isForeignName } from '../rules/ruleTable.ts';
import type { XmlAttribute, XmlElement } from '../xmlDocument.ts';
import { IDENTITY_ATTRIBUTES } from './identity.ts';
import { isCaseOnly, shown, valueFault } from './valueTypes.ts';
import { attributeOf, escapeAttribute, spanOfAttribute } from './widgetParts.ts';

/** Mistakes that are made so often that they are known, by element: what was meant. */
const MISTAKES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Cordova's own template had it.
  access: { allow: 'origin', href: 'origin', url: 'origin', src: 'origin', uri: 'origin' },
  'allow-navigation': { origin: 'href', allow: 'href', url: 'href', src: 'href' },
  'allow-intent': { origin: 'href', allow: 'href', url: 'href', src: 'href' },
  preference: { key: 'name', id: 'name' },
  plugin: { id: 'name' },
  author: { mail: 'email', url: 'href' },
  content: { href: 'src', url: 'src' },
  icon: { href: 'src', path: 'src' },
  splash: { href: 'src', path: 'src' },
};

/** Adds the problems of attributes that nobody knows, that are missing, or that have a value which cannot be. */
export function addAttributeProblems(problems: ConfigProblem[], element: XmlElement, rule: ElementRule): void {
  const meant: string[] = [];
  for (const attribute of element.attributes) {
    const known = attributeRule(rule, attribute.name);
    if (known !== undefined) {
      addValueProblem(problems, rule, known, attribute);
    } else if (rule.isOpen !== true && !isForeignName(attribute.name)) {
      const similar = meantAttribute(element, rule, attribute.name);
      meant.push(similar ?? '');
      problems.push(unknownAttribute(rule, attribute, similar));
    }
  }
  // Those of the root are checked with what an app is.
  const required = rule.name === 'widget' ? [] : rule.attributes;
  for (const { isRequired, name, source } of required) {
    if (isRequired === true && !hasAttribute(element, rule, name) && !meant.includes(name)) {
      problems.push(missingAttribute(element, rule, name, source));
    }
  }
}

function hasAttribute(element: XmlElement, rule: ElementRule, name: string): boolean {
  return (
    attributeOf(element, name) !== undefined ||
    element.attributes.some((attribute) => attributeRule(rule, attribute.name)?.name === name)
  );
}

function meantAttribute(element: XmlElement, rule: ElementRule, name: string): string | undefined {
  const mistakes = Object.hasOwn(MISTAKES, rule.name) ? MISTAKES[rule.name] : undefined;
  const mistake = mistakes !== undefined && Object.hasOwn(mistakes, name) ? mistakes[name] : undefined;
  const candidates = rule.attributes
    .map((each) => each.name)
    .filter((each) => attributeOf(element, each) === undefined);
  return mistake !== undefined && candidates.includes(mistake) ? mistake : didYouMean(name, candidates);
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
        ...{ ...problem, severity: 'warning', message },
        next: sentence('Did you mean “{0}”?', meant),
        fixes: [
          {
            title: sentence('Change to “{0}”', meant),
            isPreferred: true,
            changes: [{ span: nameSpan, newText: meant }],
          },
        ],
      };
}

function missingAttribute(element: XmlElement, rule: ElementRule, name: string, source: string): ConfigProblem {
  const last = element.attributes.at(-1);
  const at = last === undefined ? element.nameSpan.end : spanOfAttribute(last).end;
  return {
    ...{ code: 'missingAttribute', severity: 'warning', span: element.nameSpan, source },
    message: sentence('<{0}> needs an attribute “{1}”.', rule.name, name),
    fixes: [
      {
        title: sentence('Add {0}', `${name}=""`),
        changes: [{ span: { start: at, end: at }, newText: ` ${name}=""` }],
      },
    ],
  };
}

function addValueProblem(
  problems: ConfigProblem[],
  rule: ElementRule,
  known: AttributeRule,
  attribute: XmlAttribute,
): void {
  const isCheckedElsewhere = rule.name === 'widget' && IDENTITY_ATTRIBUTES.has(attribute.name);
  const fault = isCheckedElsewhere ? undefined : valueFault(known.type, attribute.value);
  if (fault !== undefined) {
    problems.push({
      code: 'badValue',
      severity: isCaseOnly(attribute.value, fault) ? 'information' : 'warning',
      span: spanOfAttribute(attribute),
      message: fault.message,
      source: known.source,
      ...fixesOf(attribute, fault.mended),
    });
  }
}

function fixesOf({ valueSpan }: XmlAttribute, value: string | undefined): { readonly fixes?: readonly ProblemFix[] } {
  return valueSpan === undefined || value === undefined
    ? {}
    : {
        fixes: [
          {
            title: sentence('Change to “{0}”', shown(value)),
            isPreferred: true,
            changes: [{ span: valueSpan, newText: escapeAttribute(value) }],
          },
        ],
      };
}
