import { parse as parseDisposition } from 'content-disposition';

import { decodedChunks } from './contentEncoding.ts';
import type { Deadline } from './deadline.ts';
import type { FinalResponse } from './incomingResponse.ts';
import { toBuildServiceError } from './toBuildServiceError.ts';

export interface DownloadOptions {
  readonly signal?: AbortSignal;
  /** Bytes received so far, and the announced total when there is one. */
  readonly onProgress?: (receivedBytes: number, totalBytes: number | undefined) => void;
}

export interface Download {
  /** 2xx, unless the call takes any. */
  readonly status: number;
  /** Absolute URL that answered, after redirects, without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Announced length; absent when unknown. A body that ends before it fails as truncated. */
  readonly totalBytes?: number;
  /** File name that the service proposes. Untrusted: make a base name of it before use. */
  readonly suggestedName?: string;
  /** Has to be read to its end, or left by `break` or `return()`. Throws typed errors. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Makes a download of a response. The deadline is disposed when the body has been read or left. */
export function toDownload(
  final: FinalResponse,
  deadline: Deadline,
  onProgress: DownloadOptions['onProgress'],
): Download {
  const { headers, url } = final;
  // Content-Length counts the encoded bytes, progress the decoded ones.
  const encoded = !['', 'identity'].includes(headers['content-encoding'] ?? '');
  const length = headers['content-length'];
  const totalBytes = !encoded && length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
  const suggestedName = fileNameIn(headers['content-disposition']);
  return {
    status: final.response.status,
    url,
    headers,
    ...(totalBytes !== undefined && { totalBytes }),
    ...(suggestedName !== undefined && { suggestedName }),
    body: readChunks(final, deadline, (received) => onProgress?.(received, totalBytes)),
  };
}

function fileNameIn(disposition: string | undefined): string | undefined {
  try {
    return disposition === undefined ? undefined : parseDisposition(disposition).parameters.filename;
  } catch {
    return undefined;
  }
}

async function* readChunks(
  { response, url }: FinalResponse,
  deadline: Deadline,
  onProgress: (receivedBytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const { host } = new URL(url);
  let receivedBytes = 0;
  try {
    for await (const chunk of decodedChunks(response)) {
      receivedBytes += chunk.length;
      onProgress(receivedBytes);
      yield chunk;
    }
  } catch (error) {
    throw deadline.failure(host) ?? toBuildServiceError(error, { host, responded: true });
  } finally {
    deadline.dispose();
  }
}
