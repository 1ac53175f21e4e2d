import { ExactNumber, isObject, member, text } from './json.ts';
import type { JsonObject } from './json.ts';
import { label } from './label.ts';
import type { Node } from './node.ts';
import { pointerTo } from './pointer.ts';
import type { Convention, FormField, LinkTarget } from './resource.ts';

/** A form as a document describes it, before anything is checked. */
interface Described {
  readonly name: string;
  readonly title?: unknown;
  readonly method: unknown;
  /** Where the form goes: a target that is known, or a reference. */
  readonly target?: LinkTarget | undefined;
  readonly href?: unknown;
  readonly contentType: string;
  readonly fields: readonly FormField[];
}

/** Adds a form, or notes why it cannot be used. */
export function addForm(node: Node, convention: Convention, pointer: string, form: Described): void {
  const target = form.target ?? node.target(form.href, pointer);
  if (target === undefined) {
    return;
  }
  const method = form.method ?? 'GET';
  if (typeof method !== 'string' || !/^[a-z]{1,20}$/i.test(method)) {
    node.skip(pointer, 'The method of the form is not a name.');
    return;
  }
  const title = typeof form.title === 'string' ? label(form.title) : '';
  node.form({
    name: label(form.name),
    ...(title !== '' && { title }),
    method: method.toUpperCase(),
    target,
    contentType: form.contentType,
    fields: form.fields,
    convention,
  });
}

/**
 * The inputs of a form, from an array of objects with `name`, `type`, `value`, `required`.
 *
 * @param titleOf where the convention keeps an input's caption
 */
export function formFields(
  node: Node,
  value: unknown,
  pointer: string,
  titleOf: (field: JsonObject) => unknown,
): readonly FormField[] {
  const fields: FormField[] = [];
  if (value === undefined || value === null) {
    return fields;
  }
  if (!Array.isArray(value)) {
    node.skip(pointer, 'The fields of the form are not an array.');
    return fields;
  }
  for (const [index, item] of value.entries()) {
    const name = isObject(item) ? text(item, 'name') : undefined;
    if (!isObject(item) || name === undefined) {
      node.skip(pointerTo(pointer, index), 'The field of the form has no name.');
      continue;
    }
    const type = text(item, 'type');
    const title = titleOf(item);
    const initial = scalarText(member(item, 'value'));
    fields.push({
      name,
      ...(type !== undefined && { type }),
      ...(typeof title === 'string' && label(title) !== '' && { title: label(title) }),
      ...(initial !== undefined && { value: initial }),
      ...(member(item, 'required') === true && { required: true }),
    });
  }
  return fields;
}

function scalarText(value: unknown): string | undefined {
  if (value instanceof ExactNumber) {
    return value.source;
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
