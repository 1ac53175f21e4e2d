import type { ElementRule } from './rule.ts';

/** The elements of a config.xml. */
export const ELEMENTS: readonly ElementRule[] = [];
