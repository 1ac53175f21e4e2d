import { isObject, member, text, type Entry, type JsonObject } from './json.ts';
import type { Resource } from './resource.ts';

/** Resources that are found; it takes 20 ms. */
const MAX_INCLUDED = 50_000;

/** The resources that a JSON:API document includes, by type and id (JSON:API 1.1, "Compound Documents"). */
export class IncludedResources {
  readonly #document: unknown;
  #byIdentifier: ReadonlyMap<string, Entry<JsonObject>> | undefined;
  readonly #resources = new Map<string, Resource>();

  /** @param document the whole document; it is looked through when something is first asked for */
  constructor(document: unknown) {
    this.#document = document;
  }

  /** The resource that an identifier stands for, where the document includes it. */
  find(identifier: unknown): Entry<JsonObject> | undefined {
    const key = keyOf(identifier);
    this.#byIdentifier ??= this.#index();
    return key === undefined ? undefined : this.#byIdentifier.get(key);
  }

  /** The resource that an entry holds. It is read once, however many others lead to it. */
  read({ pointer }: Entry<JsonObject>, depth: number, read: () => Resource): Resource {
    const key = `${depth} ${pointer}`;
    const resource = this.#resources.get(key) ?? read();
    this.#resources.set(key, resource);
    return resource;
  }

  #index(): ReadonlyMap<string, Entry<JsonObject>> {
    const included = isObject(this.#document) ? member(this.#document, 'included') : undefined;
    const index = new Map<string, Entry<JsonObject>>();
    const first = Array.isArray(included) ? included.slice(0, MAX_INCLUDED) : [];
    for (const [position, value] of first.entries()) {
      const key = keyOf(value);
      if (key !== undefined && isObject(value)) {
        index.set(key, { name: String(position), value, pointer: `/included/${position}` });
      }
    }
    return index;
  }
}

function keyOf(identifier: unknown): string | undefined {
  const type = isObject(identifier) ? text(identifier, 'type') : undefined;
  const id = isObject(identifier) ? text(identifier, 'id') : undefined;
  return type === undefined || id === undefined ? undefined : JSON.stringify([type, id]);
}
