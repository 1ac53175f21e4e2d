/** A server that sends the answer it was given last. It runs in a thread of its own: its work is not the client's. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

import type { Answer } from './hostileAnswers.ts';

export class AnswerServer {
  readonly url: string;
  readonly #worker: Worker;

  private constructor(worker: Worker, port: number) {
    this.#worker = worker;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<AnswerServer> {
    const worker = new Worker(fileURLToPath(import.meta.url));
    const [port] = (await once(worker, 'message')) as [number];
    return new AnswerServer(worker, port);
  }

  /** Every request is answered with this from now on. */
  async answer(answer: Answer): Promise<void> {
    this.#worker.postMessage(answer);
    await once(this.#worker, 'message');
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

function serve(port: NonNullable<typeof parentPort>): void {
  let answer: { readonly body: Buffer; readonly headers: Answer['headers'] } = { body: Buffer.alloc(0), headers: {} };
  const server = createServer((_request, response) => {
    response.writeHead(200, { ...answer.headers, 'content-length': answer.body.length }).end(answer.body);
  });
  port.on('message', ({ body, headers }: Answer) => {
    answer = { body: Buffer.from(body), headers };
    port.postMessage('ready');
  });
  server.listen(0, '127.0.0.1', () => port.postMessage((server.address() as AddressInfo).port));
}

if (!isMainThread && parentPort !== null) {
  serve(parentPort);
}
