/** A bare node:http server that does nothing but stream bodies to the disk: `startUploadServer` starts it in a process of its own. */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

export interface UploadServer {
  readonly url: string;
  /** Ends it. @returns its peak memory in MB */
  readonly stop: () => Promise<number>;
}

/** Starts the server, which writes each body to a file in `folder`, and removes it for DELETE. */
export async function startUploadServer(folder: string): Promise<UploadServer> {
  const child = fork(fileURLToPath(import.meta.url), [folder]);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.send('stop');
      const [peak] = (await once(child, 'message')) as [number];
      child.disconnect();
      return peak;
    },
  };
}

/** Of this process, in MB. It needs nothing of this module, so that another program can run its text. */
export function peakMemory(): number {
  try {
    // What `resourceUsage` says includes the process that started this one, on Linux.
    const status = process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'utf8');
    return (Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
  } catch {
    return (process.resourceUsage().maxRSS * 1024) / 1e6;
  }
}

function serve(folder: string): void {
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
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('message', () => process.send?.(peakMemory()));
  process.on('disconnect', () => process.exit());
}

if (import.meta.main) {
  serve(process.argv[2] ?? '');
}
