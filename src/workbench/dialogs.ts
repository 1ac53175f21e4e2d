import * as vscode from 'vscode';

/** The dialogs that stop a person's work: questions and the choice of files. */
export class Dialogs {
  /** Asks before something that cannot be undone. @returns true when the person chose `action`. */
  async confirm(question: string, detail: string, action: string): Promise<boolean> {
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) === action;
  }

  /** Asks where to save; the platform's dialog asks before a file is replaced. */
  async saveFile(suggestion: vscode.Uri, title: string): Promise<vscode.Uri | undefined> {
    return vscode.window.showSaveDialog({ defaultUri: suggestion, title, saveLabel: vscode.l10n.t('Download') });
  }

  /** Asks for one or more files to send. */
  async openFiles(title: string): Promise<readonly vscode.Uri[] | undefined> {
    return vscode.window.showOpenDialog({ title, canSelectMany: true, openLabel: vscode.l10n.t('Add') });
  }
}
