import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';

import { Hono } from 'hono';

import { failureAnswers } from '../../../../src/build-service/http/errors.ts';
import { withReceivedRequest, type ReceivedRequest } from '../../../../src/build-service/http/receivedRequest.ts';
import { fetchFrom, type Fetch } from '../../../support/inProcessFetch.ts';
import { openInProcess, type OpenedService } from '../../../support/inProcessService.ts';
import { readAnswer, type Answer } from '../../../support/serviceRequests.ts';

const TOO_LARGE = {
  error:
    'The upload is larger than 0.2 MB, the limit of this service. Remove files that the app doesn’t need, or start the service with a larger --max-upload.',
};

/** Request as a client sends it, and its expected content. */
interface Form {
  readonly client: string;
  readonly query?: string;
  readonly type?: string;
  readonly body?: string;
  readonly fields?: object;
  /** File name and text, by the name of the field. */
  readonly files?: Readonly<Record<string, readonly [fileName: string, text: string]>>;
}

const URLENCODED = 'application/x-www-form-urlencoded';
const PGBAPI = 'multipart/form-data; boundary=----pgbapi';
const BOUNDARY = '--------------------------671904178237466172911045';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** Part of a form: the head after `form-data; `, and the text. */
type Part = readonly [head: string, text: string];

/** Returns the head of a part with a file. */
const fileHead = (names: string, type = 'application/octet-stream'): string => `${names}\r\nContent-Type: ${type}`;

function multipart(parts: readonly Part[], boundary = BOUNDARY): string {
  const texts = parts.map(
    ([head, text]) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`,
  );
  return `${texts.join('')}--${boundary}--\r\n`;
}

const field = (name: string, value: string): Part => [`name="${name}"`, value];
const file = (name: string, size: number): Part => [
  fileHead(`name="${name}"; filename="${name}.zip"`),
  'x'.repeat(size),
];

/** Forms of the original service's clients, as sent. */
const FORMS: readonly Form[] = [
  {
    client: 'phonegap-build-api: data and a file',
    query: '?auth_token=secret',
    type: MULTIPART,
    body: multipart([
      ['name="data"', '{"title":"Hello","create_method":"file"}'],
      [fileHead('name="file"; filename="www.zip"', 'application/zip'), 'PK\r\n--not the boundary'],
    ]),
    fields: { title: 'Hello', create_method: 'file' },
    files: { file: ['www.zip', 'PK\r\n--not the boundary'] },
  },
  { client: 'phonegap-build-api: no body', query: '?auth_token=secret' },
  {
    client: 'pgb-api: flat fields, heads that end in a semicolon, a file',
    type: PGBAPI,
    body: multipart(
      [
        ['name="keys";', '{"android":"1"}'],
        ['name="ignore";', ''],
        ['name="debug";', 'true'],
        [fileHead('name="file"; filename="app.zip"'), 'PK'],
      ],
      '----pgbapi',
    ),
    fields: { keys: '{"android":"1"}', ignore: '', debug: 'true' },
    files: { file: ['app.zip', 'PK'] },
  },
  { client: 'pgb-api: no fields', type: PGBAPI, body: multipart([], '----pgbapi') },
  {
    client: 'grunt-phonegap-build: nested names',
    query: '?auth_token=secret',
    type: URLENCODED,
    body: 'data[key_pw]=a&data%5Bkeystore_pw%5D=b&data[keys][android]=7&data[platforms][]=ios&data[platforms][]=android',
    fields: { key_pw: 'a', keystore_pw: 'b', keys: { android: '7' }, platforms: ['ios', 'android'] },
  },
  {
    client: 'grunt-phonegap-build: a binary part, and no line end after the last boundary',
    type: MULTIPART,
    body: multipart([
      [`${fileHead('name="file"; filename="app.zip"', 'application/zip')}\r\nContent-Transfer-Encoding: binary`, 'PK'],
    ]).trimEnd(),
    files: { file: ['app.zip', 'PK'] },
  },
  {
    client: 'gulp-phonegap-build: nested names in parts',
    type: MULTIPART,
    body: multipart([['name="data[title]"', 'Größe']]).trimEnd(),
    fields: { title: 'Größe' },
  },
  { client: 'curl -d data=', type: URLENCODED, body: 'data={"pull":"true"}', fields: { pull: 'true' } },
  {
    client: 'curl -F data=@file',
    type: MULTIPART,
    body: multipart([[fileHead('name="data"; filename="data.json"'), '{"title":"x"}']]),
    fields: { title: 'x' },
  },
  {
    client: 'phonegap-build (Java): a data part with a type, a file before it, names without quotes',
    type: MULTIPART,
    body: multipart([
      [fileHead('name=keystore; filename=../../etc/größe.jks'), 'FEED'],
      [fileHead('name=data', 'application/json; charset=UTF-8'), '{"title":"k","default":"true"}'],
    ]),
    fields: { title: 'k', default: 'true' },
    files: { keystore: ['größe.jks', 'FEED'] },
  },
  {
    client: 'a form from a browser without a selected file',
    type: MULTIPART,
    body: multipart([[fileHead('name="file"; filename=""'), '']]),
  },
  {
    client: 'a JSON body',
    type: 'application/json; charset=utf-8',
    body: '{"title":"x","debug":true,"keys":{"ios":1}}',
    fields: { title: 'x', debug: true, keys: { ios: 1 } },
  },
  { client: 'an empty JSON body', type: 'application/json' },
  {
    client: 'a query',
    query: '?pull=true&data[tag]=v1&access_token=s&callback=f',
    fields: { pull: 'true', tag: 'v1' },
  },
  {
    client: 'a name with more levels than any client uses',
    type: URLENCODED,
    body: 'a[b][c][d][e]=1',
    fields: { 'a[b][c][d][e]': '1' },
  },
  { client: 'an empty data field', type: URLENCODED, body: 'data=&pull=true', fields: { pull: 'true' } },
  { client: 'a body of an unknown type', type: 'text/plain', body: 'title=x' },
];

/** Small limit, so that the tests send little data. */
const MAX_UPLOAD_BYTES = 200_000;

/** Content of a request, with its files as stored. */
interface Received {
  readonly fields: ReceivedRequest['fields'];
  readonly files: readonly (readonly [name: string, fileName: string, text: string, size: number])[];
  readonly modes: readonly number[];
}

async function read({ fields, files }: ReceivedRequest): Promise<Received> {
  const entries = Object.entries(files);
  return {
    fields,
    files: await Promise.all(
      entries.map(
        async ([name, { path, fileName, size }]) => [name, fileName, await readFile(path, 'utf8'), size] as const,
      ),
    ),
    modes: await Promise.all(entries.map(async ([, { path }]) => (await stat(path)).mode & 0o777)),
  };
}

describe('local service: reading a request', () => {
  let opened: OpenedService;
  let send: Fetch;
  let received: Received | undefined;

  before(async () => {
    opened = await openInProcess({ maxUploadBytes: MAX_UPLOAD_BYTES });
    const { service } = opened;
    const app = new Hono();
    app.onError(failureAnswers(service.report));
    app.post('*', (c) =>
      withReceivedRequest(c, service, async (request) => {
        received = await read(request);
        return c.json({});
      }),
    );
    send = fetchFrom(app);
  });
  // No request leaves any files.
  afterEach(async () => {
    assert.deepEqual(await readdir(opened.service.files.getPath('../work')), []);
    assert.deepEqual(opened.reports, []);
  });
  after(() => opened.stop());

  const post = async (
    query: string,
    type?: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const all = { ...headers, ...(type !== undefined && { 'Content-Type': type }) };
    const url = new URL(`http://127.0.0.1/${query}`);
    return readAnswer(await send(url, { method: 'POST', headers: all, body: body ?? null }));
  };

  /**
   * Sends a request.
   * @returns the content that was read
   */
  const receive = async (query: string, type?: string, body?: string): Promise<Received> => {
    received = undefined;
    const answer = await post(query, type, body);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(received);
    return received;
  };

  for (const { client, query = '', type, body, fields = {}, files = {} } of FORMS) {
    it(`reads ${client}`, async () => {
      const request = await receive(query, type, body);
      assert.deepEqual(structuredClone(request.fields), fields);
      assert.deepEqual(
        request.files,
        Object.entries(files).map(([name, [fileName, text]]) => [name, fileName, text, Buffer.byteLength(text)]),
      );
      assert.equal(Object.getPrototypeOf(request.fields), null);
    });
  }

  it('prefers JSON to nested names, nested names to flat names, and the body to the query', async () => {
    const body = 'data={"a":"json"}&data[a]=nested&a=flat&data[b]=nested&b=flat&c=flat&c=later';
    const { fields } = await receive('?a=query&b=query&c=query&d=query', URLENCODED, body);
    assert.deepEqual({ ...fields }, { a: 'json', b: 'nested', c: 'later', d: 'query' });
  });

  it('writes files that only their owner can read', async () => {
    const { modes } = await receive('', MULTIPART, FORMS[0]?.body);
    assert.deepEqual(modes, [process.platform === 'win32' ? 0o666 : 0o600]);
  });

  const REFUSED: readonly (readonly [what: string, type: string, body: string, error: string])[] = [
    ['malformed JSON in data', URLENCODED, 'data={', 'The field data isn’t valid JSON.'],
    ['a list in data', URLENCODED, 'data=[1]', 'The field data must be a JSON object.'],
    ['a malformed JSON body', 'application/json', '{"a":', 'The body isn’t valid JSON.'],
    ['a JSON body that isn’t an object', 'application/json', '"x"', 'The body must be a JSON object.'],
    ['a form without a boundary', 'multipart/form-data', 'x', 'The form in the body is malformed.'],
    ...['boundary=', 'boundary=""', 'charset=x; boundary=; charset=y'].map(
      (boundary) =>
        [
          `a form with an empty boundary, as in ${boundary}`,
          `multipart/form-data; ${boundary}`,
          '--\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n----\r\n',
          'The form in the body is malformed.',
        ] as const,
    ),
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
    it(`rejects ${what}`, async () => {
      const answer = await post('', type, body);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(answer.json, { error });
    });
  }

  it('accepts files up to the limit, and fields in addition', async () => {
    const half = MAX_UPLOAD_BYTES / 2;
    const most = await post('', MULTIPART, multipart([file('a', half), file('b', half), field('c', 'x')]));
    assert.equal(most.status, 200, most.text);
    const body = multipart([file('a', half), file('b', half + 256 * 1024)]);
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const answer = await post('', MULTIPART, body, headers);
      assert.deepEqual([answer.status, answer.json], [413, TOO_LARGE]);
    }
  });

  it('rejects fields that are too large, and too many fields or files', async () => {
    const most = 'x'.repeat(256 * 1024);
    const halves = multipart([field('a', most.slice(1000)), field('b', 'x'.repeat(2000)), file('c', 10)]);
    const numbers = [...Array(501).keys()];
    for (const [type, body, status, error] of [
      [URLENCODED, `a=${most}`, 413, 'The body is larger than 262144 bytes.'],
      ['application/json', `{"a":"${most}"}`, 413, 'The body is larger than 262144 bytes.'],
      ['text/plain', `${most}x`, 413, 'The body is larger than 262144 bytes.'],
      [MULTIPART, multipart([field('a', `${most}x`)]), 413, 'The body is larger than 262144 bytes.'],
      [MULTIPART, halves, 413, 'The body is larger than 262144 bytes.'],
      [
        MULTIPART,
        multipart([field('x'.repeat(10_000), most.slice(9_000))]),
        413,
        'The body is larger than 262144 bytes.',
      ],
      [
        MULTIPART,
        multipart([...numbers.map((n) => field(`f${n}`, ''))]),
        400,
        'The form has too many fields or files.',
      ],
      [MULTIPART, multipart([...numbers.map((n) => file(`f${n}`, 1))]), 400, 'The form has too many fields or files.'],
    ] as const) {
      const answer = await post('', type, body);
      assert.deepEqual([answer.status, answer.json], [status, { error }], body.slice(0, 100));
    }
  });
});
