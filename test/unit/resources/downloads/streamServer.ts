import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Readable } from 'node:stream';

import { serve, type TestServer } from '../../../support/servers.ts';

/** A server that streams `size` bytes as fast as they are taken. `sent` counts what it has handed to its socket. */
export async function streamServer(size: number): Promise<TestServer & { readonly sent: () => number }> {
  const piece = Buffer.alloc(64 * 1024, 'app build');
  let sent = 0;
  function* pieces(): Generator<Buffer> {
    for (let left = size; left > 0; left -= piece.length) {
      const next = left < piece.length ? piece.subarray(0, left) : piece;
      sent += next.length;
      yield next;
    }
  }
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
    Readable.from(pieces(), { highWaterMark: 1 }).pipe(response);
  });
  return { ...server, sent: () => sent };
}

/**
 * Downloads `size` bytes to `file` in a process of its own, because the server's memory would count as well.
 *
 * @returns bytes by which the process's resident memory grew at most, and the file's size.
 */
export async function streamBytes(
  size: number,
  file: string,
): Promise<{ readonly rssGrowth: number; readonly size: number }> {
  const server = await streamServer(size);
  const program = fileURLToPath(new URL('./downloadProcess.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, server.url, file]);
  return JSON.parse(stdout) as { rssGrowth: number; size: number };
}
