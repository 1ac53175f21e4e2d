import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { FormField, LinkTarget } from '../../api/hypermedia/resource.ts';
import { expandTemplate } from '../../api/hypermedia/templates.ts';
import type { Input } from '../../workbench/input.ts';

type TemplateTarget = Extract<LinkTarget, { readonly kind: 'template' }>;

/**
 * Asks for a templated link's variables, one by one, and fills them in.
 *
 * @param title of the questions.
 * @param fields what a form says of the variables, by name.
 * @returns an absolute http(s) URL, which may be on another origin.
 * @throws CancelledError when the person stops; InvalidInputError when the values give no address.
 */
export async function askForVariables(
  input: Input,
  title: string,
  target: TemplateTarget,
  fields: readonly Pick<FormField, 'name' | 'title' | 'required'>[] = [],
): Promise<string> {
  const values: string[] = [];
  while (values.length < target.variables.length) {
    const name = target.variables[values.length] ?? '';
    const field = fields.find((candidate) => candidate.name === name);
    const required = field?.required ?? false;
    const answer = await input.askText({
      title,
      step: values.length + 1,
      totalSteps: target.variables.length,
      prompt: field?.title ? vscode.l10n.t('{0} (“{1}”)', field.title, name) : vscode.l10n.t('Value of “{0}”', name),
      placeholder: required ? vscode.l10n.t('The service needs this') : vscode.l10n.t('Leave empty to leave it out'),
      validate: (text) => (required && text === '' ? vscode.l10n.t('Enter a value.') : undefined),
    });
    if (answer === 'back') {
      values.pop();
    } else {
      values.push(answer.text);
    }
  }
  try {
    return expandTemplate(
      target,
      Object.fromEntries(target.variables.flatMap((name, index) => (values[index] ? [[name, values[index]]] : []))),
    );
  } catch {
    throw new InvalidInputError(
      sentence('These values do not give a web address.'),
      sentence('Change them and try again.'),
    );
  }
}
