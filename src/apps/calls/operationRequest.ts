import type { FormField } from '../../api/hypermedia/resource.ts';
import { formRequest, type FieldValue } from '../../resources/requests/formRequest.ts';
import type { RequestBody, UploadFile } from '../../resources/requests/multipart.ts';
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
