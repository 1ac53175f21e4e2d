import { sentence } from '../errors/sentence.ts';
import { formOptions } from './formOptions.ts';
import { isObject, member, text, type JsonObject } from './json.ts';
import { label } from './label.ts';
import { isMethod } from './links.ts';
import type { Convention, FormField, LinkTarget } from './resource.ts';
import type { ResourceBuilder } from './resourceBuilder.ts';

/** Fields that are read of one form; nobody fills in more. */
const MAX_FIELDS = 1000;

const MAX_CONTENT_TYPE_LENGTH = 200;

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const QUOTED_STRING = '"(?:[ !#-[\\]-~]|\\\\[ -~])*"';

/** A media type (RFC 9110 §8.3.1), without the tabs and the obsolete text that its grammar takes between quotes. */
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: *;(?: *${TOKEN}=(?:${TOKEN}|${QUOTED_STRING}))?)*$`);

/** A form as a document describes it, before anything is checked. */
interface FormDescription {
  readonly name: string;
  readonly title?: unknown;
  readonly method: unknown;
  /** Where the form goes: a target that is known, or a reference. */
  readonly target?: LinkTarget | undefined;
  readonly href?: unknown;
  readonly contentType: string;
  readonly fields?: readonly FormField[];
}

/** Adds a form, or notes why it cannot be used. */
export function addForm(
  builder: ResourceBuilder,
  convention: Convention,
  pointer: string,
  { name, title, method, target, href, contentType, fields = [] }: FormDescription,
): void {
  if (builder.hasAllForms()) {
    return;
  }
  const checked = target ?? builder.target(href, pointer);
  if (checked === undefined) {
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
  builder.addForm({
    name: label(name),
    ...titleOf(title),
    method: verb.toUpperCase(),
    target: checked,
    contentType,
    fields,
    convention,
  });
}

/** True for what a form can name as the type of its body. */
export function isMediaType(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_CONTENT_TYPE_LENGTH && MEDIA_TYPE.test(value);
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
  const inputs = member(form, list) ?? [];
  if (!Array.isArray(inputs)) {
    builder.skip(`${pointer}/${list}`, sentence('The fields of the form are not an array.'));
    return [];
  }
  const fields: FormField[] = [];
  for (const [index, input] of builder.firstValues(inputs, `${pointer}/${list}`, MAX_FIELDS).entries()) {
    const at = `${pointer}/${list}/${index}`;
    const name = isObject(input) ? text(input, 'name') : undefined;
    if (!isObject(input) || name === undefined) {
      builder.skip(at, sentence('The field of the form has no name.'));
      continue;
    }
    const type = text(input, 'type');
    const { options, selected } = formOptions(builder, input, at);
    const value = builder.textOf(member(input, 'value'), `${at}/value`) ?? selected;
    fields.push({
      name,
      ...(type !== undefined && { type }),
      ...titleOf(member(input, caption)),
      // A mask, or what stands for a hidden secret, is nothing to send back.
      ...(value !== undefined && !/^\*+$/.test(value) && { value }),
      ...(member(input, 'required') === true && { required: true }),
      ...(options.length > 0 && { options }),
    });
  }
  return fields;
}

function titleOf(value: unknown): { readonly title?: string } {
  const title = typeof value === 'string' ? label(value) : '';
  return title === '' ? {} : { title };
}
