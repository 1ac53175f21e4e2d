import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../../errors/index.ts';
import type { FormField, ResourceForm } from '../../../service-client/index.ts';
import { uploadFailure } from '../../apps/appErrors.ts';
import type { UploadOptions } from '../../apps/calls/appCalls.ts';
import { type WizardStep, runWizard } from './wizard.ts';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import { type FieldValue, fieldProblem, isSecretField } from '../../resources/requests/formRequest.ts';
import { type UploadFile, uploadFile } from '../../resources/requests/multipart.ts';
import type { FileQuestion, Input } from '../../workbench/input.ts';
import { eachPercent, withProgress } from '../../workbench/progress.ts';
import { sizeText } from '../../workbench/texts.ts';

type Values = ReadonlyMap<FormField, FieldValue>;

/** Asks for the values of a form's fields, one at a time. @throws CancelledError if the user closes the dialog of a required file. */
export async function askForFields(
  form: ResourceForm,
  input: Input,
): Promise<readonly (readonly [FormField, FieldValue])[]> {
  const title = form.title ?? form.name;
  const initial: Values = new Map(form.fields.map((field) => [field, field.value ?? '']));
  const visible = form.fields.filter(({ type }) => type !== 'hidden' && type !== 'submit');
  const steps = visible.map((field): WizardStep<Values> => ({
    ask: async (values, position) => {
      const value = values.get(field);
      const answer =
        field.type === 'file'
          ? await askForFiles(`${title}: ${field.title ?? field.name}`, input)
          : await askForValue(field, typeof value === 'string' ? value : '', { ...position, title }, input);
      if (field.type === 'file' && answer.length === 0 && field.required === true) {
        throw new CancelledError();
      }
      return new Map(values).set(field, answer);
    },
  }));
  return [...(await runWizard(initial, steps))];
}

/** Asks for the value of a field. A secret value is masked. @param value the initial value. */
export async function askForValue(
  field: FormField,
  value: string,
  question: { readonly title: string; readonly step?: number; readonly totalSteps?: number; readonly back?: boolean },
  input: Input,
): Promise<string> {
  const name = field.title ?? field.name;
  if (field.options !== undefined) {
    const options = field.options.map((option) =>
      option.title === undefined
        ? { label: option.value, value: option.value }
        : { label: option.title, description: option.value, value: option.value },
    );
    const isOptional = field.required !== true && options.every((option) => option.value !== '');
    const items = isOptional ? [...options, { label: vscode.l10n.t('(no value)'), value: '' }] : options;
    const active = items.find((item) => item.value === value);
    return (await input.pick(items, { ...question, placeholder: name, active, ignoreFocusOut: true })).value;
  }
  const problems = {
    required: vscode.l10n.t('{0} needs a value.', name),
    number: vscode.l10n.t('{0} must be a number.', name),
    boolean: vscode.l10n.t('{0} must be true or false.', name),
  };
  return input.askText({
    ...question,
    prompt: field.required === true ? vscode.l10n.t('{0} (required)', name) : name,
    placeholder: field.type ?? vscode.l10n.t('Value'),
    value,
    secret: isSecretField(field),
    exact: true,
    validate: (text) => {
      const problem = fieldProblem(field, text);
      return problem && problems[problem];
    },
  });
}

/** Returns the options of a dialog that asks for a package. */
export function packageQuestion(title: string): FileQuestion {
  return {
    title,
    openLabel: vscode.l10n.t('Choose Package'),
    filters: { [vscode.l10n.t('Packages')]: ['zip', 'html'], [vscode.l10n.t('All Files')]: ['*'] },
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
  };
}

/** Asks for files. Returns an empty list if the user closes the dialog. */
export async function askForFiles(title: string, input: Input): Promise<readonly UploadFile[]> {
  return Promise.all(((await input.openFiles(title)) ?? []).map(readyToSend));
}

/** Returns a file that is ready to upload. @throws FileError with the file's name if it can't be read. */
export async function readyToSend(uri: vscode.Uri): Promise<UploadFile> {
  try {
    return await uploadFile(uri);
  } catch (error) {
    throw fileFailure(error, path.posix.basename(uri.path));
  }
}

/** Uploads a file with a progress notification. @throws Failure from {@link uploadFailure}; CancelledError */
export function withUploadProgress<T>(
  { name, size }: UploadFile,
  send: (options: UploadOptions) => Promise<T>,
): Promise<T> {
  return withProgress({ notification: vscode.l10n.t('Sending {0}', name) }, async (signal, report) => {
    const show = eachPercent(report);
    const onProgress = (done: number, total: number) =>
      show(vscode.l10n.t('{0} of {1}', sizeText(done), sizeText(total)), { done, total });
    try {
      return await send({ signal, onProgress });
    } catch (error) {
      throw uploadFailure(error, size);
    }
  });
}
