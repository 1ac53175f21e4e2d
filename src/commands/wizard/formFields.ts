import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Form, FormField, FormOption } from '../../api/hypermedia/resource.ts';
import { fieldProblem, isSecretField, type FieldValue } from '../../resources/requests/formRequest.ts';
import type { Input } from '../../workbench/input.ts';
import { askForFiles } from './upload.ts';
import { runWizard, type Position, type WizardStep } from './wizard.ts';

type Values = ReadonlyMap<FormField, FieldValue>;

/** Asks for the values of a form's fields, one by one. Closing the dialog of a required file cancels. */
export async function askForFields(form: Form, input: Input): Promise<readonly (readonly [FormField, FieldValue])[]> {
  const initial: Values = new Map(form.fields.map((field) => [field, field.value ?? '']));
  const visible = form.fields.filter(({ type }) => type !== 'hidden' && type !== 'submit');
  const steps = visible.map((field): WizardStep<Values> => ({
    ask: async (values, position) => {
      const answer = await askForField(
        field,
        values.get(field),
        { ...position, title: form.title ?? form.name },
        input,
      );
      return answer === 'back' ? answer : new Map(values).set(field, answer.value);
    },
  }));
  return [...(await runWizard(initial, steps))];
}

async function askForField(
  field: FormField,
  value: FieldValue | undefined,
  question: TitledPosition,
  input: Input,
): Promise<{ readonly value: FieldValue } | 'back'> {
  if (field.type === 'file') {
    const files = await askForFiles(`${question.title}: ${field.title ?? field.name}`, input);
    if (files.length === 0 && field.required === true) {
      throw new CancelledError();
    }
    return { value: files };
  }
  if (field.options !== undefined) {
    return { value: await askForOption(field, field.options, question, input) };
  }
  const answer = await askForValue({ ...field, value: typeof value === 'string' ? value : '' }, question, input);
  return answer === 'back' ? answer : { value: answer.text };
}

interface TitledPosition extends Position {
  readonly title: string;
}

async function askForOption(
  { name, title = name, required }: FormField,
  options: readonly FormOption[],
  position: TitledPosition,
  input: Input,
): Promise<string> {
  const items = options.map(({ value, title: caption }) =>
    caption === undefined ? { label: value, value } : { label: caption, description: value, value },
  );
  const chosen = await input.pick(
    required === true ? items : [...items, { label: vscode.l10n.t('(no value)'), value: '' }],
    { title: `${position.title} (${position.step}/${position.totalSteps})`, placeholder: title, ignoreFocusOut: true },
  );
  return chosen.value;
}

/** Asks for the value of one field; that of a secret field is masked. */
export async function askForValue(
  field: FormField,
  position: TitledPosition,
  input: Input,
): Promise<{ readonly text: string } | 'back'> {
  const name = field.title ?? field.name;
  const problems = {
    required: vscode.l10n.t('{0} needs a value.', name),
    number: vscode.l10n.t('{0} takes a number.', name),
    boolean: vscode.l10n.t('{0} takes true or false.', name),
  };
  return input.askText({
    ...position,
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
