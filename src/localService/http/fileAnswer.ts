/** Answers that are files to be saved. */
import { open, type FileHandle } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';

import { create as contentDisposition } from 'content-disposition';
import type { Context } from 'hono';

/** Types by the extension of the name. All others are bytes that a browser must not interpret. */
const TYPES: Readonly<Partial<Record<string, string>>> = {
  '.apk': 'application/vnd.android.package-archive',
  '.xap': 'application/x-silverlight-app',
  '.zip': 'application/zip',
  '.png': 'image/png',
};
const UNKNOWN_TYPE = 'application/octet-stream';

/** Characters of a name. */
const MAX_NAME_LENGTH = 200;

export interface AnsweredFile {
  readonly path: string;
  /** The name under which it is saved. */
  readonly name: string;
  /** Bytes that it must have; `undefined`: as many as it has. */
  readonly size: number | undefined;
}

/** Answers with bytes in memory. */
export function answerBytes(c: Context, bytes: Buffer<ArrayBuffer>, name: string): Response {
  return c.body(bytes, 200, headersOf(name));
}

/**
 * Answers with a file on disk, whole or the one part that the request asks for (RFC 9110 §14).
 *
 * @returns `undefined` when the file is missing or has another size
 */
export async function answerFile(c: Context, { path, name, size }: AnsweredFile): Promise<Response | undefined> {
  const handle = await openOrNone(path);
  if (handle === undefined) {
    return undefined;
  }
  let isSent = false;
  try {
    const { size: actualSize } = await handle.stat();
    if (size !== undefined && size !== actualSize) {
      return undefined;
    }
    const headers = { ...headersOf(name), 'Accept-Ranges': 'bytes' };
    // There is nothing by which a client could tell that the file is still the same: If-Range never holds.
    const range = c.req.header('if-range') === undefined ? c.req.header('range') : undefined;
    const part = partOf(range, actualSize);
    if (part === 'unsatisfiable') {
      return c.body(null, 416, { 'Content-Range': `bytes */${actualSize}` });
    }
    const { start, end } = part ?? { start: 0, end: actualSize - 1 };
    const length = end - start + 1;
    isSent = c.req.method !== 'HEAD' && length > 0;
    // The stream closes the file at its end, and when the client goes away.
    const body = isSent ? (Readable.toWeb(handle.createReadStream({ start, end })) as ReadableStream) : null;
    return new Response(body, {
      status: part === undefined ? 200 : 206,
      headers: {
        ...headers,
        'Content-Length': String(length),
        ...(part !== undefined && { 'Content-Range': `bytes ${start}-${end}/${actualSize}` }),
      },
    });
  } finally {
    if (!isSent) {
      await handle.close();
    }
  }
}

function headersOf(name: string): Record<string, string> {
  return {
    'Content-Type': TYPES[extname(name).toLowerCase()] ?? UNKNOWN_TYPE,
    'Content-Disposition': contentDisposition(safeName(name)),
  };
}

/** Without folders, and without characters that are not seen or turn the direction of a text. */
function safeName(name: string): string {
  // Cut first: half of a character counts as not seen.
  return name.slice(-MAX_NAME_LENGTH).replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\\/]+/gu, '-');
}

/** The first and the last byte that a Range header asks for; `undefined` for the whole file, and for several ranges at once. */
function partOf(
  range: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (first === '' && last === '') {
    return undefined;
  }
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) {
    // Not a range: it is ignored.
    return undefined;
  }
  return start > end ? 'unsatisfiable' : { start, end };
}

async function openOrNone(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch {
    return undefined;
  }
}
