/** Requests as the original took them: values in `data` as JSON, in `data[x]`, or flat; files beside them. */
import type { IncomingMessage } from 'node:http';

import { Busboy } from '@fastify/busboy';

export interface OriginalRequest {
  readonly values: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly field: string; readonly fileName: string; readonly bytes: Buffer }[];
}

/** Reads the body of a request. Rejects when it is cut off. */
export async function readRequest(request: IncomingMessage): Promise<OriginalRequest> {
  const type = request.headers['content-type'] ?? '';
  return type.startsWith('multipart/form-data') ? readMultipart(request, type) : readText(request);
}

async function readText(request: IncomingMessage): Promise<OriginalRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) {
    pieces.push(piece);
  }
  return { values: valuesOf([...new URLSearchParams(Buffer.concat(pieces).toString())]), files: [] };
}

function readMultipart(request: IncomingMessage, type: string): Promise<OriginalRequest> {
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    const files: OriginalRequest['files'][number][] = [];
    const parser = new Busboy({ headers: { 'content-type': type } });
    parser.on('field', (name, value) => void fields.push([name, value]));
    parser.on('file', (field, stream, fileName) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => void pieces.push(piece));
      stream.on('end', () => void files.push({ field, fileName, bytes: Buffer.concat(pieces) }));
    });
    parser.on('finish', () => resolve({ values: valuesOf(fields), files }));
    parser.on('error', reject);
    request.on('error', reject);
    request.pipe(parser);
  });
}

function valuesOf(fields: readonly (readonly [string, string])[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(([name, value]): [string, unknown][] => {
      const inner = /^data\[(.+)\]$/.exec(name)?.[1];
      return name === 'data' ? Object.entries(JSON.parse(value) as object) : [[inner ?? name, value]];
    }),
  );
}
