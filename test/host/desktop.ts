import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { repositoryRoot } from '../support/repository.ts';

/**
 * The executable of a desktop VS Code: VSCODE_EXECUTABLE, else a downloaded one where there is a display.
 * @returns undefined where there is no display or the download fails within 60 s of silence.
 * @throws Error when VSCODE_EXECUTABLE names something that cannot be run.
 */
export async function findDesktop(): Promise<string | undefined> {
  const asked = process.env.VSCODE_EXECUTABLE;
  if (asked !== undefined && asked !== '') {
    await access(asked, constants.X_OK).catch(() => {
      throw new Error(`VSCODE_EXECUTABLE names ${asked}, which cannot be run. Give the path of VS Code's executable.`);
    });
    return asked;
  }
  if (!hasDisplay()) {
    return undefined;
  }
  try {
    return await downloadAndUnzipVSCode({ cachePath: path.join(repositoryRoot, '.vscode-test'), timeout: 15_000 });
  } catch (error) {
    console.log(`No desktop VS Code: the download failed (${error instanceof Error ? error.message : String(error)}).`);
    return undefined;
  }
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || (process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY ?? '') !== '';
}
