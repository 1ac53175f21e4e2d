import { PackageError } from './packageInfo.ts';

/** A repository that an app is made from. */
export interface Repository {
  readonly url: string;
  /** Branch or tag; `null`: the default branch. */
  readonly tag: string | null;
}

/**
 * Reads what clients send as `repo`: a URL, or `owner/name`, both with an optional `#branch`.
 *
 * @throws PackageError for one that is not supported
 */
export function parseRepository(_repo: string, _tag: string | null): Repository {
  throw new PackageError('not implemented');
}

/**
 * Clones a repository and packs its files into a zip archive.
 *
 * @param workFolder an empty folder; the archive is made in it
 * @returns the path of the archive
 * @throws PackageError when it cannot be cloned
 */
export async function packRepository(
  _repository: Repository,
  _workFolder: string,
  _signal: AbortSignal,
): Promise<string> {
  return Promise.reject(new PackageError('not implemented'));
}
