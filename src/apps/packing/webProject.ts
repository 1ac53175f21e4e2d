import type * as vscode from 'vscode';

import { DISK_SEARCH, searchProjects, VIRTUAL_SEARCH, type WebProject } from './projectSearch.ts';
import { treeOf } from './trees.ts';

export type { WebProject } from './projectSearch.ts';

/**
 * Finds the web projects in a folder and below it, the closest first. Never waits on a search of VS Code.
 *
 * @throws PackingError when the folder cannot be read; CancelledError
 */
export function findWebProjects(folder: vscode.Uri, signal?: AbortSignal): Promise<readonly WebProject[]> {
  return searchProjects(treeOf(folder), folder, folder.scheme === 'file' ? DISK_SEARCH : VIRTUAL_SEARCH, signal);
}
