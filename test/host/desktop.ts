import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { repositoryRoot } from '../support/repository.ts';
import { minimumVscode, type VscodeVersion } from './versions.ts';

/** A download fails after this many ms without data. */
const DOWNLOAD_TIMEOUT_MS = 15_000;

/**
 * Returns the executable of a desktop VS Code. For `newest`, that's VSCODE_EXECUTABLE if it's set; otherwise a
 * downloaded one if there's a display.
 * @returns undefined if there's no display or the download fails
 * @throws Error if VSCODE_EXECUTABLE isn't an executable file
 */
export async function findDesktop(version: VscodeVersion): Promise<string | undefined> {
  const requested = process.env.VSCODE_EXECUTABLE ?? '';
  if (requested !== '' && version === 'newest') {
    await access(requested, constants.X_OK).catch(() => {
      throw new Error(
        `VSCODE_EXECUTABLE names ${requested}, which cannot be run. Give the path of VS Code's executable.`,
      );
    });
    return requested;
  }
  if (!hasDisplay()) {
    return undefined;
  }
  try {
    return await downloadAndUnzipVSCode({
      version: version === 'newest' ? 'stable' : minimumVscode(),
      cachePath: path.join(repositoryRoot, '.vscode-test'),
      timeout: DOWNLOAD_TIMEOUT_MS,
    });
  } catch (error) {
    console.log(`No desktop VS Code: the download failed (${error instanceof Error ? error.message : String(error)}).`);
    return undefined;
  }
}

/** macOS and Windows always have a display. */
export function hasDisplay(): boolean {
  return process.platform !== 'linux' || (process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY ?? '') !== '';
}
