import type { UploadFile } from '../../resources/requests/requestBody.ts';
import type { PackagePlan } from './packagePlan.ts';

/** A package on disk, until it is disposed. */
export interface PackageFile {
  readonly file: UploadFile;
  readonly fileCount: number;
  /** Deletes it. */
  dispose(): Promise<void>;
}

export interface PackOptions {
  readonly signal?: AbortSignal;
  /** Called with the bytes of the folder's files that are packed, and their total. */
  readonly onProgress?: (packed: number, total: number) => void;
}

/**
 * Packs what was planned into a temporary zip: streaming, in bounded memory; the same files give the same bytes.
 *
 * @throws BuildServiceError when a file has changed or vanished, or the disk is full; CancelledError
 */
export function packFiles(_plan: PackagePlan, _options?: PackOptions): Promise<PackageFile> {
  return Promise.reject(new Error('Not written yet.'));
}
