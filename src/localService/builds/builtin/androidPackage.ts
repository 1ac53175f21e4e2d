import type { Signer } from '../signer.ts';
import { endRecord, writeEntries, type ZipEntry } from './alignedZip.ts';
import { PackageFile } from './packageFile.ts';
import { createSigningBlock, digestSection } from './signingBlock.ts';

/**
 * Writes a signed Android package.
 *
 * @param path of a file that does not exist
 * @throws the signal's reason when it is aborted
 */
export async function writeAndroidPackage(
  path: string,
  entries: readonly ZipEntry[],
  signer: Signer,
  signal: AbortSignal,
): Promise<void> {
  const file = await PackageFile.create(path);
  try {
    const records = await writeEntries(entries, file, signal);
    const start = file.position;
    const directory = Buffer.concat(records);
    const end = (directoryStart: number): Buffer => endRecord(records.length, directory.length, directoryStart);
    const digests = [await file.endSection(), digestSection(directory), digestSection(end(start))].flat();
    const block = createSigningBlock(digests, signer);
    await file.writeRest(Buffer.concat([block, directory, end(start + block.length)]));
  } finally {
    await file.close();
  }
}
