import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { repositoryRoot } from '../support/repository.ts';
import { minimumVscode, type VscodeVersion } from './versions.ts';

/** Milliseconds of silence after which a download has failed. */
const DOWNLOAD_TIMEOUT_MS = 15_000;

/**
 * The executable of a desktop VS Code. For `newest` that is the one that VSCODE_EXECUTABLE names, where it is set;
 * otherwise a downloaded one, where there is a display.
 * @returns undefined where there is no display or the download fails.
 * @throws Error when VSCODE_EXECUTABLE names something that cannot be run.
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

/** macOS and Windows always have one. */
export function hasDisplay(): boolean {
  return process.platform !== 'linux' || (process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY ?? '') !== '';
}
