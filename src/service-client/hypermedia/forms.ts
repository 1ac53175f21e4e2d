import { sentence } from '../../errors/index.ts';
import { MAX_TEXT_LENGTH, MAX_PARTS } from '../limits.ts';
import { isObject, member, text, type JsonObject } from './json.ts';
import { label } from './label.ts';
import { isMethod } from './links.ts';
import type { FormField, FormOption } from './resource.ts';
import type { ResourceBuilder } from './resourceBuilder.ts';

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const QUOTED_STRING = '"(?:[ !#-[\\]-~]|\\\\[ -~])*"';

/** Matches a media type (RFC 9110 §8.3.1). Doesn't allow tabs or obsolete text between quotes. */
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: *;(?: *${TOKEN}=(?:${TOKEN}|${QUOTED_STRING}))?)*$`);

/** An unvalidated description of a form in a document. */
interface FormDescription {
  readonly name: string;
  readonly title?: unknown;
  readonly method: unknown;
  /** Target of the form. If it's empty, the target is the resource itself. */
  readonly href: unknown;
  readonly contentType: string;
  readonly fields?: readonly FormField[];
}

/**
 * Adds a form to the resource. If the form can't be used, notes the reason in `skipped`.
 *
 * @param pointer JSON Pointer of the form.
 */
export function addForm(
  builder: ResourceBuilder,
  pointer: string,
  { name, title, method, href, contentType, fields = [] }: FormDescription,
): void {
  const target = href === '' && builder.self !== undefined ? builder.self.target : builder.target(href, pointer);
  if (target === undefined) {
    return;
  }
  const verb = method ?? 'GET';
  if (!isMethod(verb)) {
    builder.skip(pointer, sentence('The form’s method isn’t a valid name.'));
    return;
  }
  if (!isMediaType(contentType)) {
    builder.skip(pointer, sentence('The form’s content type isn’t a media type.'));
    return;
  }
  builder.forms.push({
    name: label(name),
    ...optionalTitle(title),
    method: verb.toUpperCase(),
    target,
    contentType,
    fields,
  });
}

/** Reports whether a value is a media type that a form can use for its body. */
export function isMediaType(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && MEDIA_TYPE.test(value);
}

/**
 * Reads the inputs of a form: an array of objects with `name`, `type`, `value`, and `required`.
 *
 * @param form the form's object.
 * @param list name of the form's member that holds the array.
 * @param pointer JSON Pointer of the form.
 * @param caption name of the input's member that holds its title.
 */
export function formFields(
  builder: ResourceBuilder,
  form: JsonObject,
  list: string,
  pointer: string,
  caption: string,
): readonly FormField[] {
  const fields: FormField[] = [];
  builder.eachItem(form, list, pointer, ({ value: input, pointer: at }) => {
    const name = text(input, 'name');
    if (name === undefined) {
      builder.skip(at, sentence('A form field has no name.'));
      return;
    }
    const type = text(input, 'type');
    const { options, selected } = formOptions(builder, input, at);
    const value = builder.toText(member(input, 'value'), `${at}/value`) ?? selected;
    fields.push({
      name,
      ...(type !== undefined && { type }),
      ...optionalTitle(member(input, caption)),
      // Don't send asterisks back: they're a mask, or replace a hidden secret.
      ...(value !== undefined && !/^\*+$/.test(value) && { value }),
      ...(member(input, 'required') === true && { required: true }),
      ...(options.length > 0 && { options }),
    });
  });
  return fields;
}

function optionalTitle(value: unknown): { readonly title?: string } {
  const title = typeof value === 'string' ? label(value) : '';
  return title === '' ? {} : { title };
}

/**
 * Reads the choices of a form field and the initial selection. HAL-FORMS `options.inline` (§4.3) is a list of strings,
 * or of objects whose members are named by `promptField` and `valueField`. Siren has a list of field value objects
 * `{title, value, selected}`.
 *
 * @param input the field's object.
 * @param pointer JSON Pointer of the field.
 */
function formOptions(
  builder: ResourceBuilder,
  input: JsonObject,
  pointer: string,
): { readonly options: readonly FormOption[]; readonly selected?: string | undefined } {
  const described = member(input, 'options');
  const inline = isObject(described) ? member(described, 'inline') : undefined;
  if (isObject(described) && Array.isArray(inline)) {
    const options = readOptions(builder, inline, `${pointer}/options/inline`, {
      value: text(described, 'valueField') ?? 'value',
      title: text(described, 'promptField') ?? 'prompt',
    });
    const chosen = member(described, 'selectedValues');
    const first: unknown = Array.isArray(chosen) ? chosen[0] : undefined;
    return { options, selected: builder.toText(first, `${pointer}/options/selectedValues/0`) };
  }
  const values = member(input, 'value');
  // Check boxes allow several selections.
  if (!Array.isArray(values) || text(input, 'type') === 'checkbox') {
    return { options: [] };
  }
  const options = readOptions(builder, values, `${pointer}/value`, { value: 'value', title: 'title' });
  const index = values.findIndex((value) => isObject(value) && member(value, 'selected') === true);
  const chosen: unknown = values[index];
  const value = isObject(chosen) ? member(chosen, 'value') : undefined;
  return { options, selected: builder.toText(value, `${pointer}/value/${index}/value`) };
}

/** Reads the choices in a list. @param names member names for the value and title of an option. */
function readOptions(
  builder: ResourceBuilder,
  list: readonly unknown[],
  pointer: string,
  names: { readonly value: string; readonly title: string },
): readonly FormOption[] {
  const options: FormOption[] = [];
  for (const [index, item] of list.slice(0, MAX_PARTS).entries()) {
    const at = `${pointer}/${index}`;
    const value = isObject(item)
      ? builder.toText(member(item, names.value), `${at}/${names.value}`)
      : builder.toText(item, at);
    const title = label((isObject(item) ? text(item, names.title) : undefined) ?? '');
    if (value !== undefined) {
      options.push({ value, ...(title !== '' && title !== value && { title }) });
    }
  }
  return options;
}
