import { sentence } from '../errors/sentence.ts';
import { MAX_TEXT_LENGTH, MAX_PARTS } from '../limits.ts';
import { isObject, member, text, type JsonObject } from './json.ts';
import { label } from './label.ts';
import { isMethod } from './links.ts';
import type { FormField, FormOption } from './resource.ts';
import type { ResourceBuilder } from './resourceBuilder.ts';

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const QUOTED_STRING = '"(?:[ !#-[\\]-~]|\\\\[ -~])*"';

/** A media type (RFC 9110 §8.3.1), without the tabs and the obsolete text that its grammar takes between quotes. */
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: *;(?: *${TOKEN}=(?:${TOKEN}|${QUOTED_STRING}))?)*$`);

/** A form as a document describes it, before anything is checked. */
interface FormDescription {
  readonly name: string;
  readonly title?: unknown;
  readonly method: unknown;
  /** Where the form goes; an empty text stands for the resource itself. */
  readonly href: unknown;
  readonly contentType: string;
  readonly fields?: readonly FormField[];
}

/** Adds a form, or notes why it cannot be used. */
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
    builder.skip(pointer, sentence('The method of the form is not a name.'));
    return;
  }
  if (!isMediaType(contentType)) {
    builder.skip(pointer, sentence('The content type of the form is not a media type.'));
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

/** True for what a form can name as the type of its body. */
export function isMediaType(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && MEDIA_TYPE.test(value);
}

/**
 * The inputs of a form: the objects with `name`, `type`, `value`, `required` in an array.
 *
 * @param form the form's own object
 * @param list the form's member that holds the array
 * @param pointer of the form
 * @param caption the member of an input that holds its title
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
      builder.skip(at, sentence('The field of the form has no name.'));
      return;
    }
    const type = text(input, 'type');
    const { options, selected } = formOptions(builder, input, at);
    const value = builder.textOf(member(input, 'value'), `${at}/value`) ?? selected;
    fields.push({
      name,
      ...(type !== undefined && { type }),
      ...optionalTitle(member(input, caption)),
      // A mask, or what stands for a hidden secret, is nothing to send back.
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
 * The choices of a form's field, and which of them is chosen at first: HAL-FORMS `options.inline` (§4.3), a list of texts or of
 * objects whose members `promptField` and `valueField` name, or Siren's list of field value objects `{title, value, selected}`.
 *
 * @param input the field's own object
 * @param pointer of the field
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
    return { options, selected: builder.textOf(first, `${pointer}/options/selectedValues/0`) };
  }
  const values = member(input, 'value');
  // of check boxes, several can be chosen
  if (!Array.isArray(values) || text(input, 'type') === 'checkbox') {
    return { options: [] };
  }
  const options = readOptions(builder, values, `${pointer}/value`, { value: 'value', title: 'title' });
  const index = values.findIndex((value) => isObject(value) && member(value, 'selected') === true);
  const chosen: unknown = values[index];
  const value = isObject(chosen) ? member(chosen, 'value') : undefined;
  return { options, selected: builder.textOf(value, `${pointer}/value/${index}/value`) };
}

/** @param names of the members that hold an option's value and title */
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
      ? builder.textOf(member(item, names.value), `${at}/${names.value}`)
      : builder.textOf(item, at);
    const title = label((isObject(item) ? text(item, names.title) : undefined) ?? '');
    if (value !== undefined) {
      options.push({ value, ...(title !== '' && title !== value && { title }) });
    }
  }
  return options;
}
