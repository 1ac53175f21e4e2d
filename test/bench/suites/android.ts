/** A folder that becomes an Android package, beside `zip -r` of the system. Each run is a process of its own, to measure its peak memory. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../support/repository.ts';
import { bundleProgram } from '../bundleProgram.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, ratioAtLeast, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

const MAX_SECONDS = 0.1;
const MIN_RATIO = 0.8;
const MAX_MEMORY_MB = 200;
const run = promisify(execFile);

interface Figures {
  readonly milliseconds: number;
  /** MB */
  readonly memory: number;
}

export const measure: Measure = async (rounds) => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const program = await bundleProgram('androidBuilder', directory);
  await cp(path.join(repositoryRoot, 'src/localService/builds/builtin/shell'), path.join(directory, 'shell'), {
    recursive: true,
  });
  const work = path.join(directory, 'work');
  const emptied = async (): Promise<void> => {
    await rm(work, { recursive: true, force: true });
    await mkdir(work);
  };
  const ours = async (folder: string): Promise<Figures> => {
    await emptied();
    return JSON.parse((await run(process.execPath, [program, directory, folder, work])).stdout) as Figures;
  };
  const zip = async (folder: string): Promise<number> => {
    await emptied();
    return timed(() => run('zip', ['-r', '-q', '-X', path.join(work, 'app.zip'), '.'], { cwd: folder }));
  };
  const repeated = <T>(measureOnce: () => Promise<T>): Promise<readonly T[]> =>
    interleaved(rounds, { ours: measureOnce }).then(({ ours: figures }) => figures);
  try {
    const small = await folderOf(path.join(directory, 'small'), 20, 50_000);
    const large = await folderOf(path.join(directory, 'large'), 400, 500_000);
    const many = await folderOf(path.join(directory, 'many'), 20_000, 600);
    // The test key is made once for each data folder.
    await ours(small);
    const seconds = await repeated(async () => (await ours(small)).milliseconds / 1000);
    const rows: Row[] = [atMost('android, 1 MB in 20 files: seconds', seconds, MAX_SECONDS)];
    const hasZip = await run('zip', ['-v']).then(
      () => true,
      () => false,
    );
    if (hasZip) {
      await zip(large);
      const figures = await interleaved(rounds, {
        ours: async () => 200_000 / (await ours(large)).milliseconds,
        peer: async () => 200_000 / (await zip(large)),
      });
      rows.push(ratioAtLeast('android, 200 MB in 400 files: MB/s, beside zip -r', figures, MIN_RATIO));
    } else {
      console.error('There is no zip on this machine: its row is left out.');
    }
    const memory = await repeated(async () => (await ours(many)).memory);
    rows.push(atMost('android, 20,000 files: peak memory, MB', memory, MAX_MEMORY_MB));
    return rows;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** Files of this size, half of them text and half of them pictures. */
async function folderOf(folder: string, files: number, bytes: number): Promise<string> {
  const words = randomBytes(4_000).toString('hex').match(/.{5}/g) ?? [];
  const text = Buffer.from(Array.from({ length: bytes / 5 }, (_, index) => words[(index * 7_919) % 1_597]).join(' '));
  const picture = randomBytes(bytes);
  for (let index = 0; index < files; index += 1) {
    const inside = path.join(folder, 'www', String(index % 100));
    await mkdir(inside, { recursive: true });
    await writeFile(
      path.join(inside, `${index}.${index % 2 === 0 ? 'js' : 'jpg'}`),
      index % 2 === 0 ? text.subarray(0, bytes) : picture,
    );
  }
  await writeFile(path.join(folder, 'www', 'index.html'), '<!doctype html>');
  return folder;
}
