import * as vscode from 'vscode';
import { remoteOf, branchOf } from './gitConfig.ts';

/** Where a folder's files are kept, as the service could fetch them. */
export interface GitRemote {
  /** Without credentials. */
  readonly url: string;
  /** The branch that is checked out; undefined when there is none. */
  readonly branch: string | undefined;
}

/** The remote of the first folder that has one. Reads two small files of `.git`; runs nothing. */
export async function findGitRemote(
  folders: readonly vscode.WorkspaceFolder[] | undefined,
): Promise<GitRemote | undefined> {
  for (const { uri } of folders ?? []) {
    const url = remoteOf(await readText(vscode.Uri.joinPath(uri, '.git', 'config')));
    if (url !== undefined) {
      return { url, branch: branchOf(await readText(vscode.Uri.joinPath(uri, '.git', 'HEAD'))) };
    }
  }
  return undefined;
}

async function readText(uri: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // No repository, or one whose `.git` is a file: then nothing is proposed.
    return '';
  }
}
