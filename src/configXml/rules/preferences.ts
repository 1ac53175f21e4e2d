import type { PreferenceRule } from './rule.ts';

/** The preferences of a config.xml. */
export const PREFERENCES: readonly PreferenceRule[] = [];
