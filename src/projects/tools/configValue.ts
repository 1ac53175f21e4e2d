import { posix } from 'node:path';

export type Literal = string | number | boolean | null;

interface Absent {
  readonly kind: 'absent';
}

/** Its value is known only when it runs. */
export interface Expression {
  readonly kind: 'expression';
  readonly line: number;
  /** Nothing in the file can be read: it has a syntax error, or is too large. */
  readonly isBroken?: true;
}

/** A value of a configuration; lines count from 1. */
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

function isLiteral(value: unknown): value is Literal {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** The path that a text is. */
export function pathIn(value: Value): PathValue {
  if (value.kind !== 'literal') {
    return value;
  }
  const path = textOfValue(value);
  return path === undefined || path.length > MAX_PATH_LENGTH
    ? { kind: 'expression', line: value.line }
    : { kind: 'literal', value: path, isResolved: false, line: value.line };
}

/** @returns undefined when the value is no text, or not known */
export function textOfValue(value: Value): string | undefined {
  return value.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}

/** Of what is absent, the first. */
export function lineOf(value: Value): number {
  return value.kind === 'absent' ? 1 : value.line;
}

/**
 * What an expression says without being run. Paths have `/`; one that is resolved is relative to the folder of the
 * configuration, as that of an address is.
 */
export type Evaluated =
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'path'; readonly path: string; readonly isResolved: boolean }
  /** The address of a file or folder: `import.meta.url`, or a URL made of it. */
  | { readonly kind: 'url'; readonly path: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'expression' };

type Path = Extract<Evaluated, { kind: 'path' }>;

const MAX_TEXT_LENGTH = 10_000;

export const EXPRESSION: Evaluated = { kind: 'expression' };

/** The folder of the configuration, which a tool is taken to be started in, too. */
const FOLDER: Path = { kind: 'path', path: '.', isResolved: true };

/** What Node's own functions give, by their names. */
export const NODE_FUNCTIONS: ReadonlyMap<string, (values: readonly Evaluated[]) => Evaluated> = new Map([
  ['path.join', joined],
  ['path.normalize', joined],
  ['path.resolve', resolved],
  ['path.dirname', evaluatedFolder],
  ['process.cwd', () => FOLDER],
  ['url.fileURLToPath', ([url]: readonly Evaluated[]) => pathOfUrl(url)],
]);

/** The values of Node's own names in a file. */
export function nodeValue(name: string, fileName: string): Evaluated | undefined {
  switch (name) {
    case '__dirname':
    case 'import.meta.dirname':
    case 'import.meta.dir':
      return FOLDER;
    case '__filename':
    case 'import.meta.filename':
      return { kind: 'path', path: fileName, isResolved: true };
    case 'import.meta.url':
      return { kind: 'url', path: fileName };
    default:
      return undefined;
  }
}

export function literalOf(value: unknown): Evaluated {
  return isLiteral(value) && !(typeof value === 'string' && value.length > MAX_TEXT_LENGTH)
    ? { kind: 'literal', value }
    : EXPRESSION;
}

/** `a + b`, or the parts of a template. */
export function concatenated(parts: readonly Evaluated[]): Evaluated {
  let base: Path | undefined;
  let text = '';
  for (const part of parts) {
    if (part.kind === 'literal') {
      text += String(part.value);
    } else if (part.kind === 'path' && base === undefined && text === '') {
      base = part;
    } else {
      return EXPRESSION;
    }
    if (text.length > MAX_TEXT_LENGTH) {
      return EXPRESSION;
    }
  }
  if (base === undefined) {
    return literalOf(text);
  }
  // `${__dirname}-www` is beside a folder whose name is not known.
  return base.isResolved && /(?:^|\/)\.\.?$/.test(base.path) && text !== '' && !/^[\\/]/.test(text)
    ? EXPRESSION
    : evaluatedPath(base.path + text, base.isResolved);
}

/** `new URL(address, base)`. */
export function evaluatedUrl([address, base]: readonly Evaluated[]): Evaluated {
  if (address?.kind !== 'literal' || typeof address.value !== 'string' || base?.kind !== 'url') {
    return EXPRESSION;
  }
  const { value } = address;
  if (/^(?:\/|$)|[%?#:\\]/.test(value) || value.length > MAX_PATH_LENGTH) {
    return EXPRESSION;
  }
  const isFolder = /(?:^|\/)\.{0,2}$/.test(value);
  const path = posix.join(
    base.path.endsWith('/') ? base.path : posix.join(base.path, '..'),
    value,
    isFolder ? './' : '',
  );
  return { kind: 'url', path };
}

/** `fileURLToPath(url)`, or `url.pathname`. */
export function pathOfUrl(url: Evaluated | undefined): Evaluated {
  return url?.kind === 'url' ? evaluatedPath(url.path, true) : EXPRESSION;
}

export function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:)/.test(path);
}

function joined(values: readonly Evaluated[]): Evaluated {
  const paths = pathsOf(values);
  return paths === undefined || paths.slice(1).some(({ isResolved }) => isResolved)
    ? EXPRESSION
    : evaluatedPath(posix.join(...paths.map(({ path }) => path)), paths[0]?.isResolved === true);
}

function resolved(values: readonly Evaluated[]): Evaluated {
  const paths = pathsOf(values);
  if (paths === undefined) {
    return EXPRESSION;
  }
  const from = paths.findLastIndex(({ path, isResolved }) => isResolved || isAbsolute(path));
  const [base, ...rest] = from < 0 ? [FOLDER, ...paths] : paths.slice(from);
  const path = posix.join(...[base, ...rest].map((each) => each?.path ?? ''));
  return evaluatedPath(path.replace(/(?<=.)\/$/, ''), base?.isResolved === true);
}

function evaluatedFolder(values: readonly Evaluated[]): Evaluated {
  const [path] = pathsOf(values.slice(0, 1)) ?? [];
  if (path === undefined) {
    return EXPRESSION;
  }
  return evaluatedPath(path.isResolved ? posix.join(path.path, '..') : posix.dirname(path.path), path.isResolved);
}

/** @returns undefined when one is no path, or not known */
function pathsOf(values: readonly Evaluated[]): readonly Path[] | undefined {
  const paths = values.map((value): Path | undefined => {
    if (value.kind === 'path') {
      return value;
    }
    return value.kind === 'literal' && typeof value.value === 'string' && value.value.length <= MAX_PATH_LENGTH
      ? { kind: 'path', path: value.value.replaceAll('\\', '/'), isResolved: false }
      : undefined;
  });
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

function evaluatedPath(path: string, isResolved: boolean): Evaluated {
  return path.length > MAX_PATH_LENGTH ? EXPRESSION : { kind: 'path', path, isResolved };
}
