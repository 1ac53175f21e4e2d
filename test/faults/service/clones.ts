import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PackageError } from '../../../src/localService/builds/packages/archiveContents.ts';
import { packRepository } from '../../../src/localService/builds/packages/repository.ts';
import { listen } from '../../support/listen.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import type { Row } from '../row.ts';
import { measured } from './measured.ts';

const COMMIT = '1'.repeat(40);
const TOO_LARGE = 'The repository is larger than 10 MB. Upload the files of the app.';

/** A clone that does not end by itself is ended with a sentence, and git with it. */
export function endlessClone(): Promise<Row> {
  const row = {
    group: 'clone',
    name: 'a repository without an end',
    expected: 'ends with a sentence, and git with it',
  };
  return measured(row, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'app-build-clone-'));
    const server = createServer(endlessRepository);
    let connections = 0;
    server.on('connection', (socket) => {
      connections += 1;
      socket.on('close', () => (connections -= 1));
    });
    const { port, close } = await listen(server);
    const repository = { url: `http://127.0.0.1:${port}/x.git`, tag: null };
    // The size is what ends it, however slow the machine is.
    const limits = { maxPackBytes: 10_000_000, timeoutMs: 600_000 };
    const error: unknown = await packRepository(repository, folder, new AbortController().signal, limits).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    // The system closes the connections of a killed process, which shows here a moment later.
    await waitUntil(() => connections === 0);
    await close();
    await rm(folder, { recursive: true });
    const sentence = error instanceof PackageError ? error.message : String(error);
    return { got: 'ended, git is gone', sentence, problems: sentence === TOO_LARGE ? [] : [sentence] };
  });
}

/** Speaks git's protocol (gitprotocol-http, version 0), and sends a pack whose only file has terabytes. */
function endlessRepository(...[request, response]: Parameters<RequestListener>): void {
  if (request.method === 'GET') {
    response.setHeader('Content-Type', 'application/x-git-upload-pack-advertisement');
    const capabilities = 'shallow side-band-64k symref=HEAD:refs/heads/main';
    response.end(
      `${packet('# service=git-upload-pack\n')}0000${packet(`${COMMIT} HEAD\0${capabilities}\n`)}${packet(`${COMMIT} refs/heads/main\n`)}0000`,
    );
    return;
  }
  let body = '';
  request.setEncoding('latin1').on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/x-git-upload-pack-result');
    response.write(`${packet(`shallow ${COMMIT}`)}0000`);
    if (body.includes('done')) {
      response.write(packet('NAK\n'));
      void sendPack(response);
    } else {
      response.end();
    }
  });
}

async function sendPack(response: ServerResponse): Promise<void> {
  // "PACK", version 2, one object: a blob (type 3) of 2^46 bytes, and the start of its zlib stream.
  sendSideband(response, Buffer.from('5041434b0000000200000001b080808080808020' + '7801', 'hex'));
  const content = randomBytes(65_000);
  // A block of DEFLATE that is stored, not the last one (RFC 1951, 3.2.4).
  const head = Buffer.alloc(5);
  head.writeUInt16LE(content.length, 1);
  head.writeUInt16LE(~content.length & 0xffff, 3);
  const closed = once(response, 'close');
  while (!response.destroyed) {
    if (!sendSideband(response, Buffer.concat([head, content]))) {
      const ended = new AbortController();
      await Promise.race([once(response, 'drain', { signal: ended.signal }), closed]);
      ended.abort();
    }
  }
}

/** Band 1 carries the pack. */
function sendSideband(response: ServerResponse, bytes: Buffer): boolean {
  const length = (bytes.length + 5).toString(16).padStart(4, '0');
  return response.write(Buffer.concat([Buffer.from(`${length}\x01`), bytes]));
}

/** A line in git's framing: its length, in four hexadecimal digits, comes first. */
function packet(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
}
