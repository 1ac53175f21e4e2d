import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { writeToDisk } from '../../../resources/downloads/diskFile.ts';
import { fileFailure } from '../../../resources/fileError.ts';
import { serve, transport, type TestServer } from '../../servers.ts';
import { impatient, textOf, type FaultCase, type Stage } from '../faultCase.ts';
import * as outcome from '../outcomes.ts';

/** A server that sends without end, and tells when its client has gone. */
async function endless(): Promise<{ readonly server: TestServer; readonly left: Promise<unknown> }> {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const server = await serve((_request, response) => {
    const source = Readable.from((function* () {
      for (;;) {
        yield Buffer.alloc(65536);
      }
    })());
    source.pipe(response);
    response.on('close', () => {
      source.destroy();
      leave();
    });
  });
  return { server, left };
}

/** What a failing file system says when a download is written to it. */
function intoFailingFile(code: string): FaultCase {
  return {
    name: `writing fails with ${code}: the connection ends`,
    expected: outcome.value(code),
    arrange: async (stage: Stage) => {
      const { server, left } = await endless();
      const file = new Writable({ write: (_piece, _encoding, done) => done(Object.assign(new Error(code), { code })) });
      return async () => {
        const { body } = await stage.client(server).download('/x');
        const failure: unknown = await pipeline(body, file).then(() => undefined, (error: unknown) => error);
        await left;
        return (failure as { code?: string } | undefined)?.code;
      };
    },
  };
}

/** Saves a download into an empty folder as the extension does. Whatever happens, nothing may be in the folder afterwards. */
async function saved(stage: Stage, server: TestServer, { signal, inside = '' }: { readonly signal?: AbortSignal; readonly inside?: string } = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'app-build-download-'));
  try {
    const { body } = await stage.client(server).download('/x', signal && { signal });
    await writeToDisk(body, join(folder, inside, 'app.apk'), { mayReplace: false, confirmReplace: () => Promise.resolve(true) });
  } catch (error) {
    const left = await readdir(folder);
    throw left.length === 0 ? fileFailure(error, 'app.apk') : new Error(`left behind: ${left.join(', ')}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Faults while a download is being read. */
export const downloads: readonly FaultCase[] = [
  {
    name: 'saved to disk and cut: no file, not even a part',
    expected: outcome.truncated,
    arrange: async (stage) => {
      const server = await serve((request, response) => {
        response.writeHead(200, { 'content-length': 1_000_000 });
        response.write(Buffer.alloc(200_000), () => request.socket.destroy());
      });
      return () => saved(stage, server);
    },
  },
  {
    name: 'saved to disk and cancelled: no file, not even a part',
    expected: outcome.cancelled,
    arrange: async (stage) => {
      const controller = new AbortController();
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': 1_000_000 });
        response.write(Buffer.alloc(200_000), () => controller.abort());
      });
      return () => saved(stage, server, { signal: controller.signal });
    },
  },
  {
    name: 'saved into a folder that is gone: the connection ends',
    expected: outcome.fileMissing,
    arrange: async (stage) => {
      const { server, left } = await endless();
      return () => saved(stage, server, { inside: 'gone' }).finally(() => left);
    },
  },
  intoFailingFile('ENOSPC'),
  intoFailingFile('EROFS'),
  {
    name: 'cancelled in the middle: the connection ends',
    expected: outcome.cancelled,
    arrange: async (stage) => {
      const { server, left } = await endless();
      const controller = new AbortController();
      return async () => {
        const { body } = await stage.client(server).download('/x', { signal: controller.signal, onProgress: (bytes) => bytes > 500_000 && controller.abort() });
        await textOf(body).finally(() => left);
      };
    },
  },
  {
    name: 'cancelled before its first byte',
    expected: outcome.cancelled,
    arrange: async (stage) => {
      const controller = new AbortController();
      const server = await serve(() => controller.abort());
      return () => stage.client(server).download('/x', { signal: controller.signal });
    },
  },
  {
    name: 'left after a piece: the connection ends',
    expected: outcome.value('left'),
    arrange: async (stage) => {
      const { server, left } = await endless();
      return async () => {
        const { body } = await stage.client(server).download('/x');
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
    arrange: async (stage) => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('x');
      });
      return async () => textOf((await stage.client(server).download('/x')).body);
    },
  },
  {
    name: 'the download is cut',
    expected: outcome.truncated,
    arrange: async (stage) => {
      const server = await serve((request, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('x', () => request.socket.destroy());
      });
      return async () => textOf((await stage.client(server).download('/x')).body);
    },
  },
  {
    name: 'a slow download takes longer than a call may',
    expected: outcome.value('done'),
    arrange: async (stage) => {
      const server = await serve((_request, response) => {
        const until = performance.now() + impatient.carrier.timeouts.total + 300;
        const drip = setInterval(() => {
          if (performance.now() < until) {
            response.write('.');
          } else {
            response.end('done');
          }
        }, 100);
        response.on('close', () => clearInterval(drip));
      });
      return async () => (await textOf((await stage.client(server, impatient).download('/x')).body)).replace(/\./g, '');
    },
  },
  {
    name: 'the transport is disposed in the middle',
    expected: outcome.cancelled,
    arrange: async (stage) => {
      const arrived = new EventTarget();
      const server = await serve(() => arrived.dispatchEvent(new Event('request')));
      const carrier = transport();
      return async () => {
        const call = stage.client(server, { transport: carrier }).me();
        await Promise.race([once(arrived, 'request'), call]);
        await carrier.dispose();
        return call;
      };
    },
  },
];
