import * as vscode from 'vscode';
import { InvalidInputError, sentence } from '../../errors/index.ts';
import type { Input } from '../workbench/input.ts';
import {
  type FoundProject,
  type FoundProjects,
  getProjectKey,
  type ProjectKind,
  TOOL_NAMES,
  type WebProject,
} from '../../web-project/index.ts';

/**
 * Creates the error for a folder without a web project.
 *
 * @param folder the name or path of the searched folder
 * @param searchedOnly the number of searched folders, if there are more
 */
export function noWebProject(folder: string, searchedOnly?: number): InvalidInputError {
  if (searchedOnly !== undefined) {
    return new InvalidInputError(
      sentence(
        'The first {0} folders in {1} don’t contain a web project. The others weren’t searched.',
        searchedOnly,
        folder,
      ),
      sentence('Open the folder of your web app.'),
      'openFolder',
    );
  }
  return new InvalidInputError(
    sentence('{0} doesn’t contain a web project.', folder),
    sentence('It needs an index.html, or the configuration of a web tool such as Vite, Angular, or Capacitor.'),
    'openFolder',
  );
}

/**
 * Returns this window's only folder, or asks the user to choose one. The list starts with the active editor's folder.
 *
 * @param folders the folders to choose from. Defaults to the workspace folders.
 * @throws InvalidInputError if no folder is open
 * @throws CancelledError if the user closes the list
 */
export async function chooseFolder(
  input: Input,
  title: string,
  folders: readonly vscode.WorkspaceFolder[] = vscode.workspace.workspaceFolders ?? [],
): Promise<vscode.WorkspaceFolder> {
  if (folders.length === 0) {
    throw new InvalidInputError(
      sentence('No folder is open.'),
      sentence('Open the folder of your web app first.'),
      'openFolder',
    );
  }
  const edited = vscode.window.activeTextEditor?.document.uri;
  const active = edited && vscode.workspace.getWorkspaceFolder(edited)?.index;
  const items = folders
    .toSorted((left, right) => Number(right.index === active) - Number(left.index === active))
    .map((folder) => ({ icon: 'folder', label: folder.name, description: folder.uri.path, folder }));
  const chosen = await input.pickUnlessOne(items, { title, placeholder: vscode.l10n.t('Which folder?') });
  return chosen.folder;
}

/**
 * Returns the workspace folder that a command's argument refers to: the folder itself, its URI, or the URI of a file in
 * it. Returns undefined for any other argument.
 */
export function getArgumentFolder(argument: unknown): vscode.WorkspaceFolder | undefined {
  if (argument instanceof vscode.Uri) {
    return vscode.workspace.getWorkspaceFolder(argument);
  }
  return typeof argument === 'object' && argument !== null && 'uri' in argument
    ? getArgumentFolder(argument.uri)
    : undefined;
}

/** The criteria for choosing a project. */
export interface ProjectSelector {
  /** Path of the required project relative to the folder, as specified in a task. */
  readonly required: string | undefined;
  /**
   * Earlier choices: paths relative to the folder, or keys of {@link getProjectKey}. The first one that exists is used.
   */
  readonly remembered: readonly (string | undefined)[];
  /** Title of the question. Defaults to the title for a build. */
  readonly title?: string;
}

/**
 * Returns a folder's required project, an earlier choice, the only project, or the one that the user chooses.
 *
 * @throws InvalidInputError if the project is missing
 * @throws CancelledError if the user closes the list
 */
export async function chooseProject(
  folder: vscode.WorkspaceFolder,
  projects: FoundProjects,
  { required, remembered, title = vscode.l10n.t('Build App') }: ProjectSelector,
  input: Input,
): Promise<FoundProject> {
  if (required !== undefined) {
    const path = required.replace(/^(\.?\/)+/, '').replace(/(?<!\/)\/+$/, '');
    const found = rememberedProject(projects, [path === '.' ? '' : path]);
    if (found === undefined) {
      throw noWebProject(`${folder.name}/${path}`);
    }
    return found;
  }
  const [first, ...others] = projects;
  if (first === undefined) {
    throw noWebProject(folder.name, projects.searchedOnly);
  }
  const last = rememberedProject(projects, remembered);
  if (last !== undefined || others.length === 0) {
    return last ?? first;
  }
  const chosen = await input.pick(
    projects.map((project) => ({
      icon: 'folder',
      label: project.app ?? (project.path === '' ? folder.name : project.path),
      description: [project.name, kindText(project.layout.kind)].filter((text) => text !== undefined).join(' · '),
      ...(project.layout.state.kind !== 'built' && { detail: vscode.l10n.t('Its pages haven’t been built yet.') }),
      project,
    })),
    {
      title,
      placeholder: vscode.l10n.t('{0} contains several web projects. Which one do you want to build?', folder.name),
      ignoreFocusOut: true,
    },
  );
  return chosen.project;
}

/**
 * Returns the project that was chosen before.
 *
 * @param remembered paths or keys of {@link getProjectKey}. The first one that exists is used.
 */
export function rememberedProject<T extends WebProject>(
  projects: readonly T[],
  remembered: readonly (string | undefined)[],
): T | undefined {
  const isMeant = (project: T, requested: string | undefined) =>
    getProjectKey(project) === requested || project.path === requested;
  const [found] = remembered.flatMap((requested) => projects.find((project) => isMeant(project, requested)) ?? []);
  return found;
}

/** Returns a project's path for display: the folder's name and the path in that folder. */
export function projectPath(folder: vscode.WorkspaceFolder, project: WebProject): string {
  return project.path === '' ? folder.name : `${folder.name}/${project.path}`;
}

function kindText(kind: ProjectKind): string {
  if (kind === 'page') {
    return vscode.l10n.t('Web page');
  }
  return kind === 'pwa' ? vscode.l10n.t('Web app (PWA)') : TOOL_NAMES[kind];
}
