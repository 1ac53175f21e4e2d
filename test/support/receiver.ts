/** An app whose one route reads requests as those of the local service do, and remembers what they asked for. */
import { readdir, readFile, stat } from 'node:fs/promises';

import { Hono } from 'hono';

import { failureAnswers } from '../../src/localService/http/errors.ts';
import { withReceivedRequest, type ReceivedRequest } from '../../src/localService/http/receivedRequest.ts';
import { fetchFrom } from './inProcessFetch.ts';
import { openInProcess } from './inProcessService.ts';
import { answerOf, type Answer } from './serviceRequests.ts';

/** What a request asked for, its files as they were on the disk. */
export interface Received {
  readonly fields: ReceivedRequest['fields'];
  readonly files: Readonly<
    Record<string, { readonly fileName: string; readonly size: number; readonly bytes: Buffer; readonly mode: number }>
  >;
}

export interface Receiver {
  /** Sends a request. `received` is `undefined` when it could not be read. */
  readonly post: (
    query: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ) => Promise<{ readonly answer: Answer; readonly received: Received | undefined }>;
  /** Names in the folder where files arrive. */
  readonly workFolders: () => Promise<readonly string[]>;
  readonly reports: readonly string[];
  readonly stop: () => Promise<void>;
}

export async function openReceiver(options: { readonly maxUploadBytes?: number } = {}): Promise<Receiver> {
  const { service, reports, stop } = await openInProcess(options);
  let received: Received | undefined;
  const app = new Hono();
  app.onError(failureAnswers(service.report));
  app.post('*', (c) =>
    withReceivedRequest(c, service, async (request) => {
      received = await read(request);
      return c.json({});
    }),
  );
  const send = fetchFrom(app);
  return {
    post: async (query, headers, body) => {
      received = undefined;
      const url = new URL(`http://127.0.0.1/${query}`);
      const answer = await answerOf(await send(url, { method: 'POST', headers, body: body ?? null }));
      return { answer, received };
    },
    workFolders: () => readdir(service.files.pathOf('../work')),
    reports,
    stop,
  };
}

async function read({ fields, files }: ReceivedRequest): Promise<Received> {
  const entries = Object.entries(files).map(async ([name, { path, fileName, size }]) => {
    const { mode } = await stat(path);
    return [name, { fileName, size, bytes: await readFile(path), mode: mode & 0o777 }] as const;
  });
  return { fields, files: Object.fromEntries(await Promise.all(entries)) };
}
