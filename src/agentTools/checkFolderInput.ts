import * as vscode from 'vscode';
import type { WebProject } from '../apps/packing/webProject.ts';
import { ToolError } from './toolError.ts';

/** What the tool is called with. */
export interface CheckFolderInput {
  /** Name or path of a folder of this window. */
  readonly folder: string | undefined;
  /** Path of the web project below it. */
  readonly project: string | undefined;
}

/** Characters of an argument; those of a path on any system. */
const MAX_ARGUMENT_LENGTH = 4_096;
/** Folders or projects that are named to choose from. */
const MAX_NAMED = 20;

/**
 * Reads the input of a call: VS Code holds it against no schema.
 *
 * @throws ToolError
 */
export function readCheckFolderInput(input: unknown): CheckFolderInput {
  if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input))) {
    throw new ToolError('The input must be an object, such as {"folder": "my-app"}. Call again with one, or with {}.');
  }
  const { folder, project } = (input ?? {}) as Partial<Record<string, unknown>>;
  return { folder: textOf(folder, 'folder'), project: textOf(project, 'project') };
}

/** The folder of this window that is meant. @throws ToolError that names those there are */
export function folderOfInput({ folder: wanted }: CheckFolderInput): vscode.WorkspaceFolder {
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

/** The web project of the folder that is meant. @throws ToolError that names those there are */
export function projectOfInput({ project: wanted }: CheckFolderInput, projects: readonly WebProject[]): WebProject {
  const [only, ...others] = projects;
  if (only === undefined) {
    throw new ToolError(
      'There is no web project in this folder. It needs a config.xml beside a folder www, or an index.html. Create them first.',
    );
  }
  const path = wanted?.replaceAll('\\', '/').replace(/^(?:\.?\/)+|\/+$|^\.$/g, '');
  const found = path === undefined ? undefined : projects.find((project) => project.path === path);
  if (found !== undefined || (path === undefined && others.length === 0)) {
    return found ?? only;
  }
  const all = listOf(projects.map((project) => (project.path === '' ? '"." (the folder itself)' : project.path)));
  throw new ToolError(
    path === undefined
      ? `The folder holds several web projects: ${all}. Call again with "project" set to one of them.`
      : `There is no web project at this path. There are: ${all}. Call again with "project" set to one of them.`,
  );
}

function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  if (typeof value !== 'string' || value.length > MAX_ARGUMENT_LENGTH) {
    throw new ToolError(`"${name}" must be a short text. Call again with a name or a path, or without it.`);
  }
  return value;
}

function isNamed({ name, uri }: vscode.WorkspaceFolder, wanted: string): boolean {
  const path = wanted.replace(/(?<=.)[\\/]+$/, '');
  return [name, uri.fsPath, uri.path, uri.toString()].includes(path);
}

function listOf(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED);
  const others = names.length - named.length;
  return others === 0 ? named.join(', ') : `${named.join(', ')} and ${others} more`;
}
