import { isObject, MAX_POINTER_LENGTH, member } from './json.ts';

/** Numbers as the service wrote them: identifiers can be longer than what JavaScript holds. */
export class NumberTexts {
  readonly #json: string | undefined;
  /** The document with its long numbers as texts, once it is needed. */
  #texts: { readonly document: unknown } | undefined;

  /** @param json as sent, and not long: reading it again takes ten times as long as parsing. Without it, long numbers are rounded. */
  constructor(json: string | undefined) {
    this.#json = json;
  }

  /**
   * A number as it was sent; `≈` before it says that it is rounded.
   *
   * @param pointer JSON Pointer of the number in the document
   */
  of(value: number, pointer: string): string {
    if (!mayBeRounded(value)) {
      return String(value);
    }
    this.#texts ??= { document: this.#json === undefined ? undefined : longNumbersAsTexts(this.#json) };
    const sent = pointer.length > MAX_POINTER_LENGTH ? undefined : valueAt(this.#texts.document, pointer);
    return typeof sent === 'string' ? sent : `≈ ${value}`;
  }
}

/** True when printing the number may differ from what was sent: beyond 2^53, infinite, or with too many digits. */
export function mayBeRounded(value: number): boolean {
  return (
    !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value) || String(value).length > 16)
  );
}

/** Undefined for what is nested too deeply: a reviver is called recursively. */
function longNumbersAsTexts(json: string): unknown {
  try {
    return JSON.parse(json, (_name, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && mayBeRounded(value) ? context?.source : value,
    );
  } catch {
    return undefined;
  }
}

/** The value that a JSON Pointer leads to (RFC 6901 §4); undefined where there is none. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? (value[Number(name)] as unknown) : isObject(value) ? member(value, name) : undefined;
  }
  return value;
}
