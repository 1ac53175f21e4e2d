/** Checks of folders on disk, and checks built by hand. */
import type * as vscode from 'vscode';
import type { PackagePlan, PlannedFile } from '../../src/web-project/packing/packageContents.ts';
import { joinUri } from '../../src/web-project/paths.ts';
import type { ProjectLayout } from '../../src/web-project/projectLayout.ts';
import { DiskTree, ProjectFolder } from '../../src/web-project/projectFolder.ts';
import type { WebProject } from '../../src/web-project/projectSearch.ts';
import { formatSentence } from '../../src/errors/sentence.ts';
import type { ProjectFinding } from '../../src/web-project/check/projectFinding.ts';
import type { FolderCheck } from '../../src/extension/preflight/checkFolder.ts';
import { checkProjectConfig } from '../../src/web-project/check/configCheck.ts';
import { createFolder, plan, type Files } from './packing.ts';

interface PlannedFolder {
  readonly path: string;
  readonly project: ProjectFolder;
  readonly sent: PackagePlan;
  /** Findings in config.xml. */
  readonly config: Awaited<ReturnType<typeof checkProjectConfig>>;
}

/** Creates a folder with these files, plans its project, and removes the folder again. @param path project path relative to the folder */
export async function inFolder<T>(
  files: Files,
  use: (planned: PlannedFolder) => T | Promise<T>,
  path = '',
): Promise<T> {
  const { folder, remove } = await createFolder(files);
  try {
    const sent = await plan(folder, path);
    const project = new ProjectFolder(new DiskTree(folder), path);
    const config = await checkProjectConfig({ folder: project, plan: sent, unsavedText: () => undefined });
    return await use({ path: folder, project, sent, config });
  } finally {
    await remove();
  }
}

/** Like {@link inFolder}, but only reads the project. */
export async function inProject<T>(
  files: Files,
  use: (project: ProjectFolder) => T | Promise<T>,
  path = '',
): Promise<T> {
  const { folder, remove } = await createFolder(files);
  try {
    return await use(new ProjectFolder(new DiskTree(folder), path));
  } finally {
    await remove();
  }
}

/** Describes a finding in one line, such as `mayFail www/app.js:3 It …`. Lines are one-based. */
export function formatFinding({ verdict, message, location }: ProjectFinding): string {
  const line = location?.start === undefined ? '' : `:${location.start.line + 1}`;
  return `${verdict} ${location === undefined ? '' : `${location.path}${line} `}${formatSentence(message)}`;
}

/** Returns a plan of files with their sizes, keyed by path. */
export function createPlan(
  project: WebProject,
  sizes: Readonly<Record<string, number>>,
  more: Partial<PackagePlan> = {},
): PackagePlan {
  const files = Object.entries(sizes).map(([path, sizeBytes]) => plannedFile(project, path, sizeBytes));
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const layout = createLayout(Object.keys(sizes));
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

/** Returns the layout of a project with these files. */
function createLayout(paths: readonly string[]): ProjectLayout {
  const isBelowWww = paths.some((path) => path.startsWith('www/')) && !paths.includes('index.html');
  const pages = isBelowWww ? 'www' : '';
  return { kind: 'cordova', app: undefined, config: 'config.xml', pages, state: { kind: 'built' } };
}

export function plannedFile({ uri }: WebProject, path: string, sizeBytes: number): PlannedFile {
  return { path, uri: joinUri(uri, path), sizeBytes, mode: undefined, modifiedMs: 0, changedMs: 0, inode: 0 };
}

/** Returns a check of a folder's project without findings. */
export function createCheck(folder: vscode.Uri, more: Partial<FolderCheck> = {}): FolderCheck {
  const name = folder.path.split('/').at(-1) ?? '';
  return {
    folder: { uri: folder, name, index: 0 },
    project: { uri: folder, path: '', name: undefined },
    plan: undefined,
    findings: [],
    ...more,
  };
}
