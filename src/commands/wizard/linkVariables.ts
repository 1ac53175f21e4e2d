import * as vscode from 'vscode';
import type { LinkTarget } from '../../api/hypermedia/resource.ts';
import { expandTemplate } from '../../api/hypermedia/templates.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { inert } from '../../workbench/inert.ts';
import { askText } from '../../workbench/textInput.ts';

export type TemplateTarget = Extract<LinkTarget, { readonly kind: 'template' }>;

/** What a form says of a variable. */
export interface Described {
  readonly name: string;
  readonly title?: string;
  readonly required?: boolean;
}

/**
 * Asks for a templated link's variables, one by one, and fills them in.
 *
 * @param described variables of which more than the name is known.
 * @returns an absolute http(s) URL, which may be on another origin.
 * @throws CancelledError when the person stops; InvalidInputError when the values give no address.
 */
export async function askForVariables(
  label: string,
  target: TemplateTarget,
  described: readonly Described[] = [],
): Promise<string> {
  const values: string[] = [];
  while (values.length < target.variables.length) {
    const name = target.variables[values.length] ?? '';
    const { title = '', required = false } = described.find((one) => one.name === name) ?? {};
    const answer = await askText({
      title: inert(label),
      step: values.length + 1,
      totalSteps: target.variables.length,
      prompt:
        title === ''
          ? vscode.l10n.t('Value of “{0}”', inert(name))
          : vscode.l10n.t('{0} (“{1}”)', inert(title), inert(name)),
      placeholder: required ? vscode.l10n.t('The service needs this') : vscode.l10n.t('Leave empty to leave it out'),
      check: (text) => (required && text === '' ? vscode.l10n.t('Enter a value.') : undefined),
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
