/**
 * Downloads 1 GiB from a server on this computer to disk. Both contenders flush. Each download runs in its own process.
 */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from '../bundleProgram.ts';
import { interleaved, type Row } from '../rounds.ts';

const GIBIBYTE = 1024 ** 3;
const MAX_RATIO = 1.2;
const run = promisify(execFile);

export async function measure(rounds: number): Promise<readonly Row[]> {
  const server = fork(path.join(import.meta.dirname, '..', 'fixedServer.ts'), [String(GIBIBYTE)]);
  const [port] = (await once(server, 'message')) as [number];
  const directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const file = path.join(directory, 'download');
  const program = await bundleProgram('downloader', directory);
  const download = async (contender: string): Promise<void> => {
    await run(process.execPath, [program, contender, `http://127.0.0.1:${port}/`, file]);
    const { size } = await stat(file);
    await rm(file);
    if (size !== GIBIBYTE) {
      throw new Error(`The file has ${size} bytes.`);
    }
  };
  try {
    const { ours, undici } = await interleaved(rounds, {
      ours: () => download('ours'),
      undici: () => download('undici'),
    });
    return [
      {
        what: 'Download of 1 GiB to the disk',
        ours,
        peer: { name: 'undici.stream', times: undici },
        max: MAX_RATIO,
      },
    ];
  } finally {
    server.kill();
    await rm(directory, { recursive: true, force: true });
  }
}
