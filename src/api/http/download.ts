import { parse as parseDisposition } from 'content-disposition';

import { decodedBody } from './contentEncoding.ts';
import type { Answer } from './requestPipeline.ts';
import type { Deadline } from './deadline.ts';
import { toFailure } from './toBuildServiceError.ts';

export interface DownloadOptions {
  readonly signal?: AbortSignal;
  /** Bytes received so far, and the announced total when there is one. */
  readonly onProgress?: (receivedBytes: number, totalBytes: number | undefined) => void;
}

export interface Download {
  /** What answered, after redirects, without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Announced length; absent when unknown. A body that ends before it fails as truncated. */
  readonly totalBytes?: number;
  /** File name that the service proposes. Untrusted: make a base name of it before use. */
  readonly suggestedName?: string;
  /** Has to be read to its end, or left by `break` or `return()`. Failures are typed errors. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Makes a download of an answer. */
export function downloadOf(answer: Answer, until: Deadline, onProgress: DownloadOptions['onProgress']): Download {
  const { headers } = answer;
  const encoded = !['', 'identity'].includes(headers['content-encoding'] ?? '');
  const length = headers['content-length'];
  const totalBytes = !encoded && length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
  const suggestedName = suggestedNameOf(headers['content-disposition']);
  return {
    url: answer.url,
    headers,
    ...(totalBytes !== undefined && { totalBytes }),
    ...(suggestedName !== undefined && { suggestedName }),
    body: pieces(answer, until, (received) => onProgress?.(received, totalBytes)),
  };
}

function suggestedNameOf(disposition: string | undefined): string | undefined {
  try {
    return disposition === undefined ? undefined : parseDisposition(disposition).parameters.filename;
  } catch {
    return undefined;
  }
}

async function* pieces(
  { response, url }: Answer,
  until: Deadline,
  onProgress: (received: number) => void,
): AsyncGenerator<Uint8Array> {
  const { host } = new URL(url);
  let received = 0;
  try {
    for await (const piece of decodedBody(response)) {
      received += piece.length;
      onProgress(received);
      yield piece;
    }
  } catch (error) {
    throw until.failure(host) ?? toFailure(error, { host, answered: true });
  } finally {
    until.end();
  }
}
