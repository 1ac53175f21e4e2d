import type { IncomingMessage, ServerResponse } from 'node:http';
import sirv from 'sirv';

/**
 * Answers with a file of a folder: type, length, ETag, one range.
 *
 * @param path begins with a slash.
 * @returns false when there is no such file.
 */
export type ServedFolder = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

/** A range with a first byte (RFC 9110 §14.1.2). A server may ignore others (§14.2): sirv misreads them. */
const RANGE = /^bytes=(\d{1,15})-([1-9]\d{0,14})?$/;

/**
 * Serves the files that are in a folder now, by their paths, and `index.html` for a folder. It is not looked into again: a path
 * finds a name in a list, never a file of the disk.
 *
 * @param setHeaders adds to the headers of a file.
 */
export function serveFolder(folder: string, setHeaders: (response: ServerResponse) => void): ServedFolder {
  const serve = sirv(folder, { etag: true, dotfiles: true, setHeaders });
  return (request, response, path) => {
    if (request.method === 'HEAD' || !isReadableRange(request.headers.range)) {
      delete request.headers.range;
    }
    // sirv reads what a file holds and leaves it at that: a phone that goes away would keep the file open.
    response.once('pipe', (file) => {
      file.once('error', () => response.destroy());
      response.once('close', () => file.destroy());
    });
    request.url = path;
    let isFound = true;
    serve(request, response, () => {
      isFound = false;
    });
    return isFound;
  };
}

function isReadableRange(range: string | undefined): boolean {
  const [, first, last] = RANGE.exec(range ?? '') ?? [];
  return first !== undefined && (last === undefined || Number(first) <= Number(last));
}
