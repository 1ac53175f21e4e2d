/** A server whose one route reads requests as those of the local service do, and remembers what they asked for. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { readdir, readFile, stat } from 'node:fs/promises';

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

import { failureAnswers } from '../../src/localService/http/failures.ts';
import { withReceivedRequest, type ReceivedRequest } from '../../src/localService/http/receivedRequest.ts';
import { createService } from '../../src/localService/service.ts';
import { openDatabase } from '../../src/localService/store/database.ts';
import { Store } from '../../src/localService/store/store.ts';
import { demoBuilder } from '../../src/localService/builds/demoBuilder.ts';
import { listen } from './listen.ts';
import type { Certificate } from './certificates.ts';

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
  let waiting: { readonly resolve: (received: Received) => void; readonly reject: (error: unknown) => void }[] = [];
  const settle = (tell: (one: (typeof waiting)[number]) => void): void => {
    waiting.forEach(tell);
    waiting = [];
  };
  const app = new Hono();
  app.onError(failureAnswers(report));
  app.all('*', async (c) => {
    try {
      let received: Received = { fields: {}, files: {} };
      await withReceivedRequest(c, service, async (request) => {
        received = await read(request);
      });
      settle(({ resolve }) => resolve(received));
      return c.json({});
    } catch (error) {
      settle(({ reject }) => reject(error));
      throw error;
    }
  });
  const handle = getRequestListener(app.fetch);
  const server = certificate === undefined ? createServer() : createSecureServer(certificate);
  for (const event of ['request', 'checkContinue']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => void handle(request, response));
  }
  const { port, close } = await listen(server);
  return {
    baseUrl: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    next: () => new Promise((resolve, reject) => waiting.push({ resolve, reject })),
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
