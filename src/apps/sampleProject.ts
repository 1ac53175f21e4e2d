import * as vscode from 'vscode';
import { sampleFiles } from './sampleFiles.ts';

/** Of the folder, and of the app's id. */
const NAME = 'hello-app';

/**
 * Writes a small web project that can be built as it is, into a folder of its own.
 *
 * @param parent the folder to put it into.
 * @returns the project's folder; nothing that is there is written over.
 * @throws vscode.FileSystemError
 */
export async function writeSampleProject(parent: vscode.Uri): Promise<vscode.Uri> {
  const { fs } = vscode.workspace;
  const taken = new Set((await fs.readDirectory(parent)).map(([name]) => name.toLowerCase()));
  let name = NAME;
  for (let number = 2; taken.has(name); number += 1) {
    name = `${NAME}-${number}`;
  }
  const folder = vscode.Uri.joinPath(parent, name);
  await fs.createDirectory(folder);
  for (const [file, text] of Object.entries(sampleFiles(vscode.l10n.t('Hello from your first app!')))) {
    await fs.writeFile(vscode.Uri.joinPath(folder, file), Buffer.from(text));
  }
  return folder;
}
