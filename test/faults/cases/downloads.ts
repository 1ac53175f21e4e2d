import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { writeToDisk } from '../../../src/resources/downloads/diskFile.ts';
import { fileFailure } from '../../../src/resources/downloads/fileError.ts';
import { serve, type TestServer } from '../../support/servers.ts';
import type { FaultCase } from '../faultCase.ts';
import * as outcome from '../outcomes.ts';

/** A server that sends without end, and tells when its client has gone. */
async function endless(): Promise<{ readonly server: TestServer; readonly left: Promise<unknown> }> {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const server = await serve((_request, response) => {
    const source = Readable.from(
      (function* () {
        for (;;) {
          yield Buffer.alloc(65536);
        }
      })(),
    );
    source.pipe(response);
    response.on('close', () => {
      source.destroy();
      leave();
    });
  });
  return { server, left };
}

/** A download without end that cannot be written: nothing may be in the folder afterwards, and the connection ends. */
function intoFolder(name: string, expected: FaultCase['expected'], target: (folder: string) => string): FaultCase {
  return {
    name: `saved into a folder that is ${name}: the connection ends`,
    expected,
    arrange: async (context) => {
      const { server, left } = await endless();
      const folder = await mkdtemp(join(tmpdir(), 'app-build-download-'));
      return async () => {
        try {
          const { body } = await context.client(server).download('/x');
          await writeToDisk(body, join(target(folder), 'app.apk'), {
            mayReplace: false,
            confirmReplace: () => Promise.resolve(true),
          });
        } catch (error) {
          await left;
          const remains = await readdir(folder);
          throw remains.length === 0 ? fileFailure(error, 'app.apk') : new Error(`left behind: ${remains.join(', ')}`);
        } finally {
          await rm(folder, { recursive: true });
        }
      };
    },
  };
}

/** A folder in which nobody can make a file, not even the administrator. Windows has none. */
const READ_ONLY_FOLDER = process.platform === 'darwin' ? '/System' : '/sys';

/** Faults while a download is being read, beside those of test/unit/resources/downloads. */
export const downloads: readonly FaultCase[] = [
  intoFolder('gone', outcome.fileMissing, (folder) => join(folder, 'gone')),
  ...(process.platform === 'win32'
    ? []
    : [intoFolder('read-only', ['EACCES', 'EPERM', 'EROFS'].map(outcome.readOnly), () => READ_ONLY_FOLDER)]),
  {
    name: 'writing fails with ENOSPC: the connection ends',
    expected: outcome.diskFull,
    arrange: async (context) => {
      const { server, left } = await endless();
      const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      const file = new Writable({ write: (_piece, _encoding, done) => done(full) });
      return async () => {
        const { body } = await context.client(server).download('/x');
        try {
          await pipeline(body, file);
        } catch (error) {
          await left;
          throw fileFailure(error, 'app.apk');
        }
      };
    },
  },
  {
    name: 'a slow download takes longer than a call may',
    expected: outcome.value('done'),
    arrange: async (context) => {
      const total = 1200;
      const server = await serve((_request, response) => {
        const until = performance.now() + total + 300;
        const drip = setInterval(() => {
          if (performance.now() < until) {
            response.write('.');
          } else {
            response.end('done');
          }
        }, 100);
        response.on('close', () => clearInterval(drip));
      });
      return async () => {
        const { body } = await context.client(server, { carrier: { timeouts: { total } } }).download('/x');
        return (await text(body)).replaceAll('.', '');
      };
    },
  },
];
