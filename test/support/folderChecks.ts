/** Checks of a folder, made by hand. */
import type * as vscode from 'vscode';
import type { PackagePlan, PlannedFile } from '../../src/apps/packing/packageContents.ts';
import { uriBelow } from '../../src/apps/packing/paths.ts';
import type { WebProject } from '../../src/apps/packing/projectSearch.ts';
import type { FolderCheck } from '../../src/apps/preflight/folderCheck.ts';

/** A plan of files by their paths, with their sizes. */
export function planOf(
  project: WebProject,
  sizes: Readonly<Record<string, number>>,
  more: Partial<PackagePlan> = {},
): PackagePlan {
  const files = Object.entries(sizes).map(([path, sizeBytes]) => plannedFile(project, path, sizeBytes));
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { project, files, totalBytes, leftOut: [], suspects: [], warnings: [], ...more };
}

export function plannedFile({ uri }: WebProject, path: string, sizeBytes: number): PlannedFile {
  return { path, uri: uriBelow(uri, path), sizeBytes, mode: undefined };
}

/** A check of the project in a folder, in which nothing was found. */
export function checkOf(folder: vscode.Uri, more: Partial<FolderCheck> = {}): FolderCheck {
  const name = folder.path.split('/').at(-1) ?? '';
  return {
    folder: { uri: folder, name, index: 0 },
    project: { uri: folder, path: '', name: undefined },
    plan: undefined,
    findings: [],
    ...more,
  };
}
