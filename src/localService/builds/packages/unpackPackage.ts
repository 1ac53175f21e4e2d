import type { PackageType } from '../../store/model.ts';
import { PackageError } from './packageInfo.ts';

/**
 * Unpacks a checked package into an empty folder: plain files and folders, nothing else. A single page becomes `index.html`.
 *
 * @throws PackageError when the content is not what the archive's directory says; the signal's reason when it is aborted
 */
export async function unpackPackage(
  _path: string,
  _type: PackageType,
  _folder: string,
  _signal: AbortSignal,
): Promise<void> {
  return Promise.reject(new PackageError('not implemented'));
}
