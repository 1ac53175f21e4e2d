/** The folder of VS Code's user data: each kind of VS Code that the tests start has its own. */
import path from 'node:path';

let folder = '';

/** Says where the user data of the window is that is open. @param directory absolute path. */
export function useUserData(directory: string): void {
  folder = directory;
}

/** A path in the folder of VS Code's user data. */
export function inUserData(...names: readonly string[]): string {
  return path.join(folder, ...names);
}
