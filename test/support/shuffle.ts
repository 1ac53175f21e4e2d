import { createHash } from 'node:crypto';
import path from 'node:path';

/** Returns files in an order that depends only on the seed and their names. */
export function shuffled(files: readonly string[], seed: string): string[] {
  const place = (file: string): string =>
    createHash('sha256')
      .update(`${seed} ${path.basename(file)}`)
      .digest('hex');
  return files.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}
