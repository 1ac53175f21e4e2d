import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { createBuilder, untilAborted } from '../../support/builds.ts';
import { startInProcess, type InProcessService } from '../../support/inProcessService.ts';
import { beginUpload, BOUNDARY, call, form, parseAnswer, upload, type Answer } from '../../support/serviceRequests.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="index.html"\r\n\r\n`;
const PAGE = '<!doctype html><title>x</title>';

describe('local service: uploads', () => {
  let service: InProcessService;

  afterEach(() => service.stop());

  /** Opens a connection and sends an incomplete upload. */
  function beginFile(length: number): Socket {
    const socket = beginUpload(service, `Content-Length: ${length}`, 'Connection: close');
    socket.write(HEAD);
    return socket;
  }

  const createApp = (content: string): Promise<Answer> =>
    call(service.baseUrl, `/api/v1/apps?auth_token=${service.authToken}`, upload(content));

  const getFiles = (folder: 'files' | 'work'): Promise<readonly string[]> =>
    readdir(service.service.files.getPath(`../${folder}`));

  /**
   * Sends bytes repeatedly until the service closes the connection.
   * @returns the response
   */
  async function drip(socket: Socket, bytes: string): Promise<Answer> {
    const timer = setInterval(() => socket.writable && socket.write(bytes), 20);
    let answer = '';
    socket.on('data', (piece) => (answer += piece.toString('latin1')));
    // The service may close the connection in any way.
    await new Promise<void>((resolve) => socket.on('error', () => resolve()).once('end', resolve));
    clearInterval(timer);
    socket.destroy();
    return parseAnswer(answer);
  }

  it('ends an upload that takes too long with 408, and keeps no file', async () => {
    service = await startInProcess({ limits: { headersTimeoutMs: 200, requestTimeoutMs: 300 } });
    const answer = await drip(beginFile(10_000_000), 'x'.repeat(100));
    assert.equal(answer.status, 408);
    assert.deepEqual(answer.json, { error: 'The request took too long to arrive.' });
    await waitUntil(async () => (await getFiles('work')).length === 0);
    assert.deepEqual(service.reports, []);
  });

  it('closes a connection whose client keeps sending slowly after the response', async () => {
    service = await startInProcess({ limits: { headersTimeoutMs: 1_000, requestTimeoutMs: 1_000 } });
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    // The service doesn't read the body of a GET.
    socket.write(`GET /sign-in HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 1000000\r\n\r\n`);
    const answer = await drip(socket, 'x');
    assert.equal(answer.status, 200);
    assert.doesNotMatch(answer.text, /HTTP\/1\.1/);
  });

  it('responds to a client that keeps sending after a rejection', async () => {
    service = await startInProcess({ maxUploadBytes: 200_000 });
    const socket = beginUpload(service, 'Transfer-Encoding: chunked');
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const send = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', send).on('error', () => undefined);
    send();
    const [piece] = (await once(socket, 'data')) as [Buffer];
    assert.match(piece.toString(), /^HTTP\/1\.1 413 /);
    // The service then closes the connection, with or without an error on this side.
    await new Promise((resolve) => socket.once('close', resolve));
  });

  it('continues an upload on request (Expect: 100-continue) unless it’s too large', async () => {
    service = await startInProcess();
    const { body } = upload(PAGE);
    const socket = beginUpload(service, 'Expect: 100-continue', `Content-Length: ${body.length}`, 'Connection: close');
    const [first] = (await once(socket, 'data')) as [Buffer];
    assert.equal(first.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    assert.equal(parseAnswer(await text(socket)).status, 201);
    const refused = beginUpload(service, 'Expect: 100-continue', 'Content-Length: 10000000000');
    assert.match(await text(refused), /^HTTP\/1\.1 413 /);
  });

  it('removes an incomplete upload when the client disconnects', async () => {
    service = await startInProcess();
    const preamble = beginUpload.bind(undefined, service, 'Content-Length: 100000');
    for (const [begin, end] of [
      [() => beginFile(100_000), 'destroy'],
      [() => beginFile(100_000), 'end'],
      [preamble, 'destroy'],
    ] as const) {
      const socket = begin();
      socket.write('x'.repeat(40_000));
      await waitUntil(async () => (await getFiles('work')).length > 0);
      socket.on('error', () => undefined)[end]();
      await waitUntil(async () => (await getFiles('work')).length === 0);
      socket.destroy();
    }
    assert.deepEqual(service.reports, []);
  });

  it('doesn’t keep files of an upload if its app is deleted in the meantime', async () => {
    // These builds leave no files.
    service = await startInProcess({ builder: createBuilder(untilAborted) });
    const { json } = await createApp(PAGE);
    const path = `/api/v1/apps/${(json as { id: number }).id}?auth_token=${service.authToken}`;
    const { headers, body } = upload(PAGE);
    const sent = request(new URL(path, service.baseUrl), {
      method: 'PUT',
      headers: { ...headers, 'Content-Length': body.length, Expect: '100-continue' },
    });
    sent.flushHeaders();
    // The service has looked up the app, and waits for the body.
    await once(sent, 'continue');
    assert.equal((await call(service.baseUrl, path, { method: 'DELETE' })).status, 202);
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 404);
    await waitUntil(async () => (await getFiles('files')).length === 0);
    assert.deepEqual(service.reports, []);
  });

  it('responds with 507 when the database is full, keeps no file, and works again when space is available', async () => {
    // These builds don't create or remove files while the test reads them.
    service = await startInProcess({ builder: createBuilder(untilAborted) });
    const path = `/api/v1/apps?auth_token=${service.authToken}`;
    const before = await call(service.baseUrl, path);
    service.fillDisk(true);
    // The database accepts writes that fit into its existing pages.
    let refused: Answer;
    let taken = 0;
    do {
      refused = await createApp(`${PAGE}page number ${taken}.`);
      taken += refused.status === 201 ? 1 : 0;
    } while (refused.status === 201);
    assert.equal(refused.status, 507);
    assert.deepEqual(refused.json, {
      error: 'The service’s disk is full, so nothing was changed. Free some space and try again.',
    });
    const key = await call(service.baseUrl, `/authorize`, form({ client_id: 'x' }));
    assert.equal(key.status, 401);
    const during = await call(service.baseUrl, path);
    assert.equal(appsIn(during), appsIn(before) + taken);
    const kept = (await getFiles('files')).map((name) => readFile(service.service.files.getPath(name), 'utf8'));
    assert.ok((await Promise.all(kept)).every((content) => !content.includes(`page number ${taken}.`)));
    assert.match(service.reports.join('\n'), /^POST \/api\/v1\/apps: .*\(database or disk is full\)\.$/m);
    assert.doesNotMatch(service.reports.join('\n'), /auth_token/);
    service.fillDisk(false);
    assert.equal((await createApp(PAGE)).status, 201);
    assert.equal(appsIn(await call(service.baseUrl, path)), appsIn(before) + taken + 1);
  });
});

function appsIn({ json }: Answer): number {
  return (json as { readonly apps: readonly unknown[] }).apps.length;
}
