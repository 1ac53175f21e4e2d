import { ACCESS_ELEMENTS } from './accessElements.ts';
import { ANDROID_PREFERENCES } from './androidPreferences.ts';
import { APP_ELEMENTS, IMAGE_ELEMENTS } from './appElements.ts';
import { BUILD_ELEMENTS } from './buildElements.ts';
import { COMMON_PREFERENCES, SPLASH_SCREEN_PREFERENCES } from './commonPreferences.ts';
import { IOS_PREFERENCES } from './iosPreferences.ts';
import { OTHER_ELEMENTS } from './otherElements.ts';
import { FORMER_PREFERENCES, PLUGIN_PREFERENCES } from './otherPreferences.ts';
import type { AttributeRule, ElementRule, PreferenceRule } from './rule.ts';

/** The elements of a config.xml: those of Cordova, of PhoneGap Build with its prefix, and of widely used plugins. Names are unique. */
export const ELEMENTS: readonly ElementRule[] = [
  ...APP_ELEMENTS,
  ...ACCESS_ELEMENTS,
  ...BUILD_ELEMENTS,
  ...IMAGE_ELEMENTS,
  ...OTHER_ELEMENTS,
].map((rule) => ({
  ...rule,
  attributes: rule.attributes.map((attribute) => ({ ...attribute, source: attribute.source ?? rule.source })),
}));

/** The preferences of a config.xml: those of Cordova's platforms, of widely used plugins and of PhoneGap Build. Names are unique. */
export const PREFERENCES: readonly PreferenceRule[] = [
  ...COMMON_PREFERENCES,
  ...ANDROID_PREFERENCES,
  ...IOS_PREFERENCES,
  ...SPLASH_SCREEN_PREFERENCES,
  ...PLUGIN_PREFERENCES,
  ...FORMER_PREFERENCES,
];

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
 * The rule of an element; undefined for an unknown one.
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
 * The rule of an attribute; undefined when the element has none of this name.
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
