/** Requests that change something: what they ask for, in any of the forms that clients send. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

import type { Service } from '../service.ts';
import { HttpError } from './errors.ts';
import { fieldsOf, merged, type FormEntry } from './formFields.ts';
import { readMultipart, type ReceivedFile } from './multipart.ts';
import { parsePlainObject, type PlainObject } from './plainJson.ts';
import { hasBody, mediaTypeOf, readBody } from './requestBody.ts';

export type { ReceivedFile } from './multipart.ts';

/** What a request asks for. */
export interface ReceivedRequest {
  /**
   * The fields of the query, the form and the JSON body, merged; without prototype. Values are texts, or what JSON in the
   * field `data` and nested names such as `data[title]` make of them.
   */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The uploaded files by the names of their fields; without prototype. */
  readonly files: Readonly<Record<string, ReceivedFile>>;
}

/** Parameters of the query that say who asks and how to answer, not what is asked for. */
const QUERY_ONLY: readonly string[] = ['auth_token', 'access_token', 'callback'];

/**
 * Reads a request in any of the forms that clients send, its files into a work folder, and hands it to `answer`. The files
 * are removed afterwards unless they were kept. Fields of the body win over those of the query; {@link fieldsOf} tells which
 * wins within each. A body of an unknown type has no fields.
 *
 * @throws HttpError 400 for a malformed body, 413 for one that is too large; the system's error when a file cannot be written;
 * an error with the code ECONNRESET when the client has gone
 */
export async function withReceivedRequest<T>(
  c: Context,
  { files, maxUploadBytes }: Service,
  answer: (request: ReceivedRequest) => Promise<T> | T,
): Promise<T> {
  const bindings = c.env as HttpBindings;
  const { incoming } = bindings;
  const query = fieldsOf(queryOf(c).filter(([name]) => !QUERY_ONLY.includes(name)));
  if (mediaTypeOf(incoming) === 'multipart/form-data' && hasBody(incoming)) {
    return files.withWorkFolder(async (folder) => {
      const form = await readMultipart(bindings, {
        folder,
        maxBytes: maxUploadBytes,
        tooLarge: uploadTooLarge(maxUploadBytes),
      });
      return answer({ fields: merged(query, fieldsOf(form.entries)), files: form.files });
    });
  }
  return answer({ fields: merged(query, await readFields(bindings)), files: {} });
}

async function readFields(bindings: HttpBindings): Promise<PlainObject> {
  const text = (await readBody(bindings)).toString('utf8');
  switch (mediaTypeOf(bindings.incoming)) {
    case 'application/x-www-form-urlencoded':
      return fieldsOf([...new URLSearchParams(text)]);
    case 'application/json':
      return fieldsOfJson(text);
    default:
      return {};
  }
}

/** The members of a JSON body. Those of its member `data`, an object or JSON text, stand for themselves, as in a form. */
function fieldsOfJson(text: string): PlainObject {
  if (text.trim() === '') {
    return {};
  }
  const { data, ...fields } = parsePlainObject(text, 'The body');
  if (data === undefined) {
    return fields;
  }
  return merged(fields, fieldsOf([['data', typeof data === 'string' ? data : JSON.stringify(data)]]));
}

function queryOf(c: Context): readonly FormEntry[] {
  return [...new URL(c.req.url).searchParams];
}

function uploadTooLarge(maxBytes: number): HttpError {
  const limit = maxBytes < 1_000_000 ? `${maxBytes} bytes` : `${maxBytes / 1_000_000} MB`;
  return new HttpError(
    413,
    `The upload is larger than ${limit}, which is what this service takes. Leave out what the app does not need, or start the service with a larger --max-upload.`,
  );
}
