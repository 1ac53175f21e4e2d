import { posix } from 'node:path';

import jsTokens from 'js-tokens';

import { TextLines } from '../../android-package/index.ts';
import { MAX_CONFIGURATION_BYTES, MAX_VALUE_TOKENS } from '../limits.ts';

/** A value in a configuration. Lines start at 1. */
export type ConfigValue =
  | (ConfigLiteral & { readonly kind: 'literal'; readonly line: number })
  | { readonly kind: 'absent' }
  /** A value that only the tool can compute, or `isBroken` if the file can't be read. */
  | { readonly kind: 'expression'; readonly line: number; readonly isBroken?: true };

interface ConfigLiteral {
  readonly value: string | number | boolean | null;
  /**
   * Whether the value is a path relative to the folder of the configuration, such as `path.resolve(__dirname, 'www')`.
   */
  readonly isResolved: boolean;
}

/** A missing value. */
export const ABSENT: ConfigValue = { kind: 'absent' };

/** The value that's used for all properties of a configuration file that can't be read. */
export const BROKEN: ConfigValue = { kind: 'expression', line: 1, isBroken: true };

/** Returns the string in a value, or undefined if it isn't a known string. */
export function getText(value: ConfigValue): string | undefined {
  return value.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}

/** Returns the line of a value. Returns the first line of the file for a missing value. */
export function getLine(value: ConfigValue): number {
  return value.kind === 'absent' ? 1 : value.line;
}

interface ConfigToken {
  readonly type: string;
  readonly text: string;
  readonly line: number;
  readonly startsLine: boolean;
}

/** A `name: value` pair in the file. */
interface ConfigProperty {
  readonly line: number;
  /** Index of the first token of its value. */
  readonly start: number;
  /** Properties inside the value. */
  readonly inner: ConfigProperties;
}

/** Properties, keyed by name. A name can occur several times. */
type ConfigProperties = Map<string, ConfigProperty[]>;

/**
 * The literal values in a configuration file in JavaScript, TypeScript, or JSON. The file is never run. All of its
 * `name: value` pairs are read as one tree, regardless of the functions and variables around them. If the file computes
 * its configuration, a value may be wrong. A wrong folder doesn't contain a page, so nothing is sent.
 */
export class ToolConfig {
  readonly file: string;
  /** Whether the file can't be read completely. */
  readonly isBroken: boolean;
  readonly #tokens: readonly ConfigToken[];
  /** Index of the first token of each constant's value, keyed by the constant's name. */
  readonly #constants: ReadonlyMap<string, number>;
  readonly #properties: ConfigProperties;

  /** @param text the text of the file, or undefined if it can't be read */
  constructor(file: string, text: string | undefined) {
    this.file = file;
    this.#tokens = text !== undefined && text.length <= MAX_CONFIGURATION_BYTES ? readTokens(text) : [];
    const { properties, isComplete } = readProperties(this.#tokens);
    this.isBroken = !isComplete || this.#tokens.length === 0;
    this.#properties = properties;
    this.#constants = readConstants(this.#tokens);
  }

  /** Returns the value of the property at a path. */
  at(...path: readonly string[]): ConfigValue {
    const values = this.#find(path).map(({ start, line }): ConfigValue => {
      const expression = this.#expression(start);
      const constant = this.#constants.get(expression.shape);
      const literal = readLiteral(constant === undefined ? expression : this.#expression(constant));
      if (expression.shape === 'undefined') {
        return ABSENT;
      }
      const expressionValue: ConfigValue = { kind: 'expression', line, ...(this.isBroken && { isBroken: true }) };
      return literal === undefined ? expressionValue : { kind: 'literal', ...literal, line };
    });
    const [first, ...others] = values;
    if (first === undefined) {
      return this.isBroken ? BROKEN : ABSENT;
    }
    // Different values are for different modes of the tool.
    const isSame = others.every((other) => other.kind === first.kind && getText(other) === getText(first));
    return isSame ? first : { kind: 'expression', line: getLine(first) };
  }

  /** Returns the names of the properties at a path. */
  names(...path: readonly string[]): readonly string[] {
    const found = path.length === 0 ? [this.#properties] : this.#find(path).map(({ inner }) => inner);
    return [...new Set(found.flatMap((properties) => [...properties.keys()]))];
  }

  /** Returns the module that exports the function whose result is the value at a path. */
  findCalledModule(...path: readonly string[]): string | undefined {
    const [start = 0] = this.#find(path).map((property) => property.start);
    const [name, next] = this.#tokens.slice(start, start + 2).map(({ text }) => text);
    const imported = this.#tokens.findIndex(
      ({ text }, index) => text === name && /^(?:import|const|as|[{,])$/.test(this.#tokens[index - 1]?.text ?? ''),
    );
    const module = this.#tokens.slice(imported).find(({ type }) => type === 'StringLiteral');
    return next === '(' && imported >= 0 && module !== undefined ? unquoted(module.text) : undefined;
  }

  /** Reports whether the file contains a string literal with this text, such as the name of a module. */
  hasString(text: string): boolean {
    return this.#tokens.some((token) => token.type === 'StringLiteral' && unquoted(token.text) === text);
  }

  #find(path: readonly string[]): readonly ConfigProperty[] {
    const [name = '', ...names] = path;
    let found = this.#properties.get(name) ?? [];
    for (const each of names) {
      found = found.flatMap(({ inner }) => inner.get(each) ?? []);
    }
    return found;
  }

  /** Returns the expression that begins at a token. */
  #expression(start: number): ExpressionShape {
    let depth = 0;
    let shape = '';
    const strings: string[] = [];
    for (const { type, text, startsLine } of this.#tokens.slice(start, start + MAX_VALUE_TOKENS)) {
      const isEnd = /^(?:[,;)}\]]|as|satisfies)$/.test(text) || (startsLine && type === 'IdentifierName');
      if (depth === 0 && shape !== '' && isEnd) {
        break;
      }
      depth += CLOSING.has(text) ? 1 : /^[)}\]]$/.test(text) ? -1 : 0;
      if (isString(type) || type === 'TemplateTail') {
        strings.push(unquoted(text));
      }
      shape += isString(type) ? "'" : text === 'new' ? 'new ' : text;
    }
    return { shape: shape.replace(FOLDER, '@').replace(/}[^}]*`$/, '}`'), strings };
  }
}

/**
 * An expression without white space and comments, such as `path.resolve(@,')`. `@` represents the file's folder, and
 * `'` any string.
 */
interface ExpressionShape {
  readonly shape: string;
  readonly strings: readonly string[];
}

/** Matches expressions for the file's folder. Assumes that the tool's working directory is that folder. */
const FOLDER = /\b(?:__dirname|import\.meta\.dirname|import\.meta\.dir|(?:process\.)?cwd\(\))/g;
const JOINED_PATH = /^(?:path\.(?:posix\.)?|(require\('\))\.)?(resolve|join)\((@?)(?:,?')*,?\)$/;
const FILE_URL =
  /^(?:(?:url\.)?fileURLToPath\(new URL\(',import\.meta\.url\)\)|new URL\(',import\.meta\.url\)\.pathname)$/;

/** Returns the value of an expression if it can be determined without running code. */
function readLiteral({ shape, strings }: ExpressionShape): ConfigLiteral | undefined {
  const [text = ''] = strings;
  if (shape === "'") {
    return { value: text, isResolved: false };
  }
  if (/^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(shape)) {
    return { value: JSON.parse(shape) as ConfigLiteral['value'], isResolved: false };
  }
  if (shape === '@' || (/^(?:@\+'|`\$\{@\}`)$/.test(shape) && /^(?:[\\/]|$)/.test(text))) {
    return { value: `.${text}`, isResolved: true };
  }
  if (FILE_URL.test(shape)) {
    return { value: text, isResolved: true };
  }
  const [, required, name, folder] = JOINED_PATH.exec(shape) ?? [];
  return name === undefined
    ? undefined
    : {
        value: posix.join(...strings.slice(required === undefined ? 0 : 1).map((each) => each.replaceAll('\\', '/'))),
        isResolved: folder === '@' || name === 'resolve',
      };
}

function isString(type: string | undefined): boolean {
  return type === 'StringLiteral' || type === 'NoSubstitutionTemplate';
}

/** Returns a string's value without its quotes, with escapes decoded. */
function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(?:u([\da-f]{4})|(.))/gis, (_escape, code: string | undefined, character: string) =>
      code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
    );
}

function readTokens(text: string): readonly ConfigToken[] {
  const lines = new TextLines(text);
  const tokens: ConfigToken[] = [];
  let offset = 0;
  for (const { type, value } of jsTokens(text)) {
    if (!/^(?:WhiteSpace|LineTerminatorSequence|SingleLineComment|MultiLineComment)$/.test(type)) {
      const line = lines.lineAt(offset);
      tokens.push({ type, text: value, line, startsLine: line !== tokens.at(-1)?.line });
    }
    offset += value.length;
  }
  return tokens;
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** A bracket that isn't closed yet. */
interface OpenBracket {
  readonly bracket: string;
  /** The properties directly inside this bracket. */
  readonly owner: ConfigProperties;
  /** The properties inside the value of the last property. */
  inner: ConfigProperties;
  /** Whether the bracket contains imported or destructured names. */
  readonly isPattern: boolean;
}

/** Reads the properties of a file. Stops at the first mismatched bracket. */
function readProperties(tokens: readonly ConfigToken[]): { properties: ConfigProperties; isComplete: boolean } {
  const top: ConfigProperties = new Map();
  const outer: OpenBracket[] = [];
  let open: OpenBracket = { bracket: '', owner: top, inner: top, isPattern: false };
  for (const [at, { type, text, line, startsLine }] of tokens.entries()) {
    const [before = '', next = ''] = [tokens[at - 1]?.text, tokens[at + 1]?.text];
    if (CLOSING.has(text)) {
      outer.push(open);
      const isPattern = /^(?:import|const|let|var)$/.test(before);
      open = { bracket: text, owner: open.inner, inner: open.inner, isPattern };
    } else if (/^[)\]}]$/.test(text)) {
      const around = CLOSING.get(open.bracket) === text ? outer.pop() : undefined;
      if (around === undefined) {
        return { properties: top, isComplete: false };
      }
      open = around;
    } else if (text === ',' && open.bracket === '{') {
      open.inner = open.owner;
    } else if (
      open.bracket === '{' &&
      !open.isPattern &&
      // The comma before a property may be missing. Capacitor's own reader accepts that.
      (/^[{,]$/.test(before) || (startsLine && next === ':' && isString(tokens[at - 1]?.type))) &&
      /Identifier|String/.test(type)
    ) {
      const isShort = /^[,}]$/.test(next);
      if (isShort || next === ':') {
        const name = isString(type) ? unquoted(text) : text;
        const property = { line, start: isShort ? at : at + 2, inner: new Map() };
        const same = open.owner.get(name) ?? [];
        same.push(property);
        open.owner.set(name, same);
        open.inner = property.inner;
      }
    }
  }
  return { properties: top, isComplete: outer.length === 0 };
}

function readConstants(tokens: readonly ConfigToken[]): ReadonlyMap<string, number> {
  const constants = new Map<string, number>();
  for (const [at, { text }] of tokens.entries()) {
    const isConstant = /^(?:const|let|var)$/.test(tokens[at - 1]?.text ?? '') && tokens[at + 1]?.text === '=';
    if (isConstant) {
      constants.set(text, at + 2);
    }
  }
  return constants;
}

/** An empty configuration, for a tool without a configuration file. */
export const NO_CONFIG = new ToolConfig('package.json', '{}');
