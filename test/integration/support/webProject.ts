import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

export { WEB_PROJECT } from '../../support/appPackages.ts';

/** Returns the folder that is open in the test window. */
export function openFolder(): vscode.WorkspaceFolder {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    throw new Error('The window shows no folder.');
  }
  return folder;
}

/** Writes files to the open folder, keyed by path. */
export async function writeFiles(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(openFolder().uri.fsPath, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Deletes files or folders in the open folder. Reverts unsaved changes first, while the files still exist. */
export async function deleteFiles(...names: readonly string[]): Promise<void> {
  await revertDocuments();
  for (const name of names) {
    await rm(path.join(openFolder().uri.fsPath, name), { recursive: true, force: true });
  }
}

export function dirtyDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
}

/** Reverts every document to the text of its file. */
export async function revertDocuments(): Promise<void> {
  for (const document of dirtyDocuments()) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
}
