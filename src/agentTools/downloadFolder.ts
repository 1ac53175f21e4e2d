import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../workbench/exists.ts';
import { pathBelow } from './folderInput.ts';
import { quoted } from './appInput.ts';
import { ToolError } from './toolError.ts';

/** Files of one name, with numbers. */
const MAX_FILES = 100;

/**
 * Makes a folder below a workspace folder. Not one that is hidden: tools read such folders for what they run. Nor one that a link
 * leads out of the workspace folder to.
 *
 * @param wanted path below the folder, as an agent writes it.
 * @throws ToolError
 */
export async function folderBelow(folder: vscode.WorkspaceFolder, wanted: string): Promise<vscode.Uri> {
  const parts = pathBelow(wanted)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const isRefused = (part: string) => part.startsWith('.') || /[:\p{Cc}]/u.test(part) || part === 'node_modules';
  if (path.posix.isAbsolute(wanted) || path.win32.isAbsolute(wanted) || parts.some(isRefused)) {
    throw new ToolError(
      `"path" must be a folder below ${quoted(folder.name)}, such as "builds": relative, without "..", and not hidden. Call again with one, or without it.`,
    );
  }
  const target = vscode.Uri.joinPath(folder.uri, ...parts);
  if (target.scheme === 'file') {
    const [top, there] = await Promise.all([realpath(folder.uri.fsPath), existingPart(target.fsPath)]);
    if (there !== top && !there.startsWith(top.endsWith(path.sep) ? top : top + path.sep)) {
      throw new ToolError(
        `"path" leads out of ${quoted(folder.name)} by a link. Call again with another one, or without it.`,
      );
    }
  }
  await vscode.workspace.fs.createDirectory(target);
  return target;
}

/** Where the part of a path that is there really is. */
async function existingPart(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    return existingPart(path.dirname(file));
  }
}

/** A file of that name that is not there, with a number where the name is taken. @throws ToolError */
export async function freeFile(folder: vscode.Uri, name: string): Promise<vscode.Uri> {
  const { name: stem, ext } = path.posix.parse(name);
  for (let number = 1; number <= MAX_FILES; number++) {
    const file = vscode.Uri.joinPath(folder, number === 1 ? name : `${stem}-${number}${ext}`);
    if (!(await exists(file))) {
      return file;
    }
  }
  throw new ToolError(`There are ${MAX_FILES} files of this name already. Call again with another "path".`);
}
