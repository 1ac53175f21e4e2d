import type { Context } from 'hono';

import type { Service } from '../service.ts';
import { HttpError } from './errors.ts';

/** What a request asks for. */
export interface ReceivedRequest {
  /**
   * The fields of the query, the form and the JSON body, merged; without prototype. Values are texts, or what JSON in the
   * field `data` and nested names such as `data[title]` make of them.
   */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The uploaded files by the names of their fields. */
  readonly files: Readonly<Record<string, ReceivedFile>>;
}

export interface ReceivedFile {
  /** In a work folder, which is removed after the request. */
  readonly path: string;
  /** As the client sent it, without folders. */
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Reads a request in any of the forms that clients send, its files into a work folder, and hands it to `answer`. The files
 * are removed afterwards unless they were kept.
 *
 * @throws HttpError 400 for a malformed body, 408 for one that arrives too slowly, 413 for one that is too large
 */
export async function withReceivedRequest<T>(
  _c: Context,
  _service: Service,
  _answer: (request: ReceivedRequest) => Promise<T> | T,
): Promise<T> {
  return Promise.reject(new HttpError(500, 'not implemented'));
}
