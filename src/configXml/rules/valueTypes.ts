import type { Platform, ValueType } from './rule.ts';

export const TEXT: ValueType = { kind: 'text' };
export const BOOLEAN: ValueType = { kind: 'boolean' };
export const INTEGER: ValueType = { kind: 'integer', min: 0 };
export const DECIMAL: ValueType = { kind: 'decimal' };
export const COLOUR: ValueType = { kind: 'colour' };
export const FILE: ValueType = { kind: 'path', of: 'file' };
export const PAGE: ValueType = { kind: 'path', of: 'page' };
export const ORIGIN: ValueType = { kind: 'origin' };
export const VERSION: ValueType = { kind: 'version' };

export const ANDROID: readonly Platform[] = ['android'];
export const IOS: readonly Platform[] = ['ios'];
export const ANDROID_AND_IOS: readonly Platform[] = ['android', 'ios'];
export const WINDOWS: readonly Platform[] = ['windows'];
export const ALL_PLATFORMS: readonly Platform[] = [];

/** One of some values, written exactly so. */
export function oneOf(...values: readonly string[]): ValueType {
  return { kind: 'choice', values: values.map((value) => ({ value })) };
}

/** One of some values, in upper or lower case. */
export function oneOfIgnoringCase(...values: readonly string[]): ValueType {
  return { kind: 'choice', values: values.map((value) => ({ value })), ignoresCase: true };
}
