/** `fixedServer.ts BYTES`: responds to each request with BYTES bytes, as fast as node:http can, and sends its port to the parent. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const bytes = Number(process.argv[2]);
const chunk = Buffer.alloc(256 * 1024, 'build');
const server = createServer((_request, response) => {
  void (async () => {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes });
    for (let remaining = bytes; remaining > 0; remaining -= chunk.length) {
      if (!response.write(remaining < chunk.length ? chunk.subarray(0, remaining) : chunk)) {
        await once(response, 'drain');
      }
    }
    response.end();
  })();
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
