import assert from 'node:assert/strict';
import fc from 'fast-check';

import { createMask, openBuildLog, readBuildLog } from '../../../../src/build-service/builds/buildLog.ts';
import { MAX_LOG_BYTES } from '../../../../src/build-service/limits.ts';
import { insertDemoData } from '../../../../src/build-service/store/demoData.ts';
import { openDatabase } from '../../../../src/build-service/store/database.ts';
import { DataFiles } from '../../../../src/build-service/store/dataFiles.ts';
import type { Build } from '../../../../src/build-service/store/model.ts';
import { Store } from '../../../../src/build-service/store/store.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const plain = createMask([]);

describe('local service: the log of a build', () => {
  const store = new Store(openDatabase(undefined, () => undefined));
  const files = new DataFiles(undefined);
  const service = { store, files };
  let count = 0;
  before(() => insertDemoData(store, { text: '', hash: '' }));
  after(async () => {
    store.close();
    await files.close();
  });

  const build: Build = {
    ...{ appId: 1001, platform: 'android', status: 'pending', error: null, number: 1, queuedAt: 1, startedAt: 1 },
    ...{ finishedAt: null, logFile: null, artifact: null, versionCode: null },
  };
  const started = (): Build => {
    count += 1;
    return { ...build, logFile: `log-${count}` };
  };
  const open = ({ logFile }: Build, mask = plain): ReturnType<typeof openBuildLog> =>
    openBuildLog(files.getPath(logFile ?? ''), mask);

  it('serves a log from the last position while the build writes it', async () => {
    const running = started();
    assert.deepEqual(await readBuildLog(service, running, 0), { text: '', nextOffset: 0, ended: false });
    const log = open(running);
    log.write('Zürich');
    await waitUntil(async () => (await readBuildLog(service, running, 0)).text !== '');
    assert.deepEqual(await readBuildLog(service, running, 0), { text: 'Zürich\n', nextOffset: 8, ended: false });
    log.write('second');
    log.end('last');
    const part = { text: 'second\nlast\n', nextOffset: 20 };
    assert.deepEqual(await readBuildLog(service, running, 8), { ...part, ended: false });
    const finished = { ...running, finishedAt: 2 };
    assert.deepEqual(await readBuildLog(service, finished, 8), { ...part, ended: true });
    assert.deepEqual(await readBuildLog(service, finished, 20), { text: '', nextOffset: 20, ended: true });
    assert.deepEqual(await readBuildLog(service, finished, 999), { text: '', nextOffset: 999, ended: true });
  });

  it('truncates a log at 4 MiB with a notice, and serves it in parts of whole characters', async () => {
    const finished = { ...started(), finishedAt: 2 };
    const log = open(finished);
    const line = '€'.repeat(1_000);
    for (let bytes = 0; bytes < 3 * MAX_LOG_BYTES; bytes += 3_001) {
      log.write(line);
    }
    log.end('the end');
    let [text, offset, parts] = ['', 0, 0];
    for (let ended = false; !ended; parts += 1) {
      const part = await readBuildLog(service, finished, offset);
      assert.ok(part.nextOffset - offset <= 256 * 1024);
      assert.equal(Buffer.byteLength(part.text), part.nextOffset - offset);
      text += part.text;
      offset = part.nextOffset;
      ended = part.ended;
    }
    assert.equal(parts, 17);
    assert.ok(offset > MAX_LOG_BYTES && offset < MAX_LOG_BYTES + 5_000);
    const lines = text.split('\n');
    assert.deepEqual(lines.slice(-3), [
      'The log is cut off here because it reached 4 MiB. The build continues.',
      'the end',
      '',
    ]);
    assert.ok(lines.slice(0, -3).every((each) => each === line));
  });

  it('returns a log of two lines and the result for a build in the demo data', async () => {
    const past: Build = { ...build, number: 0, status: 'complete' };
    const text = 'Building Field Notes 2.4.1 for android\nPackage com.example.fieldnotes\ncomplete\n';
    assert.deepEqual(await readBuildLog(service, past, 0), { text, nextOffset: text.length, ended: true });
    assert.deepEqual(await readBuildLog(service, past, text.length + 5), {
      ...{ text: '', nextOffset: text.length + 5, ended: true },
    });
  });
});

describe('local service: the output of builds', () => {
  it('contains no control characters, no colors, and only short lines', () => {
    assert.equal(plain('\u001b[31mred\u001b[0m\tand\u0007 \u202eback\u2028\u0000'), 'red\tand back');
    assert.equal(plain('x'.repeat(1_000_000)), `${'x'.repeat(10_000)}…`);
  });

  it('masks a password in every encoding that tools use', () => {
    const mask = createMask([`P&ss<w"ör d'9/+=:x`]);
    for (const [by, printed] of Object.entries({
      'a program': `P&ss<w"ör d'9/+=:x`,
      JSON: `P&ss<w\\"ör d'9/+=:x`,
      'JSON in ASCII': `P&ss<w\\"\\u00f6r d'9/+=:x`,
      'JSON with slashes escaped': `P&ss<w\\"ör d'9\\/+=:x`,
      Gson: `P\\u0026ss\\u003cw\\"ör d\\u00279/+\\u003d:x`,
      'XML, in a text': `P&amp;ss&lt;w"ör d'9/+=:x`,
      'XML, in an attribute': `P&amp;ss&lt;w&quot;ör d&apos;9/+=:x`,
      HTML: `P&amp;ss&lt;w&quot;ör d&#39;9/+=:x`,
      'a query': "P%26ss%3Cw%22%C3%B6r%20d'9%2F%2B%3D%3Ax",
      'a query in lower case': "P%26ss%3cw%22%c3%b6r%20d'9%2f%2b%3d%3ax",
      'an address': "P&ss%3Cw%22%C3%B6r%20d'9/+=:x",
      'a form': 'P%26ss%3Cw%22%C3%B6r+d%279%2F%2B%3D%3Ax',
      'a shell, in quotes': `'P&ss<w"ör d'\\''9/+=:x'`,
      'a shell (printf %q)': `P\\&ss\\<w\\"ör\\ d\\'9/+=:x`,
      'Java, as a property': `P&ss<w"ör d'9/+\\=\\:x`,
      'Java, as a property in ASCII': `P&ss<w"\\u00F6r d'9/+\\=\\:x`,
      Python: `'P&ss<w"ör d\\'9/+=:x'`,
      base64: 'UCZzczx3IsO2ciBkJzkvKz06eA==',
      'what parts it by characters that are not seen': `P&s\u200bs<w"ö\u00adr\ufe0f d'9/\u{e0020}+=:x`,
    })) {
      assert.match(mask(`key: ${printed}.`), /^key: '?\*{3}'?(?:==)?\.$/, by);
    }
  });

  // The tools printed these lines for this password.
  const PRINTED: Readonly<Record<string, string>> = {
    'Python: urllib.parse.quote': 'P%26ss%3Cw%22%C3%B6r%20d%279/%2B%3D%3Ax%21%28%2A%29~%60%24%5C%25%C3%A9%F0%9F%98%80',
    'Python: quote(safe="")': 'P%26ss%3Cw%22%C3%B6r%20d%279%2F%2B%3D%3Ax%21%28%2A%29~%60%24%5C%25%C3%A9%F0%9F%98%80',
    'Python: quote_plus': 'P%26ss%3Cw%22%C3%B6r+d%279%2F%2B%3D%3Ax%21%28%2A%29~%60%24%5C%25%C3%A9%F0%9F%98%80',
    'Java: URLEncoder': 'P%26ss%3Cw%22%C3%B6r+d%279%2F%2B%3D%3Ax%21%28*%29%7E%60%24%5C%25%C3%A9%F0%9F%98%80',
    'Python: shlex.quote': `'P&ss<w"ör d'"'"'9/+=:x!(*)~\`$\\%é😀'`,
    'dash: export -p': `'P&ss<w"ör d'"'"'9/+=:x!(*)~\`$\\%é😀'`,
    'bash: set -x': `'P&ss<w"ör d'\\''9/+=:x!(*)~\`$\\%é😀'`,
    'bash: export -p': `"P&ss<w\\"ör d'9/+=:x!(*)~\\\`\\$\\\\%é😀"`,
    'bash: printf %q': `P\\&ss\\<w\\"ör\\ d\\'9/+=:x\\!\\(\\*\\)~\\\`\\$\\\\%é😀`,
    'bash without UTF-8: printf %q, export -p': `$'P&ss<w"\\303\\266r d\\'9/+=:x!(*)~\`$\\\\%\\303\\251\\360\\237\\230\\200'`,
    'Python: html.escape': 'P&amp;ss&lt;w&quot;ör d&#x27;9/+=:x!(*)~`$\\%é😀',
    'Python: ascii': `'P&ss<w"\\xf6r d\\'9/+=:x!(*)~\`$\\\\%\\xe9\\U0001f600'`,
    'Python: repr of bytes': `'P&ss<w"\\xc3\\xb6r d\\'9/+=:x!(*)~\`$\\\\%\\xc3\\xa9\\xf0\\x9f\\x98\\x80'`,
    base64: 'UCZzczx3IsO2ciBkJzkvKz06eCEoKil+YCRcJcOp8J+YgA==',
    'base64 for URLs': 'UCZzczx3IsO2ciBkJzkvKz06eCEoKil-YCRcJcOp8J-YgA==',
    'base64 of me:password': 'bWU6UCZzczx3IsO2ciBkJzkvKz06eCEoKil+YCRcJcOp8J+YgA==',
    'base64 of ann:password': 'YW5uOlAmc3M8dyLDtnIgZCc5Lys9OnghKCopfmAkXCXDqfCfmIA=',
    'base64 of user:password': 'dXNlcjpQJnNzPHciw7ZyIGQnOS8rPTp4ISgqKX5gJFwlw6nwn5iA',
  };
  for (const [tool, printed] of Object.entries(PRINTED)) {
    it(`masks a password as a tool prints it: ${tool}`, () => {
      const shown = createMask([`P&ss<w"ör d'9/+=:x!(*)~\`$\\%é😀`])(`key: ${printed}.`);
      // Base64 has whole digits of the user's name, and padding.
      assert.match(shown, /^key: (?:\$?['"])?(?:bWU6|YW5uO|dXNlcj)?\*{3}['"]?={0,2}\.$/);
    });
  }

  it('masks every password in base64, whatever surrounds it', () => {
    const property = fc.property(
      fc.base64String({ minLength: 8 }),
      fc.string(),
      fc.string(),
      (password, before, after) => {
        const encoded = Buffer.from(`${before}${password}${after}`);
        for (const encoding of ['base64', 'base64url'] as const) {
          const digits = createMask([password])(encoded.toString(encoding));
          const start = Math.floor((Buffer.byteLength(before) * 4) / 3);
          assert.ok(digits.startsWith(`${encoded.toString(encoding).slice(0, start)}***`), digits);
        }
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  it('masks tildes, pairs of apostrophes, and spaces as shells print them', () => {
    for (const [password, printed] of [
      ['a=~b:~c~#d~', 'a=\\~b:\\~c~#d~'],
      ['~x-1234', '\\~x-1234'],
      ["it''s1", `it'"''"'s1`],
      ["it''s1", `it'"'"''"'"'s1`],
      ['a\u00a0b c', 'a\u00a0b\\ c'],
    ] as const) {
      assert.equal(createMask([password])(printed), '***');
    }
  });

  it('doesn’t mask a password of less than four characters, because masking would reveal it', () => {
    const line = 'Alias of the key: aäb, 100 files';
    for (const secret of ['a', 'ab', 'aäb', '100', '😀😀😀', 'a\u200bb', 'abc\nde\n100']) {
      assert.equal(createMask([secret])(line), line);
    }
    assert.equal(createMask(['ab', 'file'])(line), 'Alias of the key: aäb, 100 ***s');
    assert.equal(createMask(['ab\nfiles'])(line), 'Alias of the key: aäb, 100 ***');
    assert.equal(createMask(['😀😀😀😀'])('😀😀😀😀'), '***');
  });

  it('masks any password, even in a truncated line', () => {
    const secret = fc.uint16Array({ minLength: 4, maxLength: 40 }).map((units) => String.fromCharCode(...units));
    const around = fc.nat(9_000).map((length) => '-'.repeat(length));
    const property = fc.property(secret, around, around, (password, before, after) => {
      // Control characters are never shown.
      const shownPart = password.replace(/[\p{Cc}\u2028\u2029\p{Default_Ignorable_Code_Point}]/gu, '');
      fc.pre(/[^-*…]/u.test(shownPart) && Array.from(shownPart).length >= 4);
      const mask = createMask([password]);
      const text = mask(`${before}${password}${after}${password}`);
      assert.ok(/^[-*…]*$/u.test(text), text);
    });
    fc.assert(property, { numRuns: 200, examples: [['\ud800\n\udc00abc', '', '']] });
  });

  it('masks a password that the line limit cuts in two, even if masking shortened the text before it', () => {
    const [long, secret] = ['a-long-password-'.repeat(20), 'correct-horse-battery-staple-0123456789'];
    const mask = createMask([long, secret]);
    for (let before = 8_000; before < 8_700; before += 1) {
      const shown = mask(`${long}${long} ${'-'.repeat(before - 2 * long.length)}${secret}${'-'.repeat(9_000)}`);
      assert.ok(/^[*]{6} -*[*]*-*…$/.test(shown), `${before}: ${shown.slice(-50)}`);
    }
  });
});
