import { Readable } from 'node:stream';

import type { Dispatcher } from 'undici';

import type { Deadline } from './deadline.ts';
import { MAX_ERROR_BYTES } from '../limits.ts';

/** A response of which the headers have arrived. Its body is read once, or discarded. */
export interface IncomingResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with a comma, cookies are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the body as it is sent; undefined when it was not announced, or when no body follows. */
  readonly announcedBytes: number | undefined;
  readonly body: Dispatcher.ResponseData['body'];
}

/**
 * Sends one request. Follows no redirects and decodes no content encodings.
 *
 * @param deadline aborts the request, and the body of the response.
 * @returns the response, when its headers have arrived.
 * @throws undici's and Node's own errors.
 */
export async function sendRequest(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  deadline: Deadline,
): Promise<IncomingResponse> {
  try {
    // undici aborts a request that waits for a connection when it gets one. That can take long.
    const sent = deadline.race(dispatcher.request({ ...options, signal: deadline.signal }));
    const { statusCode: status, headers: received, body } = await sent;
    // Without a listener, the end of a body that is not read would be an exception.
    body.on('error', () => undefined);
    const headers = singleValues(received);
    const length = headers['content-length'];
    // RFC 9110 §6.4.1: these responses have no content, whatever length they announce.
    const isEmpty = options.method === 'HEAD' || status === 304;
    return { status, headers, announcedBytes: length === undefined || isEmpty ? undefined : Number(length), body };
  } catch (error) {
    // undici does not destroy a body that it has not begun to send.
    if (options.body instanceof Readable) {
      options.body.on('error', () => undefined).destroy();
    }
    throw error;
  }
}

/** Drops the body. A short one is read to its end, so that its connection can be used again. */
export function discardBody({ body }: IncomingResponse): void {
  body.dump({ limit: MAX_ERROR_BYTES }).catch(() => undefined);
}

/** The response that a call ends with, after redirects. */
export interface FinalResponse {
  readonly response: IncomingResponse;
  /** Without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absolute URL that answered, without credentials. */
  readonly url: string;
  /** Of this URL and the addresses in the `Link` header, those in which a secret was hidden. */
  readonly masked: readonly string[];
}

function singleValues(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // A header may be called __proto__; none of use is.
    if (value !== undefined && name !== 'set-cookie' && name !== '__proto__') {
      single[name] = typeof value === 'string' ? value : value.join(', ');
    }
  }
  return single;
}
