import {
  type FormField,
  InvalidResponseError,
  isHtml,
  type Resource,
  ServiceError,
  type ServiceResponse,
} from '../../../service-client/index.ts';
import { formRequest, type FieldValue } from '../../resources/requests/formRequest.ts';
import type { RequestBody, UploadFile } from '../../resources/requests/multipart.ts';
import { findField, plainMessage, selfUrl, textMember } from '../model/members.ts';
import type { Operation } from '../model/operation.ts';

/** Values to send, keyed by the service's field names. Fields can be nested, as in `{keys: {android: "1"}}`. */
export type FieldValues = Readonly<
  Record<string, string | boolean | readonly string[] | Readonly<Record<string, string>>>
>;

/** A file, and the name of its form field. */
export interface FieldFile {
  readonly name: string;
  readonly file: UploadFile;
}

/**
 * Returns the address and body of the request for an operation. Required and hidden fields of a form keep their preset values unless
 * `values` overrides them. Optional fields are sent only if `values` contains them. Without a form, all values are sent as JSON in the
 * `data` field, as PhoneGap Build requires.
 */
export function operationRequest(
  { method, url, encoding }: Operation,
  values: FieldValues,
  files: readonly FieldFile[] = [],
): { readonly url: string; readonly body: RequestBody } {
  if (encoding.kind === 'form') {
    return formRequest(
      { method, contentType: encoding.contentType },
      url,
      filledFields(encoding.fields, values, files),
    );
  }
  const data = JSON.stringify(values);
  if (files.length > 0) {
    return { url, body: { kind: 'multipart', parts: [{ name: 'data', value: data }, ...files] } };
  }
  return Object.keys(values).length === 0
    ? { url, body: { kind: 'none' } }
    : {
        url,
        body: {
          kind: 'text',
          contentType: 'application/x-www-form-urlencoded',
          text: new URLSearchParams({ data }).toString(),
        },
      };
}

/** Fills in a form. Includes values without a matching field, because the service can ignore them. Files come last. */
function filledFields(
  fields: readonly FormField[],
  values: FieldValues,
  files: readonly FieldFile[],
): readonly (readonly [FormField, FieldValue])[] {
  const given = new Map(Object.entries(values).flatMap(([name, value]) => flat(name, value)));
  const known = new Set(fields.map(({ name }) => name));
  const filled = fields
    .filter(({ name, type }) => type !== 'file' && !files.some((file) => file.name === name))
    .flatMap((field): [FormField, string][] => {
      const value =
        given.get(field.name) ?? (field.required === true || field.type === 'hidden' ? field.value : undefined);
      // Mark the field as required, because an empty value clears it, and only required fields are sent when empty.
      return value === undefined ? [] : [[{ ...field, required: true }, value]];
    });
  const others = [...given]
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => [{ name, required: true }, value] as const);
  return [
    ...filled,
    ...others,
    ...files.map(({ name, file }) => [{ name, type: 'file', required: true }, [file]] as const),
  ];
}

/** Flattens a value for a form: `keys: {android: "1"}` becomes `keys[android]`, and lists are joined with commas. */
function flat(name: string, value: FieldValues[string]): [string, string][] {
  if (typeof value === 'string' || typeof value === 'boolean') {
    return [[name, String(value)]];
  }
  return isList(value)
    ? [[name, value.join(',')]]
    : Object.entries(value).map(([inner, text]): [string, string] => [`${name}[${inner}]`, text]);
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}

/** Returns the resource in a response. @throws InvalidResponseError if the body isn't JSON. */
export function toResource(response: ServiceResponse): Resource {
  if (response.body.kind !== 'json') {
    throw new InvalidResponseError(isHtml(response) ? 'html' : 'notJson', URL.parse(response.url)?.host ?? '');
  }
  return response.body.resource;
}

/**
 * Throws if a successful response describes a failure. PhoneGap Build clients treat a string in `error` as a failure. In an app, `error` is
 * an object.
 *
 * @throws ServiceError
 */
export function throwIfRefused({ status, body }: ServiceResponse): void {
  const field = body.kind === 'json' ? findField(body.resource, 'error') : undefined;
  const message = typeof field?.value === 'string' ? plainMessage(field.value) : undefined;
  if (message !== undefined && field?.text !== '{}' && field?.text !== '[]') {
    throw new ServiceError(status, message);
  }
}

/**
 * Returns the address of a created resource: its self link, the Location header (RFC 9110 §10.2.2), or the list's address with
 * its ID.
 *
 * @throws InvalidResponseError if the response has none of these.
 */
export function createdUrl({ body, headers, url }: ServiceResponse, listUrl: string): string {
  const resource = body.kind === 'json' ? body.resource : undefined;
  const location = headers.location === undefined ? null : URL.parse(headers.location, url);
  const id = resource && textMember(resource, 'id');
  const created = (resource && selfUrl(resource)) ?? location?.href ?? (id && `${listUrl}/${encodeURIComponent(id)}`);
  if (created === undefined || created === '') {
    throw new InvalidResponseError('missingField', 'link');
  }
  return created;
}
