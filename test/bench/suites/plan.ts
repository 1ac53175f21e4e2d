/** Looking through a folder before the first question: which files are packed, and which may contain a secret. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { plan } from '../../support/packing.ts';
import { fillFolder } from '../folders.ts';
import { interleaved, type Row } from '../rounds.ts';

const FILES = 20_000;
/** The peer opens and reads each file without looking at its content. */
const MAX_RATIO = 3;
const READS_AT_ONCE = 16;

export async function measure(rounds: number): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const peer = async (): Promise<void> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    for (let start = 0; start < files.length; start += READS_AT_ONCE) {
      const reading = files.slice(start, start + READS_AT_ONCE);
      await Promise.all(reading.map(({ parentPath, name }) => readFile(path.join(parentPath, name))));
    }
  };
  try {
    await fillFolder(folder, { files: FILES, bytes: 4_000, pictures: 'none' });
    const contenders = { ours: () => plan(folder), peer };
    await interleaved(1, contenders);
    const measured = await interleaved(rounds, contenders);
    return [
      {
        what: `Looking through ${FILES.toLocaleString('en')} files`,
        ours: measured.ours,
        peer: { name: 'reading them', times: measured.peer },
        max: MAX_RATIO,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
