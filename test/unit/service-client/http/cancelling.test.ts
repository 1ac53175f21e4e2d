import assert from 'node:assert/strict';
import { Readable } from 'node:stream';

import { CancelledError } from '../../../../src/errors/index.ts';
import { cleanUp, createClient, captureFailure, json, serve, serveRaw } from '../../../support/servers.ts';

describe('canceling a request', () => {
  afterEach(cleanUp);

  it('works before the request, while waiting for the response, while reading it, and on disposal', async () => {
    await captureFailure(CancelledError, createClient({ url: 'http://127.0.0.1:9' }).me(AbortSignal.abort()));
    for (const answer of ['', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{']) {
      const controller = new AbortController();
      const server = await serveRaw((socket) => {
        socket.write(answer);
        setImmediate(() => controller.abort(new Error('secret reason')));
      });
      await captureFailure(CancelledError, createClient(server).me(controller.signal));
    }
    const server = await serveRaw(() => void cleanUp());
    await captureFailure(CancelledError, createClient(server).me());
  });

  it('ends the wait for a connection immediately, and sends nothing', async () => {
    const answers: (() => void)[] = [];
    let allSent = (): void => undefined;
    const sent = new Promise<void>((resolve) => (allSent = resolve));
    const server = await serve((_request, response) => {
      answers.push(() => json(response, {}));
      if (answers.length === 10) {
        allSent();
      }
    });
    const client = createClient(server);
    const first = Array.from({ length: 10 }, (_, index) => client.get(`/first/${index}`));
    await sent;
    const controller = new AbortController();
    const waiting = client.get('/waiting', controller.signal);
    const body = Readable.from(['x']);
    const upload = client.send({ method: 'POST', url: '/upload', body }, controller.signal);
    setImmediate(() => controller.abort());
    await captureFailure(CancelledError, waiting);
    await captureFailure(CancelledError, upload);
    assert.ok(body.destroyed);
    answers.forEach((answer) => answer());
    await Promise.all(first);
    const last = client.get('/last');
    while (answers.length < 11) {
      await new Promise(setImmediate);
    }
    answers.at(-1)?.();
    await last;
    assert.deepEqual(
      server.received.filter((request) => /waiting|upload/.test(request)),
      [],
    );
  });

  it('destroys the rest of a redirected response when the call ends', async () => {
    let left = (): void => undefined;
    const closed = new Promise<void>((resolve) => (left = resolve));
    const server = await serve((request, response) => {
      if (request.url?.startsWith('/from') === true) {
        response.on('close', left);
        response.writeHead(302, { location: '/to' }).write('more to come');
      } else {
        json(response, {});
      }
    });
    await createClient(server).get('/from');
    await closed;
  });
});
