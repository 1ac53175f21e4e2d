import { ELEMENTS } from './elements.ts';
import { PREFERENCES } from './preferences.ts';
import type { ElementRule, PreferenceRule } from './rule.ts';

/** The rule of an element below another; undefined when nobody knows the element there. @param name without a prefix of Cordova's */
export function elementRule(name: string): ElementRule | undefined {
  return ELEMENTS.find((rule) => rule.name === name);
}

/** The elements that may stand in another. */
export function elementsIn(parent: string): readonly ElementRule[] {
  return ELEMENTS.filter(({ parents }) => parents.includes(parent));
}

/** The rule of a preference. Case does not count. */
export function preferenceRule(name: string): PreferenceRule | undefined {
  return PREFERENCES.find((rule) => rule.name.toLowerCase() === name.toLowerCase());
}
