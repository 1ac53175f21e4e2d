import * as vscode from 'vscode';
import { webAddressOf } from './proposedId.ts';

/** The part of the API of VS Code's own Git extension that is used (`extensions/git/src/api/git.d.ts`). */
interface GitExtension {
  /** @throws Error when `git.enabled` is off, or there is no git. */
  getAPI(version: 1): {
    getRepository(uri: vscode.Uri): {
      readonly state: {
        readonly HEAD: { readonly name?: string } | undefined;
        readonly remotes: readonly { readonly name: string; readonly fetchUrl?: string }[];
      };
    } | null;
  };
}

/** Where a folder's files are kept, as the service could fetch them. */
export interface GitRemote {
  /** Without credentials. */
  readonly url: string;
  /** The branch that is checked out; undefined when there is none. */
  readonly branch: string | undefined;
}

/** The remote of the first folder that has one: `origin`, else its first. Undefined where VS Code's Git extension knows none. */
export function findGitRemote(folders: readonly Pick<vscode.WorkspaceFolder, 'uri'>[]): GitRemote | undefined {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension?.isActive !== true) {
    return undefined;
  }
  try {
    const git = extension.exports.getAPI(1);
    for (const { uri } of folders) {
      const { HEAD, remotes } = git.getRepository(uri)?.state ?? { HEAD: undefined, remotes: [] };
      const { fetchUrl = '' } = remotes.find(({ name }) => name === 'origin') ?? remotes[0] ?? {};
      const url = webAddressOf(fetchUrl);
      if (url !== undefined) {
        return { url, branch: HEAD?.name };
      }
    }
  } catch {
    // Git is switched off.
  }
  return undefined;
}
