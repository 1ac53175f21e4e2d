/** A server whose one route reads requests as those of the local service do, and remembers what they asked for. */
import { EventEmitter, once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

import { failureAnswers } from '../../src/localService/http/failures.ts';
import { withReceivedRequest, type ReceivedRequest } from '../../src/localService/http/receivedRequest.ts';
import { createService } from '../../src/localService/service.ts';
import { openDatabase } from '../../src/localService/store/database.ts';
import { Store } from '../../src/localService/store/store.ts';
import { demoBuilder } from '../../src/localService/builds/demoBuilder.ts';
import type { Certificate } from './certificates.ts';
import { serve } from './servers.ts';

/** What a request asked for, its files as they were on the disk. */
export interface Received {
  readonly fields: ReceivedRequest['fields'];
  readonly files: Readonly<
    Record<string, { readonly fileName: string; readonly size: number; readonly bytes: Buffer; readonly mode: number }>
  >;
}

export interface ReceivingServer {
  readonly baseUrl: string;
  readonly port: number;
  /** Resolves when the next request has been read, or rejects with the reason why it could not be. */
  readonly next: () => Promise<Received>;
  /** Names in the folder where files arrive. */
  readonly workFolders: () => Promise<readonly string[]>;
  readonly reports: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts it. Every path answers `{}` to what could be read. */
export async function startReceivingServer({
  maxUploadBytes,
  certificate,
}: { readonly maxUploadBytes?: number; readonly certificate?: Certificate } = {}): Promise<ReceivingServer> {
  const reports: string[] = [];
  const report = (line: string): void => void reports.push(line);
  const store = new Store(openDatabase(undefined, report));
  const service = createService({ store, dataFolder: undefined, builder: demoBuilder, report, maxUploadBytes });
  // `once` resolves with the next of `received`, and rejects with the next `error`; nobody may be waiting.
  const arrivals = new EventEmitter().on('error', () => undefined);
  const app = new Hono();
  app.onError(failureAnswers(report));
  app.all('*', async (c) => {
    try {
      let received: Received = { fields: {}, files: {} };
      await withReceivedRequest(c, service, async (request) => {
        received = await read(request);
      });
      arrivals.emit('received', received);
      return c.json({});
    } catch (error) {
      arrivals.emit('error', error);
      throw error;
    }
  });
  const handle = getRequestListener(app.fetch);
  const { url, port, server, close } = await serve(handle, certificate);
  server.on('checkContinue', handle);
  return {
    baseUrl: url,
    port,
    next: async () => ((await once(arrivals, 'received')) as [Received])[0],
    workFolders: () => readdir(service.files.pathOf('../work')),
    reports,
    stop: async () => {
      await close();
      await service.close();
    },
  };
}

async function read({ fields, files }: ReceivedRequest): Promise<Received> {
  const entries = Object.entries(files).map(async ([name, { path, fileName, size }]) => {
    const { mode } = await stat(path);
    return [name, { fileName, size, bytes: await readFile(path), mode: mode & 0o777 }] as const;
  });
  return { fields, files: Object.fromEntries(await Promise.all(entries)) };
}
