import type { Stats } from 'node:fs';

/** A part of a file: the offsets of its first and its last byte. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the requested part of a file (RFC 9110 §14). Ignores a request for several parts and a malformed one, as the
 * RFC permits.
 *
 * @param range the `Range` header
 * @param size the size of the file in bytes
 * @returns undefined for the whole file, or `none` if the file has no such part
 */
export function readRange(range: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(range ?? '') ?? [];
  if ((from === '' && to === '') || (from !== '' && to !== '' && Number(to) < Number(from))) {
    return undefined;
  }
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end ? 'none' : { start, end };
}

/** Returns the headers that identify the content of a file. A finished file is never written again. */
export function getValidators({ size, mtime }: Stats): Readonly<Record<'ETag' | 'Last-Modified', string>> {
  return { ETag: `"${size.toString(36)}-${mtime.getTime().toString(36)}"`, 'Last-Modified': mtime.toUTCString() };
}

/**
 * Reports whether a part can be sent, because the client has the other parts of the same file (RFC 9110 §13.1.5).
 *
 * @param ifRange the `If-Range` header
 */
export function isSameFile(
  ifRange: string | undefined,
  validators: Readonly<Record<'ETag' | 'Last-Modified', string>>,
): boolean {
  return ifRange === undefined || Object.values(validators).includes(ifRange.trim());
}
