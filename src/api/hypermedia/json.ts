/** What every reader needs to look at JSON that somebody else wrote. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for `{…}`; false for arrays, null, scalars and {@link ExactNumber}s. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** True for an object without members of its own. */
export function isEmpty(object: JsonObject): boolean {
  for (const name in object) {
    if (Object.hasOwn(object, name)) {
      return false;
    }
  }
  return true;
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

/** A number whose spelling a JavaScript number cannot hold. */
export class ExactNumber {
  readonly value: number;
  readonly source: string;

  constructor(value: number, source: string) {
    this.value = value;
    this.source = source;
  }
}

/** True when printing the number may differ from what was sent: beyond 2^53, infinite, or with too many digits. */
export function mayBeRounded(value: number): boolean {
  return (
    !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value) || String(value).length > 16)
  );
}

/**
 * Parses JSON again, keeping the spelling of numbers as {@link ExactNumber}s where it differs from JavaScript's.
 *
 * @param text the document as sent
 * @returns the document, or undefined where the engine cannot tell (too deep for a reviver, or not JSON)
 */
export function parseExactly(text: string): unknown {
  const revive = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined && context.source !== String(value)
      ? new ExactNumber(value, context.source)
      : value;
  try {
    return JSON.parse(text, revive) as unknown;
  } catch {
    return undefined;
  }
}
