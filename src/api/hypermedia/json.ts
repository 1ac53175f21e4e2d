/** What every reader needs to look at JSON that somebody else wrote. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for `{…}`; false for arrays, null and scalars. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for an object or array that holds something. */
export function hasMembers(value: unknown): value is JsonObject | readonly unknown[] {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

/** The object's own member, so that `constructor` or `__proto__` never reach the prototype. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The object's own member if it is a string. */
export function text(object: JsonObject, name: string): string | undefined {
  const value = member(object, name);
  return typeof value === 'string' ? value : undefined;
}

/** Appends one step to a JSON Pointer (RFC 6901 §3). */
export function pointerTo(parent: string, step: string | number): string {
  if (typeof step === 'string' && (step.includes('~') || step.includes('/'))) {
    return `${parent}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return `${parent}/${step}`;
}

/** A member of an object or an element of an array. */
export interface Entry<Value = unknown> {
  readonly name: string;
  readonly value: Value;
  readonly pointer: string;
}

/** The members of an object, with their JSON Pointers; none of what is no object. */
export function entriesOf(value: unknown, pointer: string): readonly Entry[] {
  return isObject(value)
    ? Object.keys(value).map((name) => ({ name, value: value[name], pointer: pointerTo(pointer, name) }))
    : [];
}
