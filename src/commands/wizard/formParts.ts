import * as vscode from 'vscode';
import { isSecretField } from '../../resources/requests/formRequest.ts';
import type { Part } from '../../resources/requests/multipart.ts';
import type { PickItem } from '../../workbench/input.ts';
import type { WizardDependencies } from '../dependencies.ts';
import { askForFiles, askForValue } from './formFields.ts';
import { describeFile } from './requestBody.ts';

/**
 * Asks for the fields and files of a form in any order, until the person sends them. Choosing one that is there removes it.
 *
 * @returns undefined when the list is closed.
 */
export async function askForParts(
  title: string,
  dependencies: WizardDependencies,
): Promise<readonly Part[] | undefined> {
  const addField = { label: vscode.l10n.t('Add Field…'), icon: 'add' };
  const addFile = { label: vscode.l10n.t('Add File…'), icon: 'file-add' };
  const send = { label: vscode.l10n.t('Send'), icon: 'send' };
  let parts: readonly Part[] = [];
  for (;;) {
    const present = parts.map((part) => ({
      label: part.name,
      description: 'file' in part ? describeFile(part.file) : isSecretField(part) ? '••••' : part.value,
      detail: vscode.l10n.t('Select to remove'),
      part,
    }));
    const items: readonly PickItem[] = [...(parts.length > 0 ? [send] : []), addField, addFile, ...present];
    const chosen = await dependencies.input.pick(items, {
      title,
      placeholder: vscode.l10n.t('Fields and files of the form'),
      ignoreFocusOut: true,
    });
    if (chosen === undefined) {
      return undefined;
    }
    if (chosen === send) {
      return parts;
    }
    const removed = present.find((item) => item === chosen)?.part;
    const added = removed === undefined ? await askForPart(title, chosen === addFile, dependencies) : [];
    parts = [...parts.filter((part) => part !== removed), ...added];
  }
}

async function askForPart(title: string, isFile: boolean, dependencies: WizardDependencies): Promise<readonly Part[]> {
  const name = await dependencies.input.askText({
    title,
    step: 1,
    totalSteps: 2,
    prompt: isFile ? vscode.l10n.t('Name of the field that carries the file') : vscode.l10n.t('Name of the field'),
    placeholder: isFile ? 'file' : 'title',
    validate: (text) => (text === '' ? vscode.l10n.t('Enter a name.') : undefined),
  });
  if (name === 'back') {
    return [];
  }
  if (isFile) {
    const files = await askForFiles(title, dependencies.input);
    return files.map((file) => ({ name: name.text, file }));
  }
  const value = await askForValue({ name: name.text }, { title, step: 2, totalSteps: 2 }, dependencies);
  return value === 'back' ? askForPart(title, isFile, dependencies) : [{ name: name.text, value: value.text }];
}
