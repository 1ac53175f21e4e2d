import { PackageError, type PackageInfo } from './packageInfo.ts';

/**
 * Checks an uploaded file before anything of it is used: a zip archive, a tar.gz archive, or a single HTML page.
 *
 * @throws PackageError that names what is wrong
 */
export async function checkPackage(_path: string): Promise<PackageInfo> {
  return Promise.reject(new PackageError('not implemented'));
}
