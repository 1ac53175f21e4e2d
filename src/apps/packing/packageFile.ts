import { diskContents } from './diskContents.ts';
import type { PackagePlan } from './packagePlan.ts';
import { writePackage, type PackageFile, type PackOptions } from './temporaryPackage.ts';
import { virtualContents } from './virtualContents.ts';

export type { PackageFile, PackOptions } from './temporaryPackage.ts';

/**
 * Packs what was planned into a temporary zip: streaming, in bounded memory; the same files give the same bytes.
 *
 * @throws PackingError when a file has changed or vanished, or the disk is full; CancelledError
 */
export function packFiles(plan: PackagePlan, options?: PackOptions): Promise<PackageFile> {
  return writePackage(plan, plan.project.uri.scheme === 'file' ? diskContents : virtualContents, options);
}
