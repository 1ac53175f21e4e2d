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
