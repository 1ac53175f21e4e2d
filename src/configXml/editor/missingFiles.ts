import * as vscode from 'vscode';
import type { NamedFile } from '../checks/files.ts';

/** Files that are looked for; a config.xml that names more is not checked for the rest. */
const MAX_FILES = 300;
/** A slow file system has no say after that. */
const LOOK_TIMEOUT_MS = 3_000;

/**
 * Which of the files that a config.xml names are not there. What cannot be told within {@link LOOK_TIMEOUT_MS}, and what is
 * outside the folder, is not among them. Reads nothing but names. Never rejects.
 *
 * @param folder of the config.xml, on disk or virtual.
 * @returns their paths, as they are written.
 */
export async function missingFiles(folder: vscode.Uri, named: readonly NamedFile[]): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  const looking = named.slice(0, MAX_FILES).map(async ({ path, candidates }) => {
    const uris = candidates.map((candidate) => vscode.Uri.joinPath(folder, candidate));
    const isInside = uris.every(({ path: each }) => each.startsWith(`${folder.path.replace(/\/$/, '')}/`));
    if (isInside && (await Promise.all(uris.map(isMissing))).every(Boolean)) {
      missing.add(path);
    }
  });
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, LOOK_TIMEOUT_MS)));
  await Promise.race([Promise.all(looking), timeout]);
  clearTimeout(timer);
  return new Set(missing);
}

async function isMissing(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return false;
  } catch (error) {
    return error instanceof vscode.FileSystemError && /^(FileNotFound|FileNotADirectory)$/.test(error.code);
  }
}
