import { InvalidResponseError } from '../../api/errors/responseErrors.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import { isHtml, type ServiceResponse } from '../../api/http/response.ts';
import type { FormField, Resource } from '../../api/hypermedia/resource.ts';
import { formRequest, type FieldValue } from '../../resources/requests/formRequest.ts';
import type { RequestBody, UploadFile } from '../../resources/requests/multipart.ts';
import { fieldOf, plainMessage, selfUrl, textMember } from '../model/members.ts';
import type { Operation } from '../model/operation.ts';

/** Fields that a person or this extension sets, as the service names them; `{keys: {android: "1"}}` has fields within one. */
export type FieldValues = Readonly<
  Record<string, string | boolean | readonly string[] | Readonly<Record<string, string>>>
>;

/** A file, and the name of the field that it is sent in. */
export interface NamedFile {
  readonly name: string;
  readonly file: UploadFile;
}

/**
 * The address and the body of an operation with its values. A form is filled in: what it requires or hides keeps its value
 * unless another one is given, other fields are sent only when they are given. Without a form, all values go as JSON in `data`,
 * as the original takes them.
 */
export function operationRequest(
  { method, url, encoding }: Operation,
  values: FieldValues,
  files: readonly NamedFile[] = [],
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

/** A value that the form does not name is sent, too: the service takes or leaves it. Files come last. */
function filledFields(
  fields: readonly FormField[],
  values: FieldValues,
  files: readonly NamedFile[],
): readonly (readonly [FormField, FieldValue])[] {
  const given = new Map(Object.entries(values).flatMap(([name, value]) => flat(name, value)));
  const known = new Set(fields.map(({ name }) => name));
  const filled = fields
    .filter(({ name, type }) => type !== 'file' && !files.some((file) => file.name === name))
    .flatMap((field): [FormField, string][] => {
      const value =
        given.get(field.name) ?? (field.required === true || field.type === 'hidden' ? field.value : undefined);
      // A required field is sent although it is empty, which takes something away.
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

/** `keys: {android: "1"}` is `keys[android]` in a form, and a list is separated by commas. */
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

/** The resource in an answer. @throws InvalidResponseError when it is none. */
export function resourceOf(response: ServiceResponse): Resource {
  if (response.body.kind !== 'json') {
    throw new InvalidResponseError(isHtml(response) ? 'html' : 'notJson', URL.parse(response.url)?.host ?? '');
  }
  return response.body.resource;
}

/**
 * Fails for an answer of success that describes a failure: one whose `error` is a text, as clients of the original read it. On an
 * app it is an object.
 *
 * @throws ServiceError
 */
export function throwIfRefused({ status, body }: ServiceResponse): void {
  const field = body.kind === 'json' ? fieldOf(body.resource, 'error') : undefined;
  const message = typeof field?.value === 'string' ? plainMessage(field.value) : undefined;
  if (message !== undefined && field?.text !== '{}' && field?.text !== '[]') {
    throw new ServiceError(status, message);
  }
}

/**
 * The address of a created resource: its own link, the header Location (RFC 9110 §10.2.2), or its number below the list.
 *
 * @throws InvalidResponseError when the answer does not say.
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
