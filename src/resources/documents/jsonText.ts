import { createScanner, format } from 'jsonc-parser';
import type { LinkTarget, Resource } from '../../api/hypermedia/resource.ts';

/** jsonc-parser's SyntaxKind, which as a const enum cannot be imported. */
const Token = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, string: 10, end: 17 } as const;

/** With thousands of levels, the indentation would be many times as large as the document. */
const MAX_NESTING = 200;

/** Members that hold an address where the reader's pointer names the object around it. */
const ADDRESS_MEMBERS = ['href', '@id', 'url', 'template', 'hydra:template'];

/**
 * Formats JSON without changing its values: no number is rounded, no duplicate key is lost. What is nested too deeply
 * stays as it was sent.
 */
export function formatJson(json: string): string {
  if (nestingOf(json) > MAX_NESTING) {
    return json;
  }
  const parts: string[] = [];
  let end = 0;
  // jsonc-parser's own applyEdits copies the whole text for every edit.
  for (const { offset, length, content } of format(json, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' })) {
    parts.push(json.slice(end, offset), content);
    end = offset + length;
  }
  return parts.join('') + json.slice(end);
}

function nestingOf(json: string): number {
  const scanner = createScanner(json, true);
  let depth = 0;
  let maxDepth = 0;
  for (let token: number = scanner.scan(); token !== Token.end; token = scanner.scan()) {
    if (token === Token.openBrace || token === Token.openBracket) {
      depth += 1;
      maxDepth = Math.max(maxDepth, depth);
    } else if (token === Token.closeBrace || token === Token.closeBracket) {
      depth -= 1;
    }
  }
  return maxDepth;
}

/** Where each link of a resource leads, by the JSON Pointer of the string that may hold it. Headers are not part of the text. */
export function linkTargetsByPointer(root: Resource): ReadonlyMap<string, LinkTarget> {
  const targets = new Map<string, LinkTarget>();
  const pending: Resource[] = [root];
  for (let resource = pending.pop(); resource !== undefined; resource = pending.pop()) {
    const links = resource.self === undefined ? resource.links : [resource.self, ...resource.links];
    for (const { pointer, target, convention } of links) {
      if (convention === 'link-header' || pointer === '') {
        continue;
      }
      for (const candidate of [pointer, ...ADDRESS_MEMBERS.map((name) => `${pointer}/${name}`)]) {
        if (!targets.has(candidate)) {
          targets.set(candidate, target);
        }
      }
    }
    for (const embedded of resource.embedded) {
      pending.push(embedded.resource);
    }
  }
  return targets;
}

/** A string in a JSON text. */
export interface JsonString {
  /** JSON Pointer (RFC 6901) of the string. */
  readonly pointer: string;
  /** Offsets of what stands between the quotes, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** An object or array around the current token. */
interface Container {
  readonly pointer: string;
  /** Of the current element; undefined in an object. */
  index: number | undefined;
  /** Of the current member. */
  key: string;
}

/**
 * Finds strings by their JSON Pointers, without recursion: a document may be nested more deeply than the call stack
 * allows. Beyond {@link MAX_NESTING} levels nothing is found.
 *
 * @param json valid JSON.
 * @param wanted pointers; a Set or the keys of a Map.
 */
export function findStrings(json: string, wanted: { has(pointer: string): boolean }): readonly JsonString[] {
  const scanner = createScanner(json, true);
  const containers: Container[] = [];
  const found: JsonString[] = [];
  let expectsKey = false;
  for (let token: number = scanner.scan(); token !== Token.end; token = scanner.scan()) {
    const container = containers.at(-1);
    switch (token) {
      case Token.openBrace:
      case Token.openBracket: {
        const isObject = token === Token.openBrace;
        const pointer = containers.length > MAX_NESTING ? '' : pointerIn(container);
        containers.push({ pointer, index: isObject ? undefined : 0, key: '' });
        expectsKey = isObject;
        break;
      }
      case Token.closeBrace:
      case Token.closeBracket:
        containers.pop();
        expectsKey = false;
        break;
      case Token.comma:
        if (container?.index !== undefined) {
          container.index += 1;
        }
        expectsKey = container?.index === undefined;
        break;
      case Token.string:
        if (expectsKey && container !== undefined) {
          container.key = scanner.getTokenValue();
          expectsKey = false;
        } else if (containers.length <= MAX_NESTING) {
          const pointer = pointerIn(container);
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

/** Pointer of what stands at the current position of a container. */
function pointerIn(container: Container | undefined): string {
  if (container === undefined) {
    return '';
  }
  const step = container.index ?? container.key.replaceAll('~', '~0').replaceAll('/', '~1');
  return `${container.pointer}/${step}`;
}
