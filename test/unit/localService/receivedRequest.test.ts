import assert from 'node:assert/strict';

import fc from 'fast-check';

import { openReceiver, type Received, type Receiver } from '../../support/receiver.ts';

/** A request as a client writes it, and what it asks for. */
interface Form {
  readonly client: string;
  readonly query?: string;
  readonly type?: string;
  readonly body?: string;
  readonly fields?: object;
  /** Name of the file and its text, by the name of the field. */
  readonly files?: Readonly<Record<string, readonly [fileName: string, text: string]>>;
}

/** `lines` with the line ends of HTTP. */
const http = (...lines: readonly string[]): string => lines.join('\r\n');

const URLENCODED = 'application/x-www-form-urlencoded';
const PGBAPI = 'multipart/form-data; boundary=----pgbapi';
const BOUNDARY = '--------------------------671904178237466172911045';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** The forms of the clients of the original service, as they were on the wire. */
const FORMS: readonly Form[] = [
  {
    client: 'phonegap-build-api: data and a file',
    query: '?auth_token=secret',
    type: MULTIPART,
    body: http(
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name="data"',
      '',
      '{"title":"Hello","create_method":"file"}',
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name="file"; filename="www.zip"',
      'Content-Type: application/zip',
      '',
      'PK\r\n--not the boundary',
      `--${BOUNDARY}--`,
      '',
    ),
    fields: { title: 'Hello', create_method: 'file' },
    files: { file: ['www.zip', 'PK\r\n--not the boundary'] },
  },
  {
    client: 'phonegap-build-api: data without a file',
    query: '?auth_token=secret',
    type: MULTIPART,
    body: http(
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name="data"',
      '',
      '{"platforms":["android"]}',
      `--${BOUNDARY}--`,
      '',
    ),
    fields: { platforms: ['android'] },
  },
  { client: 'phonegap-build-api: no body', query: '?auth_token=secret' },
  {
    client: 'pgb-api: flat fields, heads that end in a semicolon, a file',
    type: PGBAPI,
    body: http(
      '------pgbapi',
      'Content-Disposition: form-data; name="keys";',
      '',
      '{"android":"1"}',
      '------pgbapi',
      'Content-Disposition: form-data; name="ignore";',
      '',
      '',
      '------pgbapi',
      'Content-Disposition: form-data; name="debug";',
      '',
      'true',
      '------pgbapi',
      'Content-Disposition: form-data; name="file"; filename="app.zip"',
      'Content-Type: application/octet-stream',
      '',
      'PK',
      '------pgbapi--',
      '',
    ),
    fields: { keys: '{"android":"1"}', ignore: '', debug: 'true' },
    files: { file: ['app.zip', 'PK'] },
  },
  { client: 'pgb-api: no fields', type: PGBAPI, body: '------pgbapi--\r\n' },
  {
    client: 'pgb-cli: data with a semicolon',
    type: PGBAPI,
    body: http(
      '------pgbapi',
      'Content-Disposition: form-data; name="data";',
      '',
      '{"key_pw":"a","keystore_pw":"b"}',
      '------pgbapi--',
      '',
    ),
    fields: { key_pw: 'a', keystore_pw: 'b' },
  },
  {
    client: 'grunt-phonegap-build: nested names',
    query: '?auth_token=secret',
    type: URLENCODED,
    body: 'data[key_pw]=a&data%5Bkeystore_pw%5D=b&data[keys][android]=7&data[platforms][]=ios&data[platforms][]=android',
    fields: { key_pw: 'a', keystore_pw: 'b', keys: { android: '7' }, platforms: ['ios', 'android'] },
  },
  {
    client: 'grunt-phonegap-build: a binary part',
    type: MULTIPART,
    body: http(
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name="file"; filename="app.zip"',
      'Content-Type: application/zip',
      'Content-Transfer-Encoding: binary',
      '',
      'PK',
      `--${BOUNDARY}--`,
    ),
    files: { file: ['app.zip', 'PK'] },
  },
  {
    client: 'gulp-phonegap-build: nested names in parts',
    type: MULTIPART,
    body: http(`--${BOUNDARY}`, 'Content-Disposition: form-data; name="data[title]"', '', 'Größe', `--${BOUNDARY}--`),
    fields: { title: 'Größe' },
  },
  { client: 'curl -d data=', type: URLENCODED, body: 'data={"pull":"true"}', fields: { pull: 'true' } },
  {
    client: 'curl -F data=@file',
    type: MULTIPART,
    body: http(
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name="data"; filename="data.json"',
      'Content-Type: application/octet-stream',
      '',
      '{"title":"x"}',
      `--${BOUNDARY}--`,
    ),
    fields: { title: 'x' },
  },
  {
    client: 'phonegap-build (Java): a data part with a type, a file before it, names without quotes',
    type: MULTIPART,
    body: http(
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name=keystore; filename=../../etc/größe.jks',
      'Content-Type: application/octet-stream',
      '',
      'FEED',
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name=data',
      'Content-Type: application/json; charset=UTF-8',
      '',
      '{"title":"k","default":"true"}',
      `--${BOUNDARY}--`,
      '',
    ),
    fields: { title: 'k', default: 'true' },
    files: { keystore: ['größe.jks', 'FEED'] },
  },
  {
    client: 'a browser in which no file was chosen',
    type: MULTIPART,
    body: http(
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name="file"; filename=""',
      'Content-Type: application/octet-stream',
      '',
      '',
      `--${BOUNDARY}--`,
    ),
  },
  {
    client: 'a JSON body',
    type: 'application/json; charset=utf-8',
    body: '{"title":"x","debug":true,"keys":{"ios":1}}',
    fields: { title: 'x', debug: true, keys: { ios: 1 } },
  },
  { client: 'a JSON body with data', type: 'application/json', body: '{"data":{"title":"x"}}', fields: { title: 'x' } },
  { client: 'an empty JSON body', type: 'application/json' },
  {
    client: 'a query',
    query: '?pull=true&data[tag]=v1&access_token=s&callback=f',
    fields: { pull: 'true', tag: 'v1' },
  },
  { client: 'an empty data field', type: URLENCODED, body: 'data=&pull=true', fields: { pull: 'true' } },
  { client: 'a body of an unknown type', type: 'text/plain', body: 'title=x' },
];

describe('local service: what a request asks for', () => {
  let receiver: Receiver;

  before(async () => {
    receiver = await openReceiver();
  });
  after(() => receiver.stop());

  /** Sends a request. @returns what was read */
  async function receive(query: string, type?: string, body?: string): Promise<Received> {
    const { answer, received } = await receiver.post(query, type === undefined ? {} : { 'Content-Type': type }, body);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(received);
    return received;
  }

  for (const { client, query = '', type, body, fields = {}, files = {} } of FORMS) {
    it(`understands ${client}`, async () => {
      const received = await receive(query, type, body);
      assert.deepEqual(structuredClone(received.fields), fields);
      assert.deepEqual(
        Object.entries(received.files).map(([name, file]) => [name, file.fileName, file.bytes.toString(), file.size]),
        Object.entries(files).map(([name, [fileName, text]]) => [name, fileName, text, Buffer.byteLength(text)]),
      );
      assert.equal(Object.getPrototypeOf(received.fields), null);
      assert.deepEqual(await receiver.workFolders(), []);
    });
  }

  it('lets JSON win over nested names, those over flat ones, and the body over the query', async () => {
    const body = 'data={"a":"json"}&data[a]=nested&a=flat&data[b]=nested&b=flat&c=flat&c=later';
    const { fields } = await receive('?a=query&b=query&c=query&d=query', URLENCODED, body);
    assert.deepEqual({ ...fields }, { a: 'json', b: 'nested', c: 'later', d: 'query' });
  });

  it('writes files that only their owner may read', async () => {
    const { files } = await receive('', MULTIPART, FORMS[0]?.body);
    assert.equal(files.file?.mode, process.platform === 'win32' ? 0o666 : 0o600);
  });

  it('reads the same fields from every form', async () => {
    const name = fc
      .stringMatching(/^[a-zA-Zö .:-]{1,12}$/)
      .filter((each) => !['data', 'callback', 'constructor', 'prototype'].includes(each));
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    const input = fc.dictionary(name, text, { maxKeys: 5, noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(input, async (fields) => {
        const entries = Object.entries(fields);
        const data = JSON.stringify(fields);
        const nested = entries.map(([key, value]): [string, string] => [`data[${key}]`, value]);
        for (const [query, type, body] of [
          [`?${new URLSearchParams(fields).toString()}`, undefined, undefined],
          ['', URLENCODED, new URLSearchParams(fields).toString()],
          ['', URLENCODED, new URLSearchParams({ data }).toString()],
          ['', URLENCODED, new URLSearchParams(nested).toString()],
          ['', MULTIPART, multipart(entries)],
          ['', MULTIPART, multipart([['data', data]])],
          ['', PGBAPI, multipart(entries, '----pgbapi', ';')],
          ['', 'application/json', data],
          ['', 'application/json', JSON.stringify({ data })],
        ] as const) {
          const received = await receive(query, type, body);
          assert.deepEqual({ ...received.fields }, fields, `${query} ${type} ${body}`);
        }
      }),
      { numRuns: 25 },
    );
  });
});

/** Fields as the parts of a form. */
function multipart(entries: readonly (readonly [string, string])[], boundary = BOUNDARY, end = ''): string {
  const parts = entries.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${end}\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${boundary}--\r\n`;
}
