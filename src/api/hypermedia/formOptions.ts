import { isObject, member, text, type JsonObject } from './json.ts';
import { label } from './label.ts';
import type { FormOption } from './resource.ts';
import type { ResourceBuilder } from './resourceBuilder.ts';

/** Choices of one field that are listed. */
const MAX_OPTIONS = 1000;

/** The choices that a form's field has, and which of them is chosen until somebody chooses. */
interface FormOptions {
  readonly options: readonly FormOption[];
  readonly selected?: string;
}

/**
 * The choices of a form's field: HAL-FORMS `options.inline` (§4.3), a list of texts or of objects whose members
 * `promptField` and `valueField` name, or Siren's list of field value objects `{title, value, selected}`.
 *
 * @param input the field's own object
 * @param pointer of the field
 */
export function formOptions(builder: ResourceBuilder, input: JsonObject, pointer: string): FormOptions {
  const described = member(input, 'options');
  const inline = isObject(described) ? member(described, 'inline') : undefined;
  if (isObject(described) && Array.isArray(inline)) {
    const options = readOptions(builder, inline, `${pointer}/options/inline`, {
      value: text(described, 'valueField') ?? 'value',
      title: text(described, 'promptField') ?? 'prompt',
    });
    const chosen = member(described, 'selectedValues');
    const [first] = Array.isArray(chosen) ? (chosen as readonly unknown[]) : [];
    const selected = builder.textOf(first, `${pointer}/options/selectedValues/0`);
    return { options, ...(selected !== undefined && { selected }) };
  }
  const values = member(input, 'value');
  // of check boxes, several can be chosen
  if (!Array.isArray(values) || text(input, 'type') === 'checkbox') {
    return { options: [] };
  }
  const options = readOptions(builder, values, `${pointer}/value`, { value: 'value', title: 'title' });
  const index = values.findIndex((value) => isObject(value) && member(value, 'selected') === true);
  const chosen: unknown = values[index];
  const selected = isObject(chosen)
    ? builder.textOf(member(chosen, 'value'), `${pointer}/value/${index}/value`)
    : undefined;
  return { options, ...(selected !== undefined && { selected }) };
}

/** @param names of the members that hold an option's value and title */
function readOptions(
  builder: ResourceBuilder,
  list: readonly unknown[],
  pointer: string,
  names: { readonly value: string; readonly title: string },
): readonly FormOption[] {
  const options: FormOption[] = [];
  for (const [index, item] of list.slice(0, MAX_OPTIONS).entries()) {
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
