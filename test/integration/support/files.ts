import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Returns the ancestor folder of a file with this name, or the file's own folder if none exists. */
export function parentNamed(file: string, name: string): string {
  const parts = file.split(path.sep);
  const index = parts.lastIndexOf(name);
  return index < 0 ? path.dirname(file) : parts.slice(0, index + 1).join(path.sep);
}

/**
 * Returns the contents of all files in a folder and its subfolders, with their names. @param except name of folders to
 * skip
 */
export async function filesBelow(directory: string, except?: string): Promise<string> {
  const texts: string[] = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const file = path.join(entry.parentPath, entry.name);
    if (
      entry.isFile() &&
      !path
        .relative(directory, file)
        .split(path.sep)
        .includes(except ?? '')
    ) {
      texts.push(file, await readFile(file, 'utf8').catch(() => ''));
    }
  }
  return texts.join('\n');
}
