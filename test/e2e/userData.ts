/** The folder of VS Code's user data. Each kind of VS Code that the tests start has its own. */
import path from 'node:path';

let folder = '';

/** Sets the user data folder of the open window. @param directory absolute path */
export function useUserData(directory: string): void {
  folder = directory;
}

/** Returns a path in the folder of VS Code's user data. */
export function inUserData(...names: readonly string[]): string {
  return path.join(folder, ...names);
}
