import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import { sentence } from '../api/errors/sentence.ts';
import type { Input } from '../workbench/input.ts';

/**
 * The folder of this window that is meant: the only one, else the one that the person picks; that of the active editor is
 * proposed.
 *
 * @param title of the question.
 * @param folders to choose from; those of the workspace when absent.
 * @throws InvalidInputError when there is none; CancelledError when the list is closed.
 */
export async function chooseFolder(
  input: Input,
  title: string,
  folders: readonly vscode.WorkspaceFolder[] = vscode.workspace.workspaceFolders ?? [],
): Promise<vscode.WorkspaceFolder> {
  const [first, ...others] = folders;
  if (first === undefined) {
    throw new InvalidInputError(sentence('No folder is open.'), sentence('Open the folder of your web app first.'));
  }
  if (others.length === 0) {
    return first;
  }
  const edited = vscode.window.activeTextEditor?.document.uri;
  const active = edited && vscode.workspace.getWorkspaceFolder(edited)?.index;
  const items = folders
    .toSorted((left, right) => Number(right.index === active) - Number(left.index === active))
    .map((folder) => ({ icon: 'folder', label: folder.name, description: folder.uri.path, folder }));
  const chosen = await input.pick(items, { title, placeholder: vscode.l10n.t('Which folder?') });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen.folder;
}

/**
 * The folder that a command's argument names: a folder of the workspace, its address, or that of a file in it.
 *
 * @returns undefined when the argument names none.
 */
export function folderOfArgument(argument: unknown): vscode.WorkspaceFolder | undefined {
  if (argument instanceof vscode.Uri) {
    return vscode.workspace.getWorkspaceFolder(argument);
  }
  return typeof argument === 'object' && argument !== null && 'uri' in argument
    ? folderOfArgument(argument.uri)
    : undefined;
}
