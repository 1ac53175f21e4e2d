/** Answers that are files to be saved. */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';

import { MAX_NAME_LENGTH } from '../limits.ts';
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

interface AnsweredFile {
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
 * Answers with a file on disk.
 *
 * @returns `undefined` when the file is missing or has another size
 */
export async function answerFile(c: Context, { path, name, size }: AnsweredFile): Promise<Response | undefined> {
  const handle = await open(path).catch(() => undefined);
  const { size: actualSize } = (await handle?.stat()) ?? {};
  const headers = { ...headersOf(name), 'Content-Length': String(actualSize) };
  const isWhole = size === undefined || size === actualSize;
  if (handle === undefined || !isWhole || c.req.method === 'HEAD') {
    await handle?.close();
    return handle !== undefined && isWhole ? new Response(null, { headers }) : undefined;
  }
  // The stream closes the file at its end, and when the client goes away.
  return new Response(Readable.toWeb(handle.createReadStream()) as ReadableStream, { headers });
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
