/** A folder that becomes a package, beside `zip -r` of the system. Each run is a process of its own, to measure its peak memory. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from '../bundleProgram.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, ratioAtLeast } from '../row.ts';
import type { Measure } from '../suite.ts';

const MIN_RATIO = 0.5;
const MAX_MEMORY_MB = 150;
const run = promisify(execFile);

interface Figures {
  readonly milliseconds: number;
  /** MB above the start */
  readonly memory: number;
}

export const measure: Measure = async (rounds) => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const program = await bundleProgram('packer', directory);
  const ours = async (folder: string): Promise<Figures> =>
    JSON.parse((await run(process.execPath, [program, folder])).stdout) as Figures;
  const zip = async (folder: string): Promise<number> => {
    const target = path.join(directory, 'package.zip');
    const milliseconds = await timed(() => run('zip', ['-r', '-q', '-X', target, '.'], { cwd: folder }));
    await rm(target);
    return milliseconds;
  };
  try {
    const medium = await folderOf(path.join(directory, 'medium'), { folders: 60, large: 0 });
    const large = await folderOf(path.join(directory, 'large'), { folders: 100, large: 4 });
    const hasZip = await run('zip', ['-v']).then(
      () => true,
      () => false,
    );
    if (!hasZip) {
      console.error('There is no zip on this machine: its row is left out.');
    }
    const rows = [];
    if (hasZip) {
      // What is packed for the first time comes from the disk.
      await zip(medium);
      const figures = await interleaved(rounds, {
        ours: async () => 1000 / (await ours(medium)).milliseconds,
        peer: async () => 1000 / (await zip(medium)),
      });
      rows.push(ratioAtLeast('packing, 3,600 files, 100 MB: times a second, beside zip -r', figures, MIN_RATIO));
    }
    const { memory } = await ours(large);
    rows.push(atMost('packing, 6,004 files, 500 MB: peak memory above the start, MB', [memory], MAX_MEMORY_MB));
    return rows;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** Folders of 60 files, 28 kB each on average, half of them text, and files of 80 MB. */
async function folderOf(
  folder: string,
  { folders, large }: { readonly folders: number; readonly large: number },
): Promise<string> {
  const words = randomBytes(4_000).toString('hex').match(/.{5}/g) ?? [];
  const text = Buffer.from(Array.from({ length: 20_000 }, (_, index) => words[(index * 7_919) % 1_597]).join(' '));
  const images = randomBytes(60_000);
  for (let outer = 0; outer < folders; outer += 1) {
    const inside = path.join(folder, 'www', `folder${outer}`);
    await mkdir(inside, { recursive: true });
    for (let index = 0; index < 60; index += 1) {
      const bytes = 1_000 + (((outer * 60 + index) * 7_919) % 54_000);
      const isText = index % 2 === 0;
      await writeFile(
        path.join(inside, `${index}.${isText ? 'js' : 'png'}`),
        (isText ? text : images).subarray(0, bytes),
      );
    }
  }
  await writeFile(path.join(folder, 'www', 'index.html'), '<!doctype html>');
  for (let index = 0; index < large; index += 1) {
    await writeFile(path.join(folder, 'www', `film${index}.mp4`), randomBytes(80_000_000));
  }
  return folder;
}
