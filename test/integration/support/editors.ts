import * as vscode from 'vscode';

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
