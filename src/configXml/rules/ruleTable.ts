import { ELEMENTS } from './elements.ts';
import { PREFERENCES } from './preferences.ts';
import type { AttributeRule, ElementRule, PreferenceRule } from './rule.ts';

/** Prefixes of Cordova and of PhoneGap Build. A name means the same with them: `gap:platform`, `cdv:preference`. */
const OWN_PREFIX = /^(?:cdv|gap):/;

const elements: ReadonlyMap<string, ElementRule> = new Map(ELEMENTS.map((rule) => [rule.name, rule]));

const attributes: ReadonlyMap<ElementRule, ReadonlyMap<string, AttributeRule>> = new Map(
  ELEMENTS.map((rule) => [rule, new Map(rule.attributes.map((attribute) => [attribute.name, attribute]))]),
);

const preferences: ReadonlyMap<string, PreferenceRule> = new Map(
  PREFERENCES.map((rule) => [rule.name.toLowerCase(), rule]),
);

const childElements: ReadonlyMap<string, readonly ElementRule[]> = new Map(
  ELEMENTS.map(({ name }) => [name, ELEMENTS.filter(({ parents }) => parents.includes(name))]),
);

/**
 * The rule of an element; undefined when nobody knows it.
 *
 * @param name as it is written. A prefix of Cordova or PhoneGap Build counts where that makes another element: `gap:platform`.
 */
export function elementRule(name: string): ElementRule | undefined {
  return elements.get(name) ?? elements.get(name.replace(OWN_PREFIX, ''));
}

/** The elements that may stand in another. @param parent its name, with or without a prefix as in {@link elementRule} */
export function elementsIn(parent: string): readonly ElementRule[] {
  const rule = elementRule(parent);
  return rule === undefined ? [] : (childElements.get(rule.name) ?? []);
}

/**
 * The rule of an attribute; undefined when nobody knows it there.
 *
 * @param element a rule of {@link elementRule}
 * @param name as it is written, with its prefix
 */
export function attributeRule(element: ElementRule, name: string): AttributeRule | undefined {
  const known = attributes.get(element);
  return known?.get(name) ?? known?.get(name.replace(OWN_PREFIX, ''));
}

/**
 * True for the name of an element or attribute that belongs to another format, such as `android:name`, `xmlns:android` and
 * `tizen:setting`: nothing is known about it, and nothing is wrong with it.
 */
export function isForeignName(name: string): boolean {
  return name === 'xmlns' || (name.includes(':') && !OWN_PREFIX.test(name));
}

/** The rule of a preference. Case does not count. */
export function preferenceRule(name: string): PreferenceRule | undefined {
  return preferences.get(name.toLowerCase());
}
