import { isUtf8 } from 'node:buffer';

import type { PackageType } from '../../store/model.ts';
import { PackageError } from './packageInfo.ts';

/** The first entry of an archive, or the end of an empty one. */
const ZIP_STARTS = [Buffer.from('PK\x03\x04'), Buffer.from('PK\x05\x06')];
const GZIP_START = Buffer.from([0x1f, 0x8b]);

/** What a web page begins with, after white space (WHATWG MIME Sniffing, 7.1), and `<meta`, with which short pages begin. */
const HTML_START =
  /^(?:<!doctype html|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta))[\s>]|^<!--/i;

/** Other kinds of file that are uploaded by mistake: their first bytes, in ISO 8859-1. */
const OTHER_TYPES: readonly (readonly [string, string])[] = [
  ['Rar!\x1a\x07', 'a RAR archive'],
  ["7z\xbc\xaf'\x1c", 'a 7z archive'],
  ['BZh', 'compressed by bzip2'],
  ['\xfd7zXZ\0', 'compressed by xz'],
  ['\x28\xb5\x2f\xfd', 'compressed by zstd'],
  ['PK\x07\x08', 'a part of a zip archive of several files'],
  ['%PDF-', 'a PDF document'],
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['MZ', 'a program'],
  ['\x7fELF', 'a program'],
  ['\xcf\xfa\xed\xfe', 'a program'],
  ['\xff\xfe', 'a text in UTF-16'],
  ['\xfe\xff', 'a text in UTF-16'],
  ['<?xml', 'an XML document, and no HTML page'],
  ['<widget', 'an XML document, and no HTML page'],
];
/** Where "ustar" stands in the header of a tar archive. */
const TAR_MAGIC_OFFSET = 257;

/**
 * Tells by the first bytes of a file what it is.
 *
 * @param head the first 4 KiB
 * @throws PackageError that names what the file is, when it is nothing that an app is made from
 */
export function detectPackageType(head: Buffer): PackageType {
  const text = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (ZIP_STARTS.some((start) => head.indexOf(start) === 0)) {
    return 'zip';
  }
  if (head.indexOf(GZIP_START) === 0) {
    return 'tar.gz';
  }
  // An XML declaration may come before the page.
  if (HTML_START.test(text.replace(/^<\?xml[^>]*\?>\s*/, ''))) {
    return 'html';
  }
  throw new PackageError(`${describe(head, text)} Upload a zip archive, a tar.gz archive or a single HTML page.`);
}

function describe(head: Buffer, text: string): string {
  if (head.length === 0) {
    return 'The file is empty.';
  }
  if (head.toString('latin1', TAR_MAGIC_OFFSET, TAR_MAGIC_OFFSET + 5) === 'ustar') {
    return 'The file is a tar archive that is not compressed by gzip.';
  }
  const other = OTHER_TYPES.find(([start]) => text.startsWith(start))?.[1];
  if (other !== undefined) {
    return `The file is ${other}.`;
  }
  return isUtf8(head) && !head.includes(0)
    ? 'The file is a text, and no HTML page.'
    : 'The type of the file is not known.';
}
