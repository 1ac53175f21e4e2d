import * as vscode from 'vscode';
import { InvalidInputError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import type { Input } from '../workbench/input.ts';
import type { ProjectKind } from './layout.ts';
import { type FoundProject, keyOfProject, type WebProject } from './projectSearch.ts';

/** A folder holds nothing that can be built. @param folder name, or path, of the folder that was searched */
export function noWebProject(folder: string): InvalidInputError {
  return new InvalidInputError(
    sentence('{0} doesn’t contain a web project.', folder),
    sentence('It needs an index.html, or the configuration of a web tool such as Vite, Angular or Capacitor.'),
    'openFolder',
  );
}

/**
 * The folder of this window that is meant: the only one, else the one that the person picks; that of the active editor is
 * proposed.
 *
 * @param title of the question.
 * @param folders to choose from; those of the workspace when absent.
 * @throws InvalidInputError when there is none; CancelledError when the list is closed.
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
 * The folder that a command's argument names: a folder of the workspace, its address, or that of a file in it.
 *
 * @returns undefined when the argument names none.
 */
export function folderOfArgument(argument: unknown): vscode.WorkspaceFolder | undefined {
  if (argument instanceof vscode.Uri) {
    return vscode.workspace.getWorkspaceFolder(argument);
  }
  return typeof argument === 'object' && argument !== null && 'uri' in argument
    ? folderOfArgument(argument.uri)
    : undefined;
}

/** Which project of a folder is asked for. */
export interface ProjectWish {
  /** Path below the folder that must be it, as a task says it. */
  readonly required: string | undefined;
  /** What it was the last time: a path below the folder, or a key of {@link keyOfProject}. The first that is there counts. */
  readonly remembered: readonly (string | undefined)[];
  /** Of the question; that of a build when absent. */
  readonly title?: string;
}

/**
 * The web project of a folder that is built: the one that is asked for, the only one, else the one that the person picks.
 *
 * @throws InvalidInputError; CancelledError when the list is closed.
 */
export async function chooseProject(
  folder: vscode.WorkspaceFolder,
  projects: readonly FoundProject[],
  { required, remembered, title = vscode.l10n.t('Build App') }: ProjectWish,
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
    throw noWebProject(folder.name);
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
      ...(project.layout.state.kind !== 'built' && { detail: vscode.l10n.t('Its pages are not built yet.') }),
      project,
    })),
    {
      title,
      placeholder: vscode.l10n.t('{0} holds several web projects. Which one is built?', folder.name),
      ignoreFocusOut: true,
    },
  );
  return chosen.project;
}

/** The project that was meant before. @param remembered paths or keys; the first that is there counts */
export function rememberedProject<T extends WebProject>(
  projects: readonly T[],
  remembered: readonly (string | undefined)[],
): T | undefined {
  const isMeant = (project: T, wanted: string | undefined) =>
    keyOfProject(project) === wanted || project.path === wanted;
  const [found] = remembered.flatMap((wanted) => projects.find((project) => isMeant(project, wanted)) ?? []);
  return found;
}

/** The name of a project as people see it: its folder, with the path below it. */
export function projectPath(folder: vscode.WorkspaceFolder, project: WebProject): string {
  return project.path === '' ? folder.name : `${folder.name}/${project.path}`;
}

function kindText(kind: ProjectKind): string {
  if (kind === 'page') {
    return vscode.l10n.t('Web page');
  }
  return kind === 'pwa' ? vscode.l10n.t('Web app (PWA)') : TOOL_NAMES[kind];
}

/** Names of products are the same in every language. */
const TOOL_NAMES: Readonly<Record<Exclude<ProjectKind, 'page' | 'pwa'>, string>> = {
  cordova: 'Cordova',
  capacitor: 'Capacitor',
  angular: 'Angular',
  next: 'Next.js',
  nuxt: 'Nuxt',
  astro: 'Astro',
  svelte: 'SvelteKit',
  'react-router': 'React Router',
  vite: 'Vite',
  'react-scripts': 'Create React App',
  'vue-cli': 'Vue CLI',
  rsbuild: 'Rsbuild',
  quasar: 'Quasar',
  docusaurus: 'Docusaurus',
  gatsby: 'Gatsby',
  eleventy: 'Eleventy',
  stencil: 'Stencil',
  ember: 'Ember',
  parcel: 'Parcel',
  webpack: 'webpack',
};
