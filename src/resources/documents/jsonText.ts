import { setImmediate } from 'node:timers/promises';

import { eachResource } from '../../api/hypermedia/embeddedResources.ts';
import { MAX_POINTER_LENGTH } from '../../api/hypermedia/json.ts';
import type { LinkTarget, Resource } from '../../api/hypermedia/resource.ts';

/** Characters that are gone through without a pause: some milliseconds. */
const CHARACTERS_PER_TURN = 128 * 1024;

/** Levels that are indented; links are found in as many. */
const MAX_NESTING = 200;

/** Characters of a formatted text: with many lines at many levels it would be a hundred times as large as the document. */
const MAX_FORMATTED_LENGTH = 16 * 1024 * 1024;

/** Links of a document that can be clicked, more than a person looks through. */
const MAX_LINKS = 10_000;

/** Members that hold an address where the reader's pointer names the object around it. */
const ADDRESS_MEMBERS = ['href', '@id', 'url', 'template', 'hydra:template'];

/**
 * Formats JSON without changing its values: no number is rounded, no duplicate key is lost. What is nested too deeply, or
 * would become too large, stays as it was sent.
 *
 * @param json valid JSON of any length: there are pauses.
 */
export async function formatJson(json: string): Promise<string> {
  // Those of a turn are joined at its end: all at once would take a turn of their own.
  const turns: string[] = [];
  let parts: string[] = [];
  let length = 0;
  let depth = 0;
  let pause = CHARACTERS_PER_TURN;
  // A new line stands behind what opens a container, behind a comma, and before what closes a container that is not empty.
  let isLineEnd = false;
  for (const { start, end } of tokensOf(json)) {
    const token = json.slice(start, end);
    const isClose = token === '}' || token === ']';
    depth -= isClose ? 1 : 0;
    const part = (isLineEnd === isClose ? '' : `\n${'  '.repeat(depth)}`) + (token === ':' ? ': ' : token);
    const isOpen = token === '{' || token === '[';
    depth += isOpen ? 1 : 0;
    isLineEnd = isOpen || token === ',';
    parts.push(part);
    length += part.length;
    if (depth > MAX_NESTING || length > MAX_FORMATTED_LENGTH) {
      return json;
    }
    if (end > pause) {
      turns.push(parts.join(''));
      parts = [];
      await setImmediate();
      pause = end + CHARACTERS_PER_TURN;
    }
  }
  return [...turns, ...parts].join('');
}

const SPACE = /[\t\n\r ]*/y;
/** A number, a literal, or punctuation. */
const WORD = /[\w.+-]+|[^]/y;

/**
 * Where the tokens of valid JSON stand. Nothing here is recursive: a document may be nested more deeply than the stack allows. The
 * scanners of libraries put the values of tokens together character by character, which for a long one takes a turn of its own.
 */
function* tokensOf(json: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let end = 0; ;) {
    const start = endOf(SPACE, json, end);
    if (start >= json.length) {
      return;
    }
    end = json.charAt(start) === '"' ? endOfString(json, start) : endOf(WORD, json, start);
    yield { start, end };
  }
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Behind the next quotation mark that no backslash escapes. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json.charAt(quote - 1 - backslashes) === '\\') {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return quote + 1;
    }
  }
  return json.length;
}

/** The links of a document, by the steps of the JSON Pointers of the strings that may hold them. */
interface LinkPlaces {
  /** The link that stands here, or in one of {@link ADDRESS_MEMBERS}. */
  target?: LinkTarget;
  readonly below: Map<string, LinkPlaces>;
}

/**
 * Where the links of a resource and of what it embeds stand in its document, the first {@link MAX_LINKS} of them. Headers
 * are not part of the text. There are pauses.
 */
export async function linkPlaces(root: Resource): Promise<LinkPlaces> {
  const places: LinkPlaces = { below: new Map() };
  let count = 0;
  for await (const { self, links } of eachResource(root)) {
    for (const { pointer, target, convention } of self === undefined ? links : [self, ...links]) {
      if (convention === 'link-header' || pointer === '' || pointer.length > MAX_POINTER_LENGTH) {
        continue;
      }
      count += 1;
      if (count > MAX_LINKS) {
        return places;
      }
      placeAt(places, pointer).target ??= target;
    }
  }
  return places;
}

function placeAt(places: LinkPlaces, pointer: string): LinkPlaces {
  let place = places;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const below = place.below.get(name) ?? { below: new Map<string, LinkPlaces>() };
    place.below.set(name, below);
    place = below;
  }
  return place;
}

/** A string in a JSON text that holds the address of a link. */
interface LinkText {
  readonly target: LinkTarget;
  /** Offsets of what stands between the quotes, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** An object or array around the current token. */
interface Container {
  /** The links in it, if there are any. */
  readonly places: LinkPlaces | undefined;
  /** Of the current element; undefined in an object. */
  index: number | undefined;
  /** Of the current member, once its name has been read. */
  key: string | undefined;
}

/**
 * Finds the strings that hold links, in their order. Beyond {@link MAX_NESTING} levels nothing is found.
 *
 * @param json valid JSON of any length: there are pauses.
 */
export async function findLinks(json: string, root: LinkPlaces): Promise<readonly LinkText[]> {
  const containers: Container[] = [];
  const found: LinkText[] = [];
  let container: Container | undefined;
  let pause = CHARACTERS_PER_TURN;
  for (const { start, end } of tokensOf(json)) {
    switch (json.charAt(start)) {
      case '{':
      case '[': {
        const places = containers.length === 0 ? root : placesIn(container);
        container = { places, index: json.charAt(start) === '[' ? 0 : undefined, key: undefined };
        containers.push(container);
        break;
      }
      case '}':
      case ']':
        containers.pop();
        container = containers.at(-1);
        break;
      case ',':
        if (container?.index !== undefined) {
          container.index += 1;
        } else if (container !== undefined) {
          container.key = undefined;
        }
        break;
      case '"':
        if (container?.places === undefined || containers.length > MAX_NESTING) {
          break;
        }
        if (container.index === undefined && container.key === undefined) {
          container.key = String(JSON.parse(json.slice(start, end)));
        } else {
          const target = targetIn(container);
          if (target !== undefined) {
            found.push({ target, start: start + 1, end: end - 1 });
          }
        }
        break;
      default:
    }
    if (end > pause) {
      await setImmediate();
      pause = end + CHARACTERS_PER_TURN;
    }
  }
  return found;
}

/** What stands at the current position of a container. */
function placesIn(container: Container | undefined): LinkPlaces | undefined {
  const step = container?.index === undefined ? container?.key : String(container.index);
  return step === undefined ? undefined : container?.places?.below.get(step);
}

function targetIn(container: Container): LinkTarget | undefined {
  return (
    placesIn(container)?.target ??
    (container.key !== undefined && ADDRESS_MEMBERS.includes(container.key) ? container.places?.target : undefined)
  );
}
