import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { serviceOfTests } from '../../support/hooks.ts';
import { startInProcess } from '../../support/inProcessService.ts';
import { openReceiver, type Receiver } from '../../support/receiver.ts';
import { beginUpload, BOUNDARY, MULTIPART, parseAnswer, type Answer } from '../../support/serviceRequests.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const URLENCODED = 'application/x-www-form-urlencoded';

/** Small, so that little has to be sent. */
const MAX_UPLOAD_BYTES = 200_000;
const TOO_LARGE = {
  error:
    'The upload is larger than 200000 bytes, which is what this service takes. Leave out what the app does not need, or start the service with a larger --max-upload.',
};

describe('local service: requests that it does not take', () => {
  let receiver: Receiver;

  before(async () => {
    receiver = await openReceiver({ maxUploadBytes: MAX_UPLOAD_BYTES });
  });
  after(() => receiver.stop());
  // Whatever a request was, nothing of it stays.
  afterEach(async () => {
    assert.deepEqual(await receiver.workFolders(), []);
    assert.deepEqual(receiver.reports, []);
  });

  const post = async (type: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    (await receiver.post('', { 'Content-Type': type, ...headers }, body)).answer;

  const REFUSED: readonly (readonly [what: string, type: string, body: string, error: string])[] = [
    ['malformed JSON in data', URLENCODED, 'data={', 'The field data is malformed JSON.'],
    ['a list in data', URLENCODED, 'data=[1]', 'The field data must be a JSON object.'],
    ['a malformed JSON body', 'application/json', '{"a":', 'The body is malformed JSON.'],
    ['a JSON body that is no object', 'application/json', '"x"', 'The body must be a JSON object.'],
    ['a form without a boundary', 'multipart/form-data', 'x', 'The form in the body is malformed.'],
    [
      'a form that ends in a file',
      MULTIPART,
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nx`,
      'The form in the body is malformed.',
    ],
    [
      'a part without a name',
      MULTIPART,
      `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--`,
      'The form in the body is malformed.',
    ],
  ];

  for (const [what, type, body, error] of REFUSED) {
    it(`refuses ${what}`, async () => {
      const answer = await post(type, body);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(answer.json, { error });
    });
  }

  it('takes files up to the limit, and not a byte more', async () => {
    const most = await post(MULTIPART, form(file('a', MAX_UPLOAD_BYTES / 2), file('b', MAX_UPLOAD_BYTES / 2)));
    assert.equal(most.status, 200, most.text);
    for (const body of [
      form(file('a', MAX_UPLOAD_BYTES + 1)),
      form(file('a', MAX_UPLOAD_BYTES / 2), file('b', MAX_UPLOAD_BYTES / 2 + 1)),
    ]) {
      for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
        const answer = await post(MULTIPART, body, headers);
        assert.equal(answer.status, 413);
        assert.deepEqual(answer.json, TOO_LARGE);
      }
    }
  });

  it('refuses fields that are too large or too many, and too many files', async () => {
    const most = 'x'.repeat(256 * 1024);
    const halves = form(field('a', most.slice(1000)), field('b', 'x'.repeat(2000)), file('c', 10));
    const numbers = [...Array(501).keys()];
    for (const [type, body, status, error] of [
      [URLENCODED, `a=${most}`, 413, 'The body is larger than 262144 bytes.'],
      ['application/json', `{"a":"${most}"}`, 413, 'The body is larger than 262144 bytes.'],
      ['text/plain', `${most}x`, 413, 'The body is larger than 262144 bytes.'],
      [MULTIPART, form(field('a', `${most}x`)), 413, 'The body is larger than 262144 bytes.'],
      [MULTIPART, halves, 413, 'The body is larger than 262144 bytes.'],
      [MULTIPART, form(field('x'.repeat(10_000), most.slice(9_000))), 413, 'The body is larger than 262144 bytes.'],
      [MULTIPART, form(...numbers.map((n) => field(`f${n}`, ''))), 400, 'The form has too many fields or files.'],
      [MULTIPART, form(...numbers.map((n) => file(`f${n}`, 1))), 400, 'The form has too many fields or files.'],
    ] as const) {
      const answer = await post(type, body);
      assert.deepEqual([answer.status, answer.json], [status, { error }], body.slice(0, 100));
    }
  });
});

describe('local service: uploads that it does not take', () => {
  const service = serviceOfTests(() => startInProcess({ maxUploadBytes: MAX_UPLOAD_BYTES }));

  const workFolders = (): Promise<readonly string[]> => readdir(service.service.files.pathOf('../work'));

  it('answers a client that goes on to send what is refused', async () => {
    const socket = beginUpload(service, 'Transfer-Encoding: chunked');
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const send = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', send).on('error', () => undefined);
    send();
    const [piece] = (await once(socket, 'data')) as [Buffer];
    assert.match(piece.toString(), /^HTTP\/1\.1 413 /);
    // Then the service closes the connection, with or without an error on this side.
    await new Promise((resolve) => socket.once('close', resolve));
  });

  it('asks a client that waits for it (Expect: 100-continue) to send an upload, but not one that is too large', async () => {
    const body = form(field('create_method', 'file'), file('file', 10, '<!doctype html>'));
    const socket = beginUpload(service, 'Expect: 100-continue', `Content-Length: ${body.length}`, 'Connection: close');
    const [first] = (await once(socket, 'data')) as [Buffer];
    assert.equal(first.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    assert.equal(parseAnswer(await text(socket)).status, 201);
    const refused = beginUpload(service, 'Expect: 100-continue', 'Content-Length: 10000000000');
    assert.match(await text(refused), /^HTTP\/1\.1 413 /);
  });

  it('removes what has arrived of an upload whose client goes', async () => {
    for (const end of ['destroy', 'end'] as const) {
      const socket = beginUpload(service, 'Content-Length: 100000');
      socket.write(form(file('a', 50_000)).slice(0, 40_000));
      await waitUntil(async () => (await workFolders()).length > 0);
      socket.on('error', () => undefined)[end]();
      await waitUntil(async () => (await workFolders()).length === 0);
      socket.destroy();
    }
    assert.deepEqual(service.reports, []);
  });
});

function form(...parts: readonly string[]): string {
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

function field(name: string, value: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

function file(name: string, size: number, start = ''): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.zip"\r\n\r\n${start}${'x'.repeat(size)}\r\n`;
}
