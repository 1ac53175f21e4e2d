import assert from 'node:assert/strict';

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

const URLENCODED = 'application/x-www-form-urlencoded';
const PGBAPI = 'multipart/form-data; boundary=----pgbapi';
const BOUNDARY = '--------------------------671904178237466172911045';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part of a form: what its head says after `form-data; `, and its text. */
type Part = readonly [head: string, text: string];

/** The head of a part with a file. */
const fileHead = (names: string, type = 'application/octet-stream'): string => `${names}\r\nContent-Type: ${type}`;

function multipart(parts: readonly Part[], boundary = BOUNDARY): string {
  const texts = parts.map(
    ([head, text]) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`,
  );
  return `${texts.join('')}--${boundary}--\r\n`;
}

/** The forms of the clients of the original service, as they were on the wire. */
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
    client: 'a browser in which no file was chosen',
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
    client: 'a name with more levels than any client has',
    type: URLENCODED,
    body: 'a[b][c][d][e]=1',
    fields: { 'a[b][c][d][e]': '1' },
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
});
