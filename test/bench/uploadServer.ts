/** `uploadServer.ts FOLDER`: a bare node:http server that does nothing but stream bodies to files, and remove them for DELETE. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const folder = process.argv[2] ?? '';
let file = '';
const server = createServer((request, response) => {
  void (async () => {
    if (request.method === 'DELETE') {
      await rm(file);
    } else {
      file = path.join(folder, randomUUID());
      await pipeline(request, createWriteStream(file, { flush: true, highWaterMark: 1024 * 1024 }));
      // The file and its name are on the disk before the answer, as with the local service.
      const handle = await open(folder);
      await handle.sync();
      await handle.close();
    }
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1}');
  })();
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
