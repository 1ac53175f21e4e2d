import { MAX_POINTER_LENGTH } from '../../api/hypermedia/json.ts';
import { CHARACTERS_PER_TURN, tokenEnd, tokenStart, withPauses } from '../../api/hypermedia/jsonTokens.ts';
import { eachResource } from '../../api/hypermedia/lazyEmbedded.ts';
import type { LinkTarget, Resource } from '../../api/hypermedia/resource.ts';

/** Levels that are indented; links are found in as many. */
const MAX_NESTING = 200;

/** Characters of a formatted text: with many lines at many levels it would be a hundred times as large as the document. */
const MAX_FORMATTED_LENGTH = 16 * 1024 * 1024;

/** Links of a document that can be clicked; nobody looks through more. */
const MAX_LINKS = 10_000;

/** Members that hold an address where the reader's pointer names the object around it. */
const ADDRESS_MEMBERS = ['href', '@id', 'url', 'template', 'hydra:template'];

/**
 * Formats JSON without changing its values: no number is rounded, no duplicate key is lost. What is nested too deeply, or
 * would become too large, stays as it was sent.
 *
 * @param json valid JSON of any length: there are pauses.
 */
export function formatJson(json: string): Promise<string> {
  return withPauses(formatted(json));
}

function* formatted(json: string): Generator<undefined, string> {
  const indentations = Array.from({ length: MAX_NESTING + 1 }, (_, depth) => `\n${'  '.repeat(depth)}`);
  const turns: string[] = [];
  let parts: string[] = [];
  let length = 0;
  let depth = 0;
  let pause = CHARACTERS_PER_TURN;
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  for (let start = tokenStart(json, 0); start < json.length;) {
    const first = json.charAt(start);
    let end = tokenEnd(json, start);
    let next = tokenStart(json, end);
    if ((first === '{' || first === '[') && isClose(json.charAt(next))) {
      add(first + json.charAt(next));
      end = next + 1;
      next = tokenStart(json, end);
    } else if (first === '{' || first === '[') {
      depth += 1;
      add(first + (indentations[depth] ?? ''));
    } else if (isClose(first)) {
      depth -= 1;
      add((indentations[depth] ?? '') + first);
    } else if (first === ',') {
      add(first + (indentations[depth] ?? ''));
    } else {
      add(first === ':' ? ': ' : json.slice(start, end));
    }
    if (depth > MAX_NESTING || length > MAX_FORMATTED_LENGTH) {
      return json;
    }
    start = next;
    if (start > pause) {
      turns.push(parts.join(''));
      parts = [];
      yield;
      pause = start + CHARACTERS_PER_TURN;
    }
  }
  return turns.join('') + parts.join('');
}

function isClose(character: string): boolean {
  return character === '}' || character === ']';
}

/** The links of a document, by the steps of the JSON Pointers of the strings that may hold them. */
export interface LinkPlaces {
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
export interface LinkText {
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
  /** Of the current member. */
  key: string;
}

/**
 * Finds the strings that hold links, in their order. Beyond {@link MAX_NESTING} levels nothing is found.
 *
 * @param json valid JSON of any length: there are pauses.
 */
export function findLinks(json: string, places: LinkPlaces): Promise<readonly LinkText[]> {
  return withPauses(linkTexts(json, places));
}

function* linkTexts(json: string, root: LinkPlaces): Generator<undefined, readonly LinkText[]> {
  const containers: Container[] = [];
  const found: LinkText[] = [];
  let container: Container | undefined;
  let pause = CHARACTERS_PER_TURN;
  for (let start = tokenStart(json, 0); start < json.length;) {
    const end = tokenEnd(json, start);
    const next = tokenStart(json, end);
    switch (json.charAt(start)) {
      case '{':
      case '[': {
        const places = containers.length === 0 ? root : placesIn(container);
        container = { places, index: json.charAt(start) === '[' ? 0 : undefined, key: '' };
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
        }
        break;
      case '"':
        if (container !== undefined && container.index === undefined && json.charAt(next) === ':') {
          // where there is no link, names are of no use
          container.key = container.places === undefined ? '' : String(JSON.parse(json.slice(start, end)));
        } else if (container?.places !== undefined && containers.length <= MAX_NESTING) {
          const target = targetIn(container);
          if (target !== undefined) {
            found.push({ target, start: start + 1, end: end - 1 });
          }
        }
        break;
      default:
    }
    start = next;
    if (start > pause) {
      yield;
      pause = start + CHARACTERS_PER_TURN;
    }
  }
  return found;
}

/** What stands at the current position of a container. */
function placesIn(container: Container | undefined): LinkPlaces | undefined {
  return container?.places?.below.get(container.index === undefined ? container.key : String(container.index));
}

function targetIn(container: Container): LinkTarget | undefined {
  return (
    placesIn(container)?.target ??
    (container.index === undefined && ADDRESS_MEMBERS.includes(container.key) ? container.places?.target : undefined)
  );
}
