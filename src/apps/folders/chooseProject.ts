import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Input } from '../../workbench/input.ts';
import type { WebProject } from '../packing/projectSearch.ts';
import { NoWebProjectError } from './folderErrors.ts';

/** Which project of a folder is asked for. */
export interface ProjectWish {
  /** Path below the folder that must be it, as a task says it. */
  readonly required: string | undefined;
  /** Path below the folder that it was the last time. */
  readonly remembered: string | undefined;
  /** Of the question; that of a build when absent. */
  readonly title?: string;
}

/**
 * The web project of a folder that is built: the one that is asked for, the only one, else the one that the person picks.
 *
 * @throws NoWebProjectError; CancelledError when the list is closed.
 */
export async function chooseProject(
  folder: vscode.WorkspaceFolder,
  projects: readonly WebProject[],
  { required, remembered, title = vscode.l10n.t('Build This Folder') }: ProjectWish,
  input: Input,
): Promise<WebProject> {
  if (required !== undefined) {
    const path = required.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
    const found = projects.find((project) => project.path === (path === '.' ? '' : path));
    if (found === undefined) {
      throw new NoWebProjectError(`${folder.name}/${path}`);
    }
    return found;
  }
  const [first, ...others] = projects;
  if (first === undefined) {
    throw new NoWebProjectError(folder.name);
  }
  const last = projects.find((project) => project.path === remembered);
  if (last !== undefined || others.length === 0) {
    return last ?? first;
  }
  const chosen = await input.pick(
    projects.map((project) => ({
      icon: 'folder',
      label: project.path === '' ? folder.name : project.path,
      ...(project.name !== undefined && { description: project.name }),
      project,
    })),
    {
      title,
      placeholder: vscode.l10n.t('{0} holds several web projects. Which one is built?', folder.name),
      ignoreFocusOut: true,
    },
  );
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen.project;
}

/** What a project is called to a person: its folder, with the path below it. */
export function projectPath(folder: vscode.WorkspaceFolder, project: WebProject): string {
  return project.path === '' ? folder.name : `${folder.name}/${project.path}`;
}
