/** Checks of a folder: of one on this disk, and made by hand. */
import type * as vscode from 'vscode';
import type { PackagePlan, PlannedFile } from '../../src/projects/packing/packageContents.ts';
import { uriBelow } from '../../src/projects/paths.ts';
import type { Layout } from '../../src/projects/layout.ts';
import { DiskTree, ProjectFolder } from '../../src/projects/projectFolder.ts';
import type { WebProject } from '../../src/projects/projectSearch.ts';
import { plainText } from '../../src/api/errors/sentence.ts';
import type { ProjectFinding } from '../../src/projects/preflight/finding.ts';
import type { FolderCheck } from '../../src/projects/preflight/checkFolder.ts';
import { checkProjectConfig } from '../../src/projects/preflight/configCheck.ts';
import { folderOf, plan, type Files } from './packing.ts';

interface PlannedFolder {
  readonly path: string;
  readonly project: ProjectFolder;
  readonly sent: PackagePlan;
  /** What the check finds in its config.xml. */
  readonly config: Awaited<ReturnType<typeof checkProjectConfig>>;
}

/** Makes a folder of these files, plans the project in it, and removes it again. @param path of the project below the folder */
export async function inFolder<T>(
  files: Files,
  use: (planned: PlannedFolder) => T | Promise<T>,
  path = '',
): Promise<T> {
  const { folder, remove } = await folderOf(files);
  try {
    const sent = await plan(folder, path);
    const project = new ProjectFolder(new DiskTree(folder), path);
    const config = await checkProjectConfig({ folder: project, plan: sent, unsavedText: () => undefined });
    return await use({ path: folder, project, sent, config });
  } finally {
    await remove();
  }
}

/** As {@link inFolder}, of a project that is only read. */
export async function inProject<T>(
  files: Files,
  use: (project: ProjectFolder) => T | Promise<T>,
  path = '',
): Promise<T> {
  const { folder, remove } = await folderOf(files);
  try {
    return await use(new ProjectFolder(new DiskTree(folder), path));
  } finally {
    await remove();
  }
}

/** A finding in one line, such as `mayFail www/app.js:3 It …`. The line is counted from 1. */
export function lineOfFinding({ verdict, message, place }: ProjectFinding): string {
  const line = place?.start === undefined ? '' : `:${place.start.line + 1}`;
  return `${verdict} ${place === undefined ? '' : `${place.path}${line} `}${plainText(message)}`;
}

/** A plan of files by their paths, with their sizes. */
export function planOf(
  project: WebProject,
  sizes: Readonly<Record<string, number>>,
  more: Partial<PackagePlan> = {},
): PackagePlan {
  const files = Object.entries(sizes).map(([path, sizeBytes]) => plannedFile(project, path, sizeBytes));
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const layout = layoutOf(Object.keys(sizes));
  return {
    project,
    layout,
    config: undefined,
    made: [],
    files,
    totalBytes,
    leftOut: [],
    suspects: [],
    warnings: [],
    ...more,
  };
}

/** Where the pages of a project are that has these files. */
export function layoutOf(paths: readonly string[]): Layout {
  const isBelowWww = paths.some((path) => path.startsWith('www/')) && !paths.includes('index.html');
  const pages = isBelowWww ? 'www' : '';
  return { kind: 'cordova', app: undefined, config: 'config.xml', pages, state: { kind: 'built' } };
}

export function plannedFile({ uri }: WebProject, path: string, sizeBytes: number): PlannedFile {
  return { path, uri: uriBelow(uri, path), sizeBytes, mode: undefined, modifiedMs: 0, inode: 0 };
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
