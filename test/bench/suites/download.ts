/** 1 GiB from a server on this machine to its disk, flushed by all. Each download runs in its own process, to measure its peak memory. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startFixedServer } from '../fixedServer.ts';
import { bundleProgram } from '../bundleProgram.ts';
import { interleaved, timed, type Sample } from '../rounds.ts';
import { atMost, figure, ratioAtMost, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

const GIBIBYTE = 1024 ** 3;
const MAX_RATIO = 1.2;
/** curl writes to the disk from the thread that reads, and from one buffer. */
const MAX_RATIO_TO_CURL = 2;
const MAX_PEAK_MB = 200;
const run = promisify(execFile);

interface Download {
  readonly time: Sample;
  /** MB */
  readonly peak?: number;
}

export const measure: Measure = async (rounds) => {
  const server = await startFixedServer();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const file = path.join(directory, 'download');
  const url = `${server.url}/bytes?count=${GIBIBYTE}`;
  const program = await bundleProgram('downloader', directory);
  const checked = async (download: Download): Promise<Download> => {
    const { size } = await stat(file);
    await rm(file);
    if (size !== GIBIBYTE) {
      throw new Error(`The file has ${size} bytes.`);
    }
    return download;
  };
  const byNode = (contender: string) => async (): Promise<Download> => {
    let said = '';
    const { processorMs } = await timed(async () => {
      said = (await run(process.execPath, [program, contender, url, file])).stdout;
    });
    const { milliseconds, peak } = JSON.parse(said) as { readonly milliseconds: number; readonly peak: number };
    return checked({ time: { value: milliseconds, processorMs }, peak });
  };
  const byCurl = async (): Promise<Download> =>
    checked({
      time: await timed(async () => {
        await run('curl', ['--silent', '--show-error', '--noproxy', '*', '--output', file, url]);
        const written = await open(file, 'r+');
        await written.sync();
        await written.close();
      }),
    });
  try {
    const curl = await run('curl', ['--version']).then(
      () => ({ curl: byCurl }),
      () => undefined,
    );
    if (curl === undefined) {
      console.error('There is no curl on this machine: its row is left out.');
    }
    const downloads = await interleaved<string, Download>(rounds, {
      ours: byNode('ours'),
      undici: byNode('undici'),
      ...curl,
    });
    const times = (contender: string): readonly Sample[] => (downloads[contender] ?? []).map(({ time }) => time);
    const peaks = (contender: string): readonly Sample[] =>
      (downloads[contender] ?? []).map(({ peak = NaN }) => figure(peak));
    const subject = { name: 'download, 1 GiB to the disk', unit: 'ms', ours: times('ours') } as const;
    const rows: Row[] = [ratioAtMost(subject, { name: 'undici.stream', samples: times('undici') }, MAX_RATIO)];
    if (curl !== undefined) {
      rows.push(ratioAtMost(subject, { name: 'curl and fsync', samples: times('curl') }, MAX_RATIO_TO_CURL));
    }
    rows.push(
      atMost({ name: 'download, memory', unit: 'MB', ours: peaks('ours') }, MAX_PEAK_MB, {
        name: 'undici.stream',
        samples: peaks('undici'),
      }),
    );
    return rows;
  } finally {
    server.stop();
    await rm(directory, { recursive: true, force: true });
  }
};
