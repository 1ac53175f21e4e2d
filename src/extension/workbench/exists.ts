import * as vscode from 'vscode';

/** Reports whether a file or folder exists. Returns false on any error. */
export async function uriExists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
