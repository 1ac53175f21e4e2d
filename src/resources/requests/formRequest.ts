import type { Form, FormField } from '../../api/hypermedia/resource.ts';
import type { Part, RequestBody, UploadFile } from './multipart.ts';

const NUMBER_TYPES: ReadonlySet<string> = new Set(['number', 'range', 'integer', 'float']);
const BOOLEAN_TYPES: ReadonlySet<string> = new Set(['boolean', 'checkbox']);

/** What a person entered for a field: text, or files. */
export type FieldValue = string | readonly UploadFile[];

interface FormRequest {
  readonly url: string;
  readonly body: RequestBody;
}

/**
 * Encodes a form with its values as the form asks for: query parameters for GET and HEAD (they carry no content, RFC 9110
 * §9.3), else JSON, a Collection+JSON template, multipart/form-data or, like a web page, application/x-www-form-urlencoded.
 *
 * @param url where the form is sent, absolute.
 * @param values by field, in the form's order. Optional fields that are empty are left out.
 */
export function formRequest(
  form: Pick<Form, 'method' | 'contentType'>,
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
    return { url, body: { kind: 'multipart', parts: filled.flatMap(partsOf) } };
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

/** Why a value cannot be sent for a field; undefined when it can. */
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

/** True for a field whose value is to be hidden in input boxes and logs, by its type or name. */
export function isSecretField({ name, type }: FormField): boolean {
  const word = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return type === 'password' || /passw|passphrase|secret|credential|token|api_?key|(^|[^a-z])(pw|pwd|pin)$/.test(word);
}

function isJsonNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

/** Numbers go out exactly as they were entered: beyond 2^53 a JavaScript number would be another one. */
function jsonValue({ type = '' }: FormField, value: FieldValue): string {
  if (typeof value !== 'string') {
    return `[${value.map(({ name }) => jsonString(name)).join(',')}]`;
  }
  const literal =
    (NUMBER_TYPES.has(type) && isJsonNumber(value)) || (BOOLEAN_TYPES.has(type) && /^(true|false)$/.test(value));
  return literal ? value : jsonString(value);
}

/** A JSON string whose control and format characters are all escaped: the body may be pasted into a terminal. */
function jsonString(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function partsOf([{ name }, value]: readonly [FormField, FieldValue]): readonly Part[] {
  return typeof value === 'string' ? [{ name, value }] : value.map((file) => ({ name, file }));
}

function withQuery(url: string, pairs: readonly [string, string][]): string {
  const target = new URL(url);
  for (const [name, value] of pairs) {
    target.searchParams.set(name, value);
  }
  return target.href;
}
