import { fieldOf } from './field.ts';
import type { Field, Resource } from './resource.ts';

/** The items of an array that are fields, under their positions. */
export function fieldsByPosition(items: readonly unknown[], isField: (item: unknown) => boolean): readonly Field[] {
  const fields: Field[] = [];
  for (let index = 0; index < items.length; index += 1) {
    if (isField(items[index])) {
      fields.push(fieldOf(String(index), items[index]));
    }
  }
  return fields;
}

/** The resource with fields that are made once, when they are first asked for. */
export function withFields(resource: Resource, make: () => readonly Field[]): Resource {
  let fields: readonly Field[] | undefined;
  return Object.defineProperty(resource, 'fields', { get: () => (fields ??= make()), enumerable: true });
}
