import type { FormField, ResourceForm } from '../../../service-client/index.ts';
import type { FormPart, RequestBody, UploadFile } from './multipart.ts';

const NUMBER_TYPES: ReadonlySet<string> = new Set(['number', 'range', 'integer', 'float']);
const BOOLEAN_TYPES: ReadonlySet<string> = new Set(['boolean', 'checkbox']);

/** Value that the user entered for a field: text or files. */
export type FieldValue = string | readonly UploadFile[];

interface FormRequest {
  readonly url: string;
  readonly body: RequestBody;
}

/**
 * Encodes a form and its values in the form's format: query parameters for GET and HEAD, which don't carry content (RFC
 * 9110 §9.3), otherwise JSON, a Collection+JSON template, multipart/form-data, or the web default
 * application/x-www-form-urlencoded.
 *
 * @param url absolute URL of the form's target.
 * @param values values by field, in the form's order. Empty optional fields are omitted.
 */
export function formRequest(
  form: Pick<ResourceForm, 'method' | 'contentType'>,
  url: string,
  values: readonly (readonly [FormField, FieldValue])[],
): FormRequest {
  const filled = values.filter(([field, value]) => field.required === true || value.length > 0);
  const texts = filled.map(([{ name }, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : value.map((file) => file.name).join(', '),
  ]);
  const mediaType = form.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (form.method === 'GET' || form.method === 'HEAD') {
    return { url: withQuery(url, texts), body: { kind: 'none' } };
  }
  if (filled.length === 0) {
    return { url, body: { kind: 'none' } };
  }
  if (mediaType === 'application/vnd.collection+json') {
    const data = filled.map(
      ([field, value]) => `{"name":${jsonString(field.name)},"value":${jsonValue(field, value)}}`,
    );
    return {
      url,
      body: { kind: 'text', contentType: form.contentType, text: `{"template":{"data":[${data.join(',')}]}}` },
    };
  }
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) {
    const members = filled.map(([field, value]) => `${jsonString(field.name)}:${jsonValue(field, value)}`);
    return { url, body: { kind: 'text', contentType: form.contentType, text: `{${members.join(',')}}` } };
  }
  if (mediaType === 'multipart/form-data' || filled.some(([, value]) => typeof value !== 'string')) {
    return { url, body: { kind: 'multipart', parts: filled.flatMap(toParts) } };
  }
  return {
    url,
    body: {
      kind: 'text',
      contentType: 'application/x-www-form-urlencoded',
      text: new URLSearchParams(texts).toString(),
    },
  };
}

/** Returns the reason why a value isn't valid for a field, or undefined if it's valid. */
export function fieldProblem(
  { type, required }: FormField,
  value: string,
): 'required' | 'number' | 'boolean' | undefined {
  if (value === '') {
    return required === true ? 'required' : undefined;
  }
  if (NUMBER_TYPES.has(type ?? '') && !isJsonNumber(value)) {
    return 'number';
  }
  return BOOLEAN_TYPES.has(type ?? '') && !/^(true|false)$/.test(value) ? 'boolean' : undefined;
}

/** Reports whether a field's value must be hidden in input boxes and logs, judging by its type or name. */
export function isSecretField({ name, type }: FormField): boolean {
  const word = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return type === 'password' || /passw|passphrase|secret|credential|token|api_?key|(^|[^a-z])(pw|pwd|pin)$/.test(word);
}

function isJsonNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

/**
 * Encodes a value as JSON. Numbers are sent exactly as entered, because JavaScript would change numbers beyond 2^53.
 */
function jsonValue({ type = '' }: FormField, value: FieldValue): string {
  if (typeof value !== 'string') {
    return `[${value.map(({ name }) => jsonString(name)).join(',')}]`;
  }
  const literal =
    (NUMBER_TYPES.has(type) && isJsonNumber(value)) || (BOOLEAN_TYPES.has(type) && /^(true|false)$/.test(value));
  return literal ? value : jsonString(value);
}

/**
 * Encodes a JSON string with all control and format characters escaped, because the body may be pasted into a terminal.
 */
function jsonString(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function toParts([{ name }, value]: readonly [FormField, FieldValue]): readonly FormPart[] {
  return typeof value === 'string' ? [{ name, value }] : value.map((file) => ({ name, file }));
}

function withQuery(url: string, pairs: readonly [string, string][]): string {
  const target = new URL(url);
  for (const [name, value] of pairs) {
    target.searchParams.set(name, value);
  }
  return target.href;
}
