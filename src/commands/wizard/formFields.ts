import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Form, FormField, FormOption } from '../../api/hypermedia/resource.ts';
import { fieldProblem, isSecretField, type FieldValue } from '../../resources/requests/formRequest.ts';
import type { Input } from '../../workbench/input.ts';
import { askForFiles } from './upload.ts';

/** Where a question stands in a series. */
interface Step {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

/**
 * Asks for the values of a form's fields, one by one.
 *
 * @returns undefined when a file that the service needs is not given.
 * @throws CancelledError when a box is closed.
 */
export async function askForFields(
  form: Form,
  input: Input,
): Promise<readonly (readonly [FormField, FieldValue])[] | undefined> {
  const values = new Map<FormField, FieldValue>(form.fields.map((field) => [field, field.value ?? '']));
  const visible = form.fields.filter(({ type }) => type !== 'hidden' && type !== 'submit');
  const title = form.title ?? form.name;
  for (let index = 0; index < visible.length;) {
    const field = visible[index];
    if (field === undefined) {
      break;
    }
    if (field.type === 'file') {
      const files = await askForFiles(`${title}: ${field.title ?? field.name}`, input);
      if (files.length === 0 && field.required === true) {
        return undefined;
      }
      values.set(field, files);
      index += 1;
      continue;
    }
    const value = values.get(field);
    const step = { title, step: index + 1, totalSteps: visible.length };
    const answer =
      field.options === undefined
        ? await askForValue({ ...field, value: typeof value === 'string' ? value : '' }, step, input)
        : await askForOption(field, field.options, step, input);
    if (answer === 'back') {
      index -= 1;
    } else {
      values.set(field, answer.text);
      index += 1;
    }
  }
  return [...values];
}

/** Has a person choose one of the values that a field can take. @throws CancelledError when the list is closed. */
async function askForOption(
  { name, title = name, required }: FormField,
  options: readonly FormOption[],
  step: Step,
  input: Input,
): Promise<{ readonly text: string }> {
  const items = options.map(({ value, title: caption }) =>
    caption === undefined ? { label: value, value } : { label: caption, description: value, value },
  );
  const chosen = await input.pick(
    required === true ? items : [...items, { label: vscode.l10n.t('(no value)'), value: '' }],
    { title: `${step.title} (${step.step}/${step.totalSteps})`, placeholder: title, ignoreFocusOut: true },
  );
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return { text: chosen.value };
}

/** Asks for the value of one field; that of a secret field is masked. */
export async function askForValue(
  field: FormField,
  step: Step,
  input: Input,
): Promise<{ readonly text: string } | 'back'> {
  const name = field.title ?? field.name;
  const problems = {
    required: vscode.l10n.t('{0} needs a value.', name),
    number: vscode.l10n.t('{0} takes a number.', name),
    boolean: vscode.l10n.t('{0} takes true or false.', name),
  };
  return input.askText({
    ...step,
    prompt: field.required === true ? vscode.l10n.t('{0} (required)', name) : name,
    placeholder: field.type ?? vscode.l10n.t('Value'),
    value: field.value ?? '',
    secret: isSecretField(field),
    exact: true,
    validate: (text) => {
      const problem = fieldProblem(field, text);
      return problem === undefined ? undefined : problems[problem];
    },
  });
}
