import * as vscode from 'vscode';

/** True when there is a file or folder. False, too, where that cannot be known. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
