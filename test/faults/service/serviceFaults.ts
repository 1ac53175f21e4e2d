/** How the local service behaves when everything goes wrong: with many clients at once, damaged connections and a hard end. */
import type { Row } from '../row.ts';
import { abandonedDownloads } from './artifacts.ts';
import { floodedLog } from './builders.ts';
import { crashes } from './crashes.ts';
import { manyClients, slowClients } from './load.ts';
import { abandonedUploads, fullDisk, simultaneousUploads } from './uploads.ts';

/** @param kills how often the service is killed */
export async function serviceFaults(kills: number): Promise<readonly Row[]> {
  const rows = await Promise.all([
    crashes(kills),
    manyClients(),
    slowClients(),
    abandonedUploads(),
    simultaneousUploads(),
    fullDisk(),
    abandonedDownloads(),
  ]);
  // Alone, because it measures the memory of this process.
  return [...rows.flat(), await floodedLog()];
}
