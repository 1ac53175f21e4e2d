/** What a person waits for before anything is sent: which files are, and which of them hold a secret. Beside reading the files. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { plan } from '../../support/packing.ts';
import { fillFolder } from '../folders.ts';
import { interleaved, timed } from '../rounds.ts';
import { ratioAtMost } from '../row.ts';
import type { Measure } from '../suite.ts';

const FILES = 19_900;
const FILE_BYTES = 5_000;
const MAX_RATIO = 7;
/** Files that are read at the same time. */
const AT_ONCE = 16;

export const measure: Measure = async (rounds) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  try {
    await fillFolder(folder, { files: FILES, bytes: FILE_BYTES, pictures: 'none' });
    const ours = async (): Promise<void> => {
      const { files } = await plan(folder);
      if (files.length !== FILES + 1) {
        throw new Error(`${files.length} files were found.`);
      }
    };
    const peer = () => readAll(folder);
    await interleaved(1, { ours, peer });
    const measured = await interleaved(rounds, { ours: () => timed(ours), peer: () => timed(peer) });
    return [
      ratioAtMost(
        { name: 'secrets, 20,000 files are looked through before they are sent', unit: 'ms', ours: measured.ours },
        { name: 'reading them', samples: measured.peer },
        MAX_RATIO,
      ),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
};

async function readAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const left = entries.filter((entry) => entry.isFile()).values();
  const worker = async (): Promise<void> => {
    for (const { parentPath, name } of left) {
      await readFile(path.join(parentPath, name));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
