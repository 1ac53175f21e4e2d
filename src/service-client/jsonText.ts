import { MAX_FORMATTED_LENGTH, MAX_PARTS } from './limits.ts';
import { eachResource } from './hypermedia/readResource.ts';
import { isWholePointer } from './hypermedia/json.ts';
import type { LinkTarget, Resource } from './hypermedia/resource.ts';
import { tokenizeJson } from './jsonTokens.ts';

/** Members that contain an address. For some links, the reader's pointer refers to the object around such a member. */
const ADDRESS_MEMBERS = ['href', '@id', 'url', 'template', 'hydra:template'];

/**
 * Formats JSON without changing its values: numbers aren't rounded, and duplicate keys are kept. Returns the text
 * unchanged if the result would be too large.
 *
 * @param json valid JSON.
 */
export function formatJson(json: string): string {
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
  // A new line starts after an opening bracket, after a comma, and before the closing bracket of a container that isn't
  // empty.
  let isLineEnd = false;
  for (const { start, end } of tokenizeJson(json)) {
    const token = json.slice(start, end);
    const isClose = token === '}' || token === ']';
    depth -= isClose ? 1 : 0;
    const part = (isLineEnd === isClose ? '' : `\n${'  '.repeat(depth)}`) + (token === ':' ? ': ' : token);
    const isOpen = token === '{' || token === '[';
    depth += isOpen ? 1 : 0;
    isLineEnd = isOpen || token === ',';
    parts.push(part);
    length += part.length;
    if (length > MAX_FORMATTED_LENGTH) {
      return json;
    }
  }
  return parts.join('');
}

/** Locations of links in a document, as a tree of the steps in JSON Pointers. */
interface LinkLocations {
  /** Link at this position, or in one of the {@link ADDRESS_MEMBERS}. */
  target?: LinkTarget;
  readonly below: Map<string, LinkLocations>;
}

/**
 * Returns the positions of the links of a resource and its embedded resources, up to {@link MAX_PARTS} links. Excludes
 * links from headers, which aren't in the text.
 */
export function getLinkLocations(root: Resource): LinkLocations {
  const locations: LinkLocations = { below: new Map() };
  let count = 0;
  for (const { self, links } of eachResource(root)) {
    for (const { pointer, target } of self === undefined ? links : [self, ...links]) {
      if (pointer === '' || !isWholePointer(pointer)) {
        continue;
      }
      count += 1;
      if (count > MAX_PARTS) {
        return locations;
      }
      getLocationsAt(locations, pointer).target ??= target;
    }
  }
  return locations;
}

function getLocationsAt(locations: LinkLocations, pointer: string): LinkLocations {
  let place = locations;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const below = place.below.get(name) ?? { below: new Map<string, LinkLocations>() };
    place.below.set(name, below);
    place = below;
  }
  return place;
}

interface LinkText {
  readonly target: LinkTarget;
  /** Offsets of the text between the quotes, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

interface JsonContainer {
  readonly locations: LinkLocations | undefined;
  /** Index of the current element. Undefined in an object. */
  index: number | undefined;
  /** Name of the current member, once read. */
  key: string | undefined;
}

/**
 * Finds the strings that contain links, in document order.
 * @param json valid JSON.
 * @param root locations of the links, from {@link getLinkLocations}.
 */
export function findLinks(json: string, root: LinkLocations): readonly LinkText[] {
  const containers: JsonContainer[] = [];
  const found: LinkText[] = [];
  let container: JsonContainer | undefined;
  for (const { start, end } of tokenizeJson(json)) {
    switch (json.charAt(start)) {
      case '{':
      case '[': {
        const locations = containers.length === 0 ? root : getElementLocations(container);
        container = { locations, index: json.charAt(start) === '[' ? 0 : undefined, key: undefined };
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
        if (container?.locations === undefined) {
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
  }
  return found;
}

/** Returns the link locations in the current element or member. */
function getElementLocations(container: JsonContainer | undefined): LinkLocations | undefined {
  const step = container?.index === undefined ? container?.key : String(container.index);
  return step === undefined ? undefined : container?.locations?.below.get(step);
}

function targetIn(container: JsonContainer): LinkTarget | undefined {
  return (
    getElementLocations(container)?.target ??
    (container.key !== undefined && ADDRESS_MEMBERS.includes(container.key) ? container.locations?.target : undefined)
  );
}
