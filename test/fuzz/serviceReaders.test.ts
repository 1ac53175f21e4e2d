import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { certificateFacts } from '../../src/formats/certificates.ts';
import { MAX_KEY_FILE_BYTES, readKeyFile } from '../../src/formats/keyFile.ts';
import { createMask } from '../../src/localService/builds/buildLog.ts';
import { PackageError } from '../../src/localService/builds/packages/archiveContents.ts';
import { MAX_CONFIG_BYTES, parseConfig } from '../../src/localService/builds/packages/packageConfig.ts';
import { checkPackage } from '../../src/localService/builds/packages/uploadedPackage.ts';
import { addApp, findApp } from '../../src/localService/store/apps.ts';
import { addParticipant } from '../../src/localService/store/collaborators.ts';
import { zipOf } from '../support/archives.ts';
import { folderOfEachTest } from '../support/hooks.ts';
import { openInProcess, type OpenedService } from '../support/inProcessService.ts';
import { BOUNDARY, call, form, MULTIPART, type Answer, type Call } from '../support/serviceRequests.ts';
import { budget } from './property.ts';
import { disproportion } from './proportion.ts';

/** `npm run fuzz`: the largest input is as large as its reader takes it. */
const largest = budget >= 2000 ? 1 : 1 / 16;
const SHARES = [largest / 4, largest / 2, largest] as const;

/** An input of about this size. */
type Make = (size: number) => string;

interface Reader {
  /** Of the largest input: characters, or entries. */
  readonly limit: number;
  readonly inputs: Readonly<Record<string, Make>>;
  /** Makes of the input what is read: such as the path of an archive of files with these names. */
  readonly prepare?: (text: string) => string | Promise<string>;
  readonly read: (text: string) => unknown;
}

const again =
  (part: string): Make =>
  (size) =>
    part.repeat(Math.ceil(size / part.length)).slice(0, size);

/** Parts that differ, such as names that differ by a letter. */
const counted =
  (part: (index: string) => string): Make =>
  (size) => {
    const length = part('zzz').length;
    return Array.from({ length: size / length }, (_, index) => part(index.toString(36).padStart(3, '0'))).join('');
  };

const within =
  (start: string, make: Make, end = ''): Make =>
  (size) =>
    start + make(size - start.length - end.length) + end;

const PUMPS: Readonly<Record<string, Make>> = Object.fromEntries(
  [
    'a',
    'ab',
    ' ',
    ' a',
    '[',
    '[]',
    '][',
    '.',
    'a.',
    '=',
    '&',
    'a&',
    ';',
    'a=b; ',
    ',',
    '%',
    '%41',
    '\\"',
    '-',
    '@',
    'a@',
  ].map((part): [string, Make] => [JSON.stringify(part), again(part)]),
);

const CONFIG: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(
    [
      ...['a', ' ', '<', '>', '&', '=', ']', '-', '\n', '\t'],
      '\r\n',
      '\r',
      '&amp;',
      '&#65;',
      ']]>',
      '<!-- -->',
      '<![CDATA[]]>',
      '<a/>',
      'x<a/>',
      '<a>',
    ].map((part): [string, Make] => [
      `texts of ${JSON.stringify(part)}`,
      within('<widget><name>', again(part), '</name></widget>'),
    ]),
  ),
  // Of two characters, and four bytes.
  'texts of pictures': (size) => within('<widget><name>', again('\u{1F600}'), '</name></widget>')(size / 2),
  'in an attribute': within('<widget a="', again('&lt; \r\n'), '"/>'),
  'spaces in a tag': within('<widget ', again(' '), '/>'),
  'a long name': within('<widget><', again('a'), '/></widget>'),
  attributes: within(
    '<widget ',
    counted((index) => `android-${index}="" `),
    '/>',
  ),
  elements: within(
    '<widget>',
    counted((index) => `<e${index}/>`),
    '</widget>',
  ),
  icons: within(
    '<widget>',
    counted((index) => `<icon src="${index}"/>`),
    '</widget>',
  ),
  variables: within(
    '<widget><plugin name="x">',
    counted((index) => `<variable name="${index}"/>`),
    '</plugin></widget>',
  ),
  platforms: within('<widget>', again('<platform name="x"><e/></platform>'), '</widget>'),
  deep: (size) => `<widget>${'<a>'.repeat(size / 7)}${'</a>'.repeat(size / 7)}</widget>`,
  'a comment': within('<!--', again('- \r\n'), '--><widget/>'),
  'a declaration': within('<?xml ', again(' encoding'), '?><widget/>'),
  'a doctype': within('<!DOCTYPE widget [', again('] '), ']><widget/>'),
};

/** Names of the files of an archive, each in a line. */
const NAMES: Readonly<Record<string, Make>> = {
  flat: (size) => lines(size, (index) => `${index}.js`),
  'that differ by a letter': (size) => lines(size, (index) => `www/${'a'.repeat(70)}${index}`),
  'deep pages': (size) => lines(size, (index) => `${'a/'.repeat(40)}${index}/index.html`),
  'deep pages with long names': (size) =>
    lines(size, (index) => `${'abcdefghijklmnop/'.repeat(45)}${index}/index.html`),
  'deep configurations': (size) => lines(size, (index) => `${'a/'.repeat(40)}${index}/config.xml`),
  'folders of their own': (size) => lines(size, (index) => `${index % 400}/${'b/'.repeat(45)}x${index}`),
};

/** Numbers of a key file, written as Latin-1. */
const uint = (value: number, bytes: number): string => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer.toString('latin1');
};
const sequence = (content: string): string => `\x30\x84${uint(content.length, 4)}${content}`;
const javaCertificate = `${uint(5, 2)}X.509${uint(1, 4)}a`;
/** An entry of a Java keystore, with an alias that is as short as it can be. */
const javaEntry = (tag: 1 | 2, content: string): string =>
  `${uint(tag, 4)}${uint(1, 2)}a${uint(0, 8 - 2)}${uint(0, 2)}${content}`;
/** Entries and their certificates together: a keystore of more than 10,000 is not read. */
const MAX_ENTRIES = 9_000;
const javaKeystore = (entry: string, size: number): string => {
  const count = Math.min(MAX_ENTRIES, Math.floor(size / entry.length));
  return `\xfe\xed\xfe\xed${uint(2, 4)}${uint(count, 4)}${entry.repeat(count)}${'a'.repeat(20)}`;
};

/** Bytes of a key file, written as Latin-1. */
const KEYS: Readonly<Record<string, Make>> = {
  'JKS with certificates': (size) => javaKeystore(javaEntry(2, javaCertificate), size),
  'JKS with keys': (size) => javaKeystore(javaEntry(1, uint(0, 4) + uint(0, 4)), size),
  'JKS with a chain': (size) => {
    const count = Math.min(MAX_ENTRIES, Math.floor(size / javaCertificate.length) - 10);
    const entry = javaEntry(1, uint(0, 4) + uint(count, 4) + javaCertificate.repeat(count));
    return javaKeystore(entry, entry.length);
  },
  'PKCS#12 of sequences': (size) => sequence(`\x02\x01\x03${again('\x30\x00')(2 * Math.floor(size / 2))}`),
  'PKCS#12 of open sequences': within('\x30\x80\x02\x01\x03', again('\x30\x80')),
  'a certificate of sequences': (size) => sequence(again('\x30\x00')(2 * Math.floor(size / 2))),
  ...Object.fromEntries(
    [' ', '<key>', '<data>a</data>', '<array>', '<![', '\u00ff'].map((part): [string, Make] => [
      `a profile of ${JSON.stringify(part)}`,
      within(
        '<?xml?><plist><key>DeveloperCertificates</key><array><key>ExpirationDate</key>',
        again(part),
        '</array></plist>',
      ),
    ]),
  ),
};

const JSON_TEXTS: Readonly<Record<string, Make>> = {
  members: within(
    '{"a":1',
    counted((index) => `,"${index}":1`),
    '}',
  ),
  numbers: within('{"a":[1', again(',1'), ']}'),
  deep: (size) => `{"a":${'['.repeat(size / 2 - 5)}${']'.repeat(size / 2 - 5)}}`,
  text: within('{"title":"', again('a'), '"}'),
  escapes: within('{"title":"', (size) => '\\u0041'.repeat(size / 6), '"}'),
  spaces: within('{', again(' '), '}'),
};

const FIELDS: Readonly<Record<string, Make>> = {
  'distinct names': counted((index) => `${index}=&`),
  'nested names': again('a[b][]&'),
  'few long fields': again(`${'a'.repeat(1000)}=${'%41'.repeat(1000)}&`),
  'nested, distinct': counted((index) => `a[${index}][${index}]=1&`),
  'a deep name': within('a', again('[b]'), '=1'),
  'a list': within('title=x&platforms=', again('a,')),
  'an e-mail address': within('email=', again('a@b.')),
  'a repository': within('create_method=remote_repo&repo=https://a/', again('a/../')),
  ...Object.fromEntries(Object.entries(JSON_TEXTS).map(([name, make]) => [`data of ${name}`, within('data=', make)])),
};

describe('foreign text that the local service reads', () => {
  let service: OpenedService;
  let folder: string;
  let files = 0;
  before(async () => {
    service = await openInProcess();
  });
  after(() => service.stop());
  folderOfEachTest((made) => (folder = made));
  afterEach(() => assert.deepEqual(service.reports, []));

  const api = { Authorization: '' };
  before(() => (api.Authorization = `token ${service.authToken}`));
  const send = async (path: string, options: Call = {}): Promise<Answer> => {
    const answer = await call(service, path, options);
    assert.ok(answer.status < 500, `${answer.status} ${answer.text}`);
    return answer;
  };
  const post = (path: string, type: string, body: string, headers = {}): Promise<Answer> =>
    send(path, { method: 'POST', headers: { 'Content-Type': type, ...headers }, body });
  const URLENCODED = 'application/x-www-form-urlencoded';
  /** Writes a file. @returns its path */
  const store = async (content: Buffer): Promise<string> => {
    const path = join(folder, String((files += 1)));
    await writeFile(path, content);
    return path;
  };
  const secrets = ['P&ss<w"ör d\'9', 'a'.repeat(255), 'line\nline', 'aaaaaaab'];
  const mask = createMask(secrets);

  const READERS: Readonly<Record<string, Reader>> = {
    'form of a page': {
      limit: 64 * 1024,
      inputs: { ...PUMPS, ...FIELDS },
      read: (text) => post('/sign-in', URLENCODED, text, { Origin: service.baseUrl }),
    },
    'form of another website': {
      limit: 1024 * 1024,
      inputs: PUMPS,
      read: (text) => post('/authorize', URLENCODED, text, { Origin: 'https://evil.example' }),
    },
    'form of an exchange': {
      limit: 64 * 1024,
      inputs: { ...PUMPS, ...FIELDS },
      read: (text) => post('/authorize/token', URLENCODED, text),
    },
    'form of the API': {
      limit: 256 * 1024,
      inputs: { ...PUMPS, ...FIELDS },
      read: (text) => post('/api/v1/apps', URLENCODED, text, api),
    },
    'JSON of the API': {
      limit: 256 * 1024,
      inputs: { ...PUMPS, ...JSON_TEXTS },
      read: (text) => post('/api/v1/apps', 'application/json', text, api),
    },
    'names in a multipart form': {
      // Each name is in a part of a hundred bytes and more, and a connection brings 64 KiB at once.
      limit: 8 * 1024,
      inputs: {
        ...PUMPS,
        'distinct names': counted((index) => `${index},`),
        'nested names': again(`${'a[b][]'.repeat(100)},`),
      },
      prepare: (text) => multipart(text.replaceAll('"', '').split(',')),
      read: (body) => post('/api/v1/apps', MULTIPART, body, api),
    },
    'e-mail address': {
      limit: 64 * 1024,
      inputs: PUMPS,
      read: async (text) =>
        send('/api/v1/apps/1001/collaborators', {
          ...form({ email: text, role: 'tester' }),
          headers: { ...form({}).headers, ...api },
        }),
    },
    'title of a key': {
      limit: 64 * 1024,
      inputs: PUMPS,
      read: (text) =>
        post(
          '/api/v1/keys/winphone',
          URLENCODED,
          new URLSearchParams({ title: text, publisher_id: 'x' }).toString(),
          api,
        ),
    },
    // The head of a request has 16 KiB at most.
    query: {
      limit: 16 * 1024,
      inputs: { ...PUMPS, ...FIELDS },
      read: (text) => send(`/api/v1/apps?${encodeURI(text)}`, { method: 'POST', headers: api }),
    },
    cookies: { limit: 16 * 1024, inputs: PUMPS, read: (text) => send('/account', { headers: { Cookie: text } }) },
    credentials: {
      limit: 16 * 1024,
      inputs: PUMPS,
      read: async (text) => {
        for (const Authorization of [`token ${text}`, text]) {
          await send('/api/v1/me', { headers: { Authorization } });
        }
      },
    },
    // A password takes its time to be checked.
    'basic credentials': {
      limit: 16 * 1024,
      inputs: { spaces: again(' '), names: again('YTphYTph'), empty: again('=') },
      read: (text) => send('/api/v1/me', { headers: { Authorization: `Basic ${text}` } }),
    },
    'name of a callback': {
      limit: 16 * 1024,
      inputs: PUMPS,
      read: (text) => send(`/api/v1/me?callback=${encodeURIComponent(text)}&auth_token=${service.authToken}`),
    },
    'config.xml': {
      limit: MAX_CONFIG_BYTES,
      inputs: CONFIG,
      read: (text) => orRefused(() => parseConfig(Buffer.from(text))),
    },
    'directory of a zip archive': {
      // Folders that are shared count, too.
      limit: 19_900,
      inputs: NAMES,
      prepare: (text) => store(zipOf(text.split('\n').map((name) => ({ name })))),
      read: (path) => orRefused(() => checkPackage(path)),
    },
    'key file': {
      // Its head comes on top.
      limit: MAX_KEY_FILE_BYTES - 100,
      inputs: { ...PUMPS, ...KEYS },
      read: (text) => {
        const bytes = Buffer.from(text, 'latin1');
        const { kind } = readKeyFile(bytes);
        assert.ok(kind === 'jks' || !text.startsWith('\xfe\xed'));
        certificateFacts(bytes);
      },
    },
    'line of a log': {
      limit: 1024 * 1024,
      inputs: {
        ...PUMPS,
        ...Object.fromEntries(
          ['\u001b', '\u001b[', '\u001b[0;', '\u001b]8;;a\u0007', '\u202e', 'aaaaaaa ', '&amp;', '\\u0026'].map(
            (part): [string, Make] => [JSON.stringify(part), again(part)],
          ),
        ),
      },
      read: (text) => mask(text),
    },
  };

  for (const [name, { limit, inputs, prepare = String, read }] of Object.entries(READERS)) {
    it(name, async () => {
      for (const [input, make] of Object.entries(inputs)) {
        const inputOf = async (share: number): Promise<string> => prepare(make(limit * share));
        const [quarter, half, whole] = SHARES;
        const parts = [await inputOf(quarter), await inputOf(half), await inputOf(whole)] as const;
        await assertProportionate(`${name}: ${input}`, parts, read);
      }
    });
  }

  it('line ends of a config.xml', async () => {
    // Time that grows with their square hides in a sixteenth of what is read.
    const make = within('<widget><name>', again('\r'), '</name></widget>');
    const inputs = [make(48 * 1024), make(96 * 1024), make(192 * 1024)] as const;
    await assertProportionate('line ends of a config.xml', inputs, (text) => parseConfig(Buffer.from(text)));
  });

  for (const [name, path, addTo] of [
    [
      'apps',
      '/api/v1/apps',
      (id: number) =>
        addApp(service.service.store, 1, {
          title: `App ${id}`,
          description: 'x'.repeat(200),
          phonegapVersion: 'cli-9.0.0',
        }),
    ],
    [
      'collaborators',
      '/api/v1/apps/1001',
      (id: number) => addParticipant(service.service.store, 1001, `p${id}@example.com`, 'tester'),
    ],
  ] as const) {
    it(`list of ${name}`, async () => {
      const { store } = service.service;
      assert.ok(findApp(store, '1001'));
      let count = 0;
      const [quarter, half, whole] = SHARES;
      await assertProportionate(`list of ${name}`, [1000 * quarter, 1000 * half, 1000 * whole], async (size) => {
        store.transaction(() => {
          for (; count < size; count += 1) {
            addTo(count);
          }
        });
        assert.equal((await send(path, { headers: api })).status, 200);
      });
    });
  }
});

/** Reads inputs of which each is twice as large as the one before. */
async function assertProportionate<T>(
  name: string,
  inputs: readonly [quarter: T, half: T, whole: T],
  read: (input: T) => unknown,
): Promise<void> {
  const problem = await disproportion(name, inputs, async (input) => {
    await read(input);
    return true;
  });
  assert.equal(problem, undefined);
}

/** Does what may refuse a package, with its own error. */
async function orRefused(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof PackageError, String(error));
  }
}

function lines(size: number, name: (index: number) => string): string {
  return Array.from({ length: size }, (_, index) => name(index)).join('\n');
}

function multipart(names: readonly string[]): string {
  const parts = names.map((name) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n`);
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}
