import { ExactNumber } from './json.ts';
import type { Field } from './resource.ts';

/** A value without members as a field: a scalar, an {@link ExactNumber}, or an empty array or object. */
export function fieldOf(name: string, value: unknown): Field {
  if (typeof value === 'string') {
    return { name, value, text: value };
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
    return { name, value, text: String(value) };
  }
  if (value instanceof ExactNumber) {
    return { name, value: value.value, text: value.source };
  }
  return { name, value: null, text: Array.isArray(value) ? '[]' : '{}' };
}
