import * as vscode from 'vscode';

import type { WebProject } from './webProject.ts';

/** The documents below a project that have changes which are not in their files: these would not be sent. */
export function unsavedEditors(project: WebProject): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && isInside(uri, project.uri),
  );
}

/** Whether VS Code saves without being asked (`files.autoSave`): what is unsaved then is only waiting for its turn. */
export function savesByItself(project: WebProject): boolean {
  return vscode.workspace.getConfiguration('files', project.uri).get<string>('autoSave', 'off') !== 'off';
}

/**
 * Saves documents.
 *
 * @returns those that are not saved, such as a file that is read-only
 */
export async function saveEditors(documents: readonly vscode.TextDocument[]): Promise<readonly vscode.TextDocument[]> {
  const saved = await Promise.all(
    documents.map(async (document) => {
      try {
        return await document.save();
      } catch {
        return false;
      }
    }),
  );
  return documents.filter((_document, index) => saved[index] !== true);
}

function isInside(uri: vscode.Uri, folder: vscode.Uri): boolean {
  const path = folder.path.replace(/\/$/, '');
  return uri.scheme === folder.scheme && uri.authority === folder.authority && uri.path.startsWith(`${path}/`);
}
