import * as vscode from 'vscode';
import { rememberedProject } from '../projects/chooseProject.ts';
import { keyOfProject, type WebProject } from '../projects/projectSearch.ts';
import { listOf } from './toolInput.ts';
import { ToolError } from './toolError.ts';

/**
 * The folder of this window that is meant.
 *
 * @param wanted its name or path; undefined for the only one.
 * @throws ToolError that names those there are
 */
export function folderOf(wanted: string | undefined): vscode.WorkspaceFolder {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [only, ...others] = folders;
  if (only === undefined) {
    throw new ToolError('No folder is open in this window. Ask the person to open the folder of the web app.');
  }
  if (wanted === undefined && others.length === 0) {
    return only;
  }
  const named = folders.filter((folder) => wanted !== undefined && isNamed(folder, wanted));
  const [found, second] = named;
  if (found !== undefined && second === undefined) {
    return found;
  }
  const all = listOf((named.length > 1 ? named : folders).map(({ name, uri }) => `${name} (${uri.fsPath})`));
  throw new ToolError(
    wanted === undefined
      ? `Several folders are open: ${all}. Call again with "folder" set to the path of one of them.`
      : named.length > 1
        ? `Several open folders have this name: ${all}. Call again with "folder" set to the path of one of them.`
        : `No open folder has this name or path. Open are: ${all}. Call again with "folder" set to one of them.`,
  );
}

/**
 * The web project of a folder that is meant.
 *
 * @param wanted its path below the folder; undefined for the only one.
 * @param remembered what is meant where none is wanted, see {@link rememberedProject}.
 * @throws ToolError that names those there are
 */
export function projectOf<T extends WebProject>(
  projects: readonly T[],
  wanted: string | undefined,
  remembered: readonly (string | undefined)[] = [],
): T {
  const [only, ...others] = projects;
  if (only === undefined) {
    throw new ToolError(
      'There is no web project in this folder. It needs an index.html, or the configuration of a web tool such as Vite, Angular or Capacitor. Create them first.',
    );
  }
  const path = wanted === undefined ? undefined : pathBelow(wanted);
  const found = rememberedProject(projects, path === undefined ? remembered : [path]);
  if (found !== undefined || (path === undefined && others.length === 0)) {
    return found ?? only;
  }
  const all = listOf(projects.map((project) => nameOfProject(project)));
  throw new ToolError(
    path === undefined
      ? `The folder holds several web projects: ${all}. Call again with "project" set to one of them.`
      : `There is no web project at this path. There are: ${all}. Call again with "project" set to one of them.`,
  );
}

function nameOfProject(project: WebProject): string {
  const key = keyOfProject(project);
  return key === '' ? '"." (the folder itself)' : key;
}

/** A path below a folder, with `/` and without what stands for the folder itself. */
export function pathBelow(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.?\/)+|\/+$|^\.$/g, '');
}

function isNamed({ name, uri }: vscode.WorkspaceFolder, wanted: string): boolean {
  const path = wanted.replace(/(?<=.)[\\/]+$/, '');
  return [name, uri.fsPath, uri.path, uri.toString()].includes(path);
}
