import { createScanner, format } from 'jsonc-parser';

/** jsonc-parser's SyntaxKind, which as a const enum cannot be imported. */
const Token = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, string: 10, end: 17 } as const;

/** Levels of nesting that are laid out: the indentation of thousands would be many times as large as the document. */
const deepest = 200;

/**
 * Lays JSON out for reading without touching its values: no number is rounded, no duplicate key is lost. What is nested
 * too deeply stays as it was sent.
 */
export function layOut(json: string): string {
  if (depthOf(json) > deepest) {
    return json;
  }
  const parts: string[] = [];
  let done = 0;
  // jsonc-parser's own applyEdits copies the whole text for every edit
  for (const { offset, length, content } of format(json, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' })) {
    parts.push(json.slice(done, offset), content);
    done = offset + length;
  }
  return parts.join('') + json.slice(done);
}

function depthOf(json: string): number {
  const scanner = createScanner(json, true);
  let depth = 0;
  let most = 0;
  for (let token: number = scanner.scan(); token !== Token.end; token = scanner.scan()) {
    if (token === Token.openBrace || token === Token.openBracket) {
      depth += 1;
      most = Math.max(most, depth);
    } else if (token === Token.closeBrace || token === Token.closeBracket) {
      depth -= 1;
    }
  }
  return most;
}

/** A string in a JSON text. */
export interface StringAt {
  /** JSON Pointer (RFC 6901) of the string. */
  readonly pointer: string;
  /** Offsets in UTF-16 code units of what stands between the quotes. */
  readonly start: number;
  readonly end: number;
}

/** An object or array that is open at some place of the text. */
interface Open {
  readonly pointer: string;
  /** Undefined in an object. */
  index: number | undefined;
  key: string;
}

/**
 * Finds strings by their JSON Pointers. A list of what is open instead of recursion, so that depth never uses the call
 * stack. Nothing is found too deeply inside.
 *
 * @param json valid JSON.
 * @param wanted the pointers of strings.
 */
export function findStrings(json: string, wanted: { has(pointer: string): boolean }): readonly StringAt[] {
  const scanner = createScanner(json, true);
  const open: Open[] = [];
  const found: StringAt[] = [];
  let expectsKey = false;
  for (let token: number = scanner.scan(); token !== Token.end; token = scanner.scan()) {
    const around = open.at(-1);
    switch (token) {
      case Token.openBrace:
      case Token.openBracket: {
        const isObject = token === Token.openBrace;
        open.push({
          pointer: open.length > deepest ? '' : pointerIn(around),
          index: isObject ? undefined : 0,
          key: '',
        });
        expectsKey = isObject;
        break;
      }
      case Token.closeBrace:
      case Token.closeBracket:
        open.pop();
        expectsKey = false;
        break;
      case Token.comma:
        if (around?.index !== undefined) {
          around.index += 1;
        }
        expectsKey = around?.index === undefined;
        break;
      case Token.string:
        if (expectsKey && around !== undefined) {
          around.key = scanner.getTokenValue();
          expectsKey = false;
        } else if (open.length <= deepest) {
          const pointer = pointerIn(around);
          if (wanted.has(pointer)) {
            const start = scanner.getTokenOffset();
            found.push({ pointer, start: start + 1, end: start + scanner.getTokenLength() - 1 });
          }
        }
        break;
      default:
    }
  }
  return found;
}

function pointerIn(around: Open | undefined): string {
  if (around === undefined) {
    return '';
  }
  const step = around.index ?? around.key.replaceAll('~', '~0').replaceAll('/', '~1');
  return `${around.pointer}/${step}`;
}
