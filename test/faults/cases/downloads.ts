import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { writeToDisk } from '../../../src/resources/downloads/diskFile.ts';
import { fileFailure } from '../../../src/resources/downloads/fileError.ts';
import { serve, transport, type TestServer } from '../../support/servers.ts';
import { streamServer } from '../../unit/resources/downloads/streamServer.ts';
import { SHORT_TOTAL_TIMEOUT, textOf, type FaultCase, type CaseContext } from '../faultCase.ts';
import * as outcome from '../outcomes.ts';

const DOWNLOAD_PROGRAM = fileURLToPath(new URL('../../unit/resources/downloads/downloadProcess.ts', import.meta.url));

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

/** What a failing file system says when a download is written to it. */
function intoFailingFile(code: string, expected: outcome.Outcome): FaultCase {
  return {
    name: `writing fails with ${code}: the connection ends`,
    expected,
    arrange: async (context: CaseContext) => {
      const { server, left } = await endless();
      const file = new Writable({ write: (_piece, _encoding, done) => done(Object.assign(new Error(code), { code })) });
      return async () => {
        const { body } = await context.client(server).download('/x');
        const failure: unknown = await pipeline(body, file).then(
          () => undefined,
          (error: unknown) => error,
        );
        await left;
        throw fileFailure(failure, 'app.apk');
      };
    },
  };
}

/** Saves a download into an empty folder as the extension does. Whatever happens, nothing may be in the folder afterwards. */
async function saved(
  context: CaseContext,
  server: TestServer,
  {
    signal,
    into = (folder) => folder,
  }: { readonly signal?: AbortSignal; readonly into?: (folder: string) => string } = {},
): Promise<void> {
  const { body } = await context.client(server).download('/x', signal && { signal });
  await leavingNothingBehind((folder) =>
    writeToDisk(body, join(into(folder), 'app.apk'), {
      mayReplace: false,
      confirmReplace: () => Promise.resolve(true),
    }),
  );
}

/** Something that fails, in a folder that is empty afterwards. */
async function leavingNothingBehind(save: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'app-build-download-'));
  try {
    await save(folder);
  } catch (error) {
    const left = await readdir(folder);
    throw left.length === 0 ? fileFailure(error, 'app.apk') : new Error(`left behind: ${left.join(', ')}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Waits for the end of the connection as well. */
async function withEnd(left: Promise<unknown>, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } finally {
    await left;
  }
}

/** A folder in which nobody can make a file, not even the administrator. */
const READ_ONLY_FOLDER = process.platform === 'darwin' ? '/System' : '/sys';

/** Faults that take a real file system of a kind that Windows does not have. */
const onUnix: readonly FaultCase[] = [
  {
    name: 'saved into a folder that is read-only: the connection ends',
    expected: ['EACCES', 'EPERM', 'EROFS'].map(outcome.readOnly),
    arrange: async (context) => {
      const { server, left } = await endless();
      return () => withEnd(left, saved(context, server, { into: () => READ_ONLY_FOLDER }));
    },
  },
  {
    name: 'saved to a disk that takes no more: no file, not even a part',
    expected: outcome.fileTooLarge,
    within: 10_000,
    arrange: async () => {
      const { url } = await streamServer(1024 * 1024);
      // A real failing write: the system refuses more than 100 blocks of 512 bytes to this process.
      const save = async (folder: string): Promise<never> => {
        const { stdout } = await promisify(execFile)('sh', [
          '-c',
          'ulimit -f 100; exec "$@"',
          'sh',
          process.execPath,
          DOWNLOAD_PROGRAM,
          url,
          join(folder, 'app.apk'),
        ]);
        throw Object.assign(new Error(stdout), JSON.parse(stdout) as { code: string });
      };
      return () => leavingNothingBehind(save);
    },
  },
];

/** Faults while a download is being read. */
export const downloads: readonly FaultCase[] = [
  {
    name: 'saved to disk and cut: no file, not even a part',
    expected: outcome.truncated,
    arrange: async (context) => {
      const server = await serve((request, response) => {
        response.writeHead(200, { 'content-length': 1_000_000 });
        response.write(Buffer.alloc(200_000), () => request.socket.destroy());
      });
      return () => saved(context, server);
    },
  },
  {
    name: 'saved to disk and cancelled: no file, not even a part',
    expected: outcome.cancelled,
    arrange: async (context) => {
      const controller = new AbortController();
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': 1_000_000 });
        response.write(Buffer.alloc(200_000), () => controller.abort());
      });
      return () => saved(context, server, { signal: controller.signal });
    },
  },
  {
    name: 'saved into a folder that is gone: the connection ends',
    expected: outcome.fileMissing,
    arrange: async (context) => {
      const { server, left } = await endless();
      return () => withEnd(left, saved(context, server, { into: (folder) => join(folder, 'gone') }));
    },
  },
  intoFailingFile('ENOSPC', outcome.diskFull),
  intoFailingFile('EROFS', outcome.readOnly('EROFS')),
  ...(process.platform === 'win32' ? [] : onUnix),
  {
    name: 'cancelled in the middle: the connection ends',
    expected: outcome.cancelled,
    arrange: async (context) => {
      const { server, left } = await endless();
      const controller = new AbortController();
      return async () => {
        const { body } = await context
          .client(server)
          .download('/x', { signal: controller.signal, onProgress: (bytes) => bytes > 500_000 && controller.abort() });
        await withEnd(left, textOf(body));
      };
    },
  },
  {
    name: 'cancelled before its first byte',
    expected: outcome.cancelled,
    arrange: async (context) => {
      const controller = new AbortController();
      const server = await serve(() => controller.abort());
      return () => context.client(server).download('/x', { signal: controller.signal });
    },
  },
  {
    name: 'left after a piece: the connection ends',
    expected: outcome.value('left'),
    arrange: async (context) => {
      const { server, left } = await endless();
      return async () => {
        const { body } = await context.client(server).download('/x');
        for await (const piece of body) {
          if (piece.length > 0) {
            break;
          }
        }
        await left;
        return 'left';
      };
    },
  },
  {
    name: 'the download stalls',
    expected: outcome.idleTimeout,
    arrange: async (context) => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('x');
      });
      return async () => textOf((await context.client(server).download('/x')).body);
    },
  },
  {
    name: 'the download is cut',
    expected: outcome.truncated,
    arrange: async (context) => {
      const server = await serve((request, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('x', () => request.socket.destroy());
      });
      return async () => textOf((await context.client(server).download('/x')).body);
    },
  },
  {
    name: 'a slow download takes longer than a call may',
    expected: outcome.value('done'),
    arrange: async (context) => {
      const server = await serve((_request, response) => {
        const until = performance.now() + SHORT_TOTAL_TIMEOUT.carrier.timeouts.total + 300;
        const drip = setInterval(() => {
          if (performance.now() < until) {
            response.write('.');
          } else {
            response.end('done');
          }
        }, 100);
        response.on('close', () => clearInterval(drip));
      });
      return async () =>
        (
          await textOf(
            (
              await context
                .client(server, { carrier: { timeouts: { idle: 1000, ...SHORT_TOTAL_TIMEOUT.carrier.timeouts } } })
                .download('/x')
            ).body,
          )
        ).replace(/\./g, '');
    },
  },
  {
    name: 'the transport is disposed in the middle',
    expected: outcome.cancelled,
    arrange: async (context) => {
      const arrived = new EventTarget();
      const server = await serve(() => arrived.dispatchEvent(new Event('request')));
      const carrier = transport();
      return async () => {
        const call = context.client(server, { transport: carrier }).me();
        await Promise.race([once(arrived, 'request'), call]);
        await carrier.dispose();
        return call;
      };
    },
  },
];
