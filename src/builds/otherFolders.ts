import type * as vscode from 'vscode';
import type { SignedInConnection } from '../auth/connection.ts';
import { exists } from '../workbench/exists.ts';
import type { App } from '../apps/model/app.ts';
import type { FolderApps } from '../apps/folderApps.ts';

/** The other folders that apps are built from, by the address of the app. One that is gone does not count. */
export async function otherFolders(
  folders: FolderApps,
  folder: vscode.WorkspaceFolder,
  connection: SignedInConnection,
  apps: readonly App[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const entries = apps.map(async ({ url }) => {
    const linked = folders.foldersOf(url, connection).filter((uri) => uri.toString() !== folder.uri.toString());
    const there = await Promise.all(linked.map(async (uri) => ((await exists(uri)) ? [pathOf(uri)] : [])));
    return [url, there.flat()] as const;
  });
  return new Map(await Promise.all(entries));
}

function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.path;
}
