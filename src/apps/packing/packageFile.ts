import { diskContents } from './diskContents.ts';
import type { FileContents } from './fileContents.ts';
import type { PackagePlan } from './packageContents.ts';
import { writePackage, type PackageFile, type PackOptions } from './temporaryPackage.ts';
import { virtualContents } from './virtualContents.ts';
import type { WebProject } from './projectSearch.ts';

export type { PackageFile, PackOptions } from './temporaryPackage.ts';

/** Reads the files of a project: by Node where they are on a disk. */
export function contentsOf({ uri }: WebProject): FileContents {
  return uri.scheme === 'file' ? diskContents : virtualContents;
}

/**
 * Packs what was planned into a temporary zip: streaming, in bounded memory; the same files give the same bytes.
 *
 * @throws PackingError when a file has changed or vanished, or the disk is full; CancelledError
 */
export function packFiles(plan: PackagePlan, options?: PackOptions): Promise<PackageFile> {
  return writePackage(plan, contentsOf(plan.project), options);
}
