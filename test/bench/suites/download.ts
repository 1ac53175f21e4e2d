/** 1 GiB from a server on this machine to its disk, flushed by all. Each download runs in its own process, to measure its peak memory. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startFixedServer } from '../fixedServer.ts';
import { bundleProgram } from '../bundleProgram.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, ratioAtLeast } from '../row.ts';
import type { Measure } from '../suite.ts';

const GIBIBYTE = 1024 ** 3;
const run = promisify(execFile);

interface Figures {
  /** MiB/s */
  readonly throughput: number;
  /** MB */
  readonly peak: number;
}

export const measure: Measure = async (rounds) => {
  const server = await startFixedServer();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const file = path.join(directory, 'download');
  const url = `${server.url}/bytes?count=${GIBIBYTE}`;
  const program = await bundleProgram('downloader', directory);
  const byNode = (contender: string) => async (): Promise<Figures> => {
    const { stdout } = await run(process.execPath, [program, contender, url, file]);
    const { seconds, peak } = JSON.parse(stdout) as { readonly seconds: number; readonly peak: number };
    return { throughput: await throughputOf(seconds), peak };
  };
  const byCurl = async (): Promise<Figures> => {
    const seconds =
      (await timed(async () => {
        await run('curl', ['--silent', '--show-error', '--fail', '--noproxy', '*', '--output', file, url]);
        // Ours and the other peer flush the file, too.
        const written = await open(file);
        await written.sync();
        await written.close();
      })) / 1000;
    return { throughput: await throughputOf(seconds), peak: NaN };
  };
  const throughputOf = async (seconds: number): Promise<number> => {
    const { size } = await stat(file);
    await rm(file);
    if (size !== GIBIBYTE) {
      throw new Error(`The file has ${size} bytes.`);
    }
    return 1024 / seconds;
  };
  try {
    const curl = await run('curl', ['--version']).then(
      () => ({ curl: byCurl }),
      () => undefined,
    );
    if (curl === undefined) {
      console.error('There is no curl on this machine: its row is left out.');
    }
    const figures = await interleaved<string, Figures>(rounds, {
      ours: byNode('ours'),
      undici: byNode('undici'),
      ...curl,
    });
    const all = (contender: string, figure: keyof Figures): number[] =>
      (figures[contender] ?? []).map((one) => one[figure]);
    const ours = all('ours', 'throughput');
    return [
      ratioAtLeast(
        'download, 1 GiB to disk: MiB/s, beside undici.stream',
        { ours, peer: all('undici', 'throughput') },
        0.95,
      ),
      ...(curl === undefined
        ? []
        : [
            ratioAtLeast(
              'download, 1 GiB to disk: MiB/s, beside curl and fsync',
              { ours, peer: all('curl', 'throughput') },
              0.5,
            ),
          ]),
      atMost(
        'download, 1 GiB to disk: peak memory, MB, beside undici.stream',
        all('ours', 'peak'),
        200,
        all('undici', 'peak'),
      ),
    ];
  } finally {
    server.stop();
    await rm(directory, { recursive: true, force: true });
  }
};
