export type Literal = string | number | boolean | null;

export interface Absent {
  readonly kind: 'absent';
}

/** Nobody can tell without running it. */
export interface Expression {
  readonly kind: 'expression';
  readonly line: number;
}

/** What a configuration says at one place; lines count from 1. */
export type Value = { readonly kind: 'literal'; readonly value: Literal; readonly line: number } | Absent | Expression;

/** The path that a configuration says at one place. */
export type PathValue =
  | {
      readonly kind: 'literal';
      readonly value: string;
      /** It is below the folder of the configuration, as `path.resolve(__dirname, 'www')` says; the tool need not be asked. */
      readonly isResolved: boolean;
      readonly line: number;
    }
  | Absent
  | Expression;

/** An object of a configuration. */
export interface Fields {
  /** The value below these keys. */
  at(...keys: string[]): Value;
  /** The path below these keys. */
  path(...keys: string[]): PathValue;
  /** The call below these keys, or the calls in the array there. */
  calls(...keys: string[]): readonly Call[];
  /** Keys of the object below these keys, as far as they are literal. */
  keys(...keys: string[]): readonly string[];
}

export interface Call {
  /** Name of the function, such as `adapter`; empty when it has none. */
  readonly callee: string;
  /** The module that the function is imported from. */
  readonly module: string | undefined;
  readonly line: number;
  /** Its first argument. */
  readonly argument: Fields;
}

/** Keys by which a text would reach what JavaScript keeps for itself. */
export const PROTOTYPE_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Of a path, as on Windows; Node takes long to join much longer ones. */
export const MAX_PATH_LENGTH = 260;

export const ABSENT: Absent = { kind: 'absent' };

/** Of a file that says nothing that can be read. */
export const UNREADABLE: Fields = {
  at: () => ({ kind: 'expression', line: 1 }),
  path: () => ({ kind: 'expression', line: 1 }),
  calls: () => [],
  keys: () => [],
};

export function isLiteral(value: unknown): value is Literal {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** The path that a text is. */
export function pathIn(value: Value): PathValue {
  if (value.kind !== 'literal') {
    return value;
  }
  const path = textOf(value);
  return path === undefined || path.length > MAX_PATH_LENGTH
    ? { kind: 'expression', line: value.line }
    : { kind: 'literal', value: path, isResolved: false, line: value.line };
}

/** @returns undefined when the value is no text, or nobody can tell */
export function textOf(value: Value): string | undefined {
  return value.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}

/** Of what is absent, the first. */
export function lineOf(value: Value): number {
  return value.kind === 'absent' ? 1 : value.line;
}
