import { eachResource } from '../../api/hypermedia/readResource.ts';
import { isWholePointer } from '../../api/hypermedia/json.ts';
import type { LinkTarget, Resource } from '../../api/hypermedia/resource.ts';
import { tokensOf } from '../../api/jsonTokens.ts';
import { MAX_PARTS } from '../../api/limits.ts';
import { MAX_FORMATTED_LENGTH } from '../limits.ts';

/** Members that hold an address where the reader's pointer names the object around it. */
const ADDRESS_MEMBERS = ['href', '@id', 'url', 'template', 'hydra:template'];

/**
 * Formats JSON without changing its values: no number is rounded, no duplicate key is lost. What would become too large stays as
 * it was sent.
 *
 * @param json valid JSON
 */
export function formatJson(json: string): string {
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
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
    if (length > MAX_FORMATTED_LENGTH) {
      return json;
    }
  }
  return parts.join('');
}

/** The links of a document, by the steps of the JSON Pointers of the strings that may hold them. */
interface LinkPlaces {
  /** The link that stands here, or in one of {@link ADDRESS_MEMBERS}. */
  target?: LinkTarget;
  readonly below: Map<string, LinkPlaces>;
}

/**
 * Where the links of a resource and of what it embeds stand in its document, the first {@link MAX_PARTS} of them. Headers
 * are not part of the text.
 */
export function linkPlaces(root: Resource): LinkPlaces {
  const places: LinkPlaces = { below: new Map() };
  let count = 0;
  for (const { self, links } of eachResource(root)) {
    for (const { pointer, target } of self === undefined ? links : [self, ...links]) {
      if (pointer === '' || !isWholePointer(pointer)) {
        continue;
      }
      count += 1;
      if (count > MAX_PARTS) {
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

interface LinkText {
  readonly target: LinkTarget;
  /** Offsets of what stands between the quotes, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

interface Container {
  readonly places: LinkPlaces | undefined;
  /** Of the current element; undefined in an object. */
  index: number | undefined;
  /** Of the current member, once its name has been read. */
  key: string | undefined;
}

/**
 * Finds the strings that hold links, in their order.
 *
 * @param json valid JSON
 */
export function findLinks(json: string, root: LinkPlaces): readonly LinkText[] {
  const containers: Container[] = [];
  const found: LinkText[] = [];
  let container: Container | undefined;
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
        if (container?.places === undefined) {
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
