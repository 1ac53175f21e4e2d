/** What is read of files of JSON that a person or a tool has written. */

/** Characters of a text that is taken. */
const MAX_TEXT_LENGTH = 2_000;

/** An object; undefined for what is none, or no JSON. */
export function parseObject(text: string | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse((text ?? '').replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A member of an object itself. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** A member that is a text, without white space at its ends; undefined for an empty one. */
export function textMember(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  const text = typeof member === 'string' && member.length <= MAX_TEXT_LENGTH ? member.trim() : '';
  return text === '' ? undefined : text;
}
