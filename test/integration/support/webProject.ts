import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

export { WEB_PROJECT } from '../../support/appPackages.ts';

/** The folder that the window of the tests shows. */
export function openFolder(): vscode.WorkspaceFolder {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    throw new Error('The window shows no folder.');
  }
  return folder;
}

/** Writes files into the open folder, by their paths. */
export async function writeFiles(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(openFolder().uri.fsPath, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Deletes files or folders of the open folder. What is not saved is reverted first: afterwards there is nothing to read. */
export async function deleteFiles(...names: readonly string[]): Promise<void> {
  await revertDocuments();
  for (const name of names) {
    await rm(path.join(openFolder().uri.fsPath, name), { recursive: true, force: true });
  }
}

export function dirtyDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
}

/** Gives every document the text that its file has. */
export async function revertDocuments(): Promise<void> {
  for (const document of dirtyDocuments()) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
}
