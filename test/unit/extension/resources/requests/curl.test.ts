import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import fc from 'fast-check';

import { InvalidInputError } from '../../../../../src/errors/index.ts';
import { curlCommand, type CurlRequest } from '../../../../../src/service-client/requestSnippets.ts';
import { formRequest } from '../../../../../src/extension/resources/requests/formRequest.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';
import { accessToken, cleanUp, serve } from '../../../../support/servers.ts';

/** Runs a script in `sh`, as if the user pasted it, and returns its output. */
async function sh(script: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env: { ...process.env, ...environment } });
  return stdout;
}

/** Characters that terminals obey: control characters, and those that change the appearance of a line. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe('curl', () => {
  afterEach(cleanUp);

  it('sends the request without the token in the command', async () => {
    const bodies: string[] = [];
    const server = await serve((request, response) => {
      request
        .setEncoding('utf8')
        .on('data', (piece: string) => bodies.push(piece))
        .on('end', () => response.end('done'));
    });
    const url = `${server.url}/api/v1/a'b?x=1&q=[2]`;
    const get = curlCommand({ method: 'GET', url, tokenParameter: 'access_token' });
    const post = curlCommand({
      method: 'POST',
      url: `${server.url}/api/v1/apps`,
      tokenParameter: 'auth_token',
      contentType: 'application/json',
      body: `{"title":"It's $HOME @x"}`,
    });
    for (const command of [get, post]) {
      assert.equal(await sh(command, { APP_BUILD_TOKEN: accessToken }), 'done', command);
      assert.doesNotMatch(command, /sEcret/);
    }
    const [first = '', second = ''] = server.received.map(decodeURIComponent);
    assert.ok(first.startsWith(`GET /api/v1/a'b?x=1&q=[2]&access_token=${accessToken}\n`), first);
    assert.ok(second.startsWith(`POST /api/v1/apps?auth_token=${accessToken}\n`), second);
    assert.ok(second.includes('"content-type":"application/json"'));
    assert.deepEqual(bodies, [`{"title":"It's $HOME @x"}`]);
  });

  it('uses the simple form that other tools can import', () => {
    const url = 'https://build.example.com/api/v1/apps?page=2';
    const auth = { url, tokenParameter: 'auth_token' } as const;
    const access = { url, tokenParameter: 'access_token' } as const;
    const json = { contentType: 'application/json', body: '{}' };
    for (const [request, command] of [
      [{ method: 'GET', ...access }, `-G "${url}" --data-urlencode "access_token=$APP_BUILD_TOKEN"`],
      [{ method: 'DELETE', ...auth }, `-X DELETE "${url}" --url-query "auth_token=$APP_BUILD_TOKEN"`],
      [
        { method: 'PUT', ...access, ...json },
        `-X PUT "${url}" -H 'Content-Type: application/json' --data-raw '{}' --url-query "access_token=$APP_BUILD_TOKEN"`,
      ],
    ] as const) {
      assert.equal(curlCommand(request), `curl ${command}`);
    }
    for (const special of ['$HOME', '`id`', '"', '\\', '!', "'", '*', '(', '|']) {
      const command = curlCommand({ method: 'GET', ...auth, url: `https://a.example/?q=${special}` });
      assert.match(command, /^curl -G 'https:/, special);
    }
  });
});

describe('a pasted cURL command', () => {
  let folder: string;

  useFolderForEachTest(async (made) => {
    folder = made;
    // This script replaces curl and records its arguments.
    const script = `#!/bin/sh\nprintf '%s\\0' "$#" "$@" >>"$FOLDER/calls"\n`;
    await writeFile(path.join(folder, 'curl'), script, { mode: 0o755 });
  });

  /** Makes a shell run commands, and returns the arguments of each call to curl. */
  const run = async (shell: readonly string[], script: string | undefined, typed = '') => {
    const [program = '', ...options] = shell;
    const child = spawn(program, [...options, ...(script === undefined ? [] : [script])], {
      cwd: folder,
      env: {
        ...process.env,
        FOLDER: folder,
        PATH: `${folder}${path.delimiter}${process.env.PATH ?? ''}`,
        APP_BUILD_TOKEN: 'token',
        HISTFILE: '',
      },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    // A shell that gets its script as an argument may have ended by now.
    child.stdin.on('error', () => undefined).end(typed);
    await once(child, 'close');
    const calls = await readFile(path.join(folder, 'calls'), 'utf8').catch(() => '');
    await rm(path.join(folder, 'calls'), { force: true });
    assert.deepEqual((await readdir(folder)).sort(), ['curl'], await said);
    const words = calls.split('\0').slice(0, -1);
    const found: (readonly string[])[] = [];
    while (words.length > 0) {
      found.push(words.splice(0, Number(words.shift())));
    }
    return found;
  };

  const getArguments = (call: readonly string[]) => ({
    method: call[0] === '-G' ? 'GET' : call[1],
    header: call.includes('-H') ? call[call.indexOf('-H') + 1] : undefined,
    body: call.includes('--data-raw') ? call[call.indexOf('--data-raw') + 1] : undefined,
    url: call.find((each) => each.startsWith('https:')),
    token: call.at(-1),
  });
  const expected = ({ method, contentType, body, url, tokenParameter }: CurlRequest) => ({
    method,
    header: contentType === undefined ? undefined : `Content-Type: ${contentType}`,
    body,
    url,
    token: `${tokenParameter}=token`,
  });
  const getCommand = (request: CurlRequest): string | undefined => {
    try {
      return curlCommand(request);
    } catch (error) {
      assert.ok(error instanceof InvalidInputError, String(error));
      return undefined;
    }
  };

  const hostileText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc
      .array(
        fc.constantFrom(
          ...'\'"\\\n\r\u0003\u009b\u007f!# \u202e\u2028aé|&'.split(''),
          ...['$(touch pwned)', '`touch pwned`', ';touch pwned;', '\u001b[201~', '!!'],
        ),
        { maxLength: 12 },
      )
      .map((pieces) => pieces.join('')),
  );
  const request: fc.Arbitrary<CurlRequest> = fc.record(
    {
      method: fc.oneof(fc.constantFrom('GET', 'POST', 'DELETE'), hostileText),
      url: fc.oneof(
        hostileText.map((end) => `https://build.example.com/${end}`),
        hostileText.map((end) => new URL(`https://a.example/?${end}`).href),
      ),
      tokenParameter: fc.constantFrom('access_token', 'auth_token'),
      contentType: fc.oneof(fc.constant('application/json'), hostileText),
      body: hostileText,
    },
    { requiredKeys: ['method', 'url', 'tokenParameter'] },
  );

  it('contains no control character, or is rejected', () => {
    let refused = 0;
    fc.assert(
      fc.property(request, (sent) => {
        const command = getCommand(sent);
        assert.equal(command === undefined, CONTROL.test(Object.values(sent).join('')));
        assert.doesNotMatch(command ?? '', CONTROL);
        refused += command === undefined ? 1 : 0;
      }),
      { numRuns: 2000 },
    );
    assert.ok(refused > 100, `${refused} refused`);
  });

  for (const [name, shell, typed] of [
    ['bash -c', ['bash', '-c'], false],
    ['an interactive bash', ['bash', '--norc', '--noprofile', '-i'], true],
  ] as const) {
    it(`sends only the request, and runs no other command, in ${name}`, async () => {
      const sent = fc.sample(request, { numRuns: 150, seed: 7 }).flatMap((each) => {
        const command = getCommand(each);
        return command === undefined ? [] : [{ command, wanted: expected(each) }];
      });
      assert.ok(sent.length > 20, `${sent.length} commands`);
      const script = sent.map(({ command }) => `${command}\n`).join('');
      const calls = await run(shell, typed ? undefined : script, typed ? script : '');
      assert.deepEqual(
        calls.map(getArguments),
        sent.map(({ wanted }) => wanted),
      );
    });
  }

  it('keeps a form’s values with control characters, escaped in JSON', async () => {
    const value = 'a\n\u0003\u007f\u009b201~\u202e\u2028b';
    const form = { method: 'POST', contentType: 'application/json' };
    const { body } = formRequest(form, 'https://a.example/', [[{ name: 'note\u009b' }, value]]);
    assert.ok(body.kind === 'text');
    const command = curlCommand({
      method: 'POST',
      url: 'https://a.example/',
      tokenParameter: 'auth_token',
      contentType: body.contentType,
      body: body.text,
    });
    assert.doesNotMatch(command, CONTROL);
    const [call = []] = await run(['bash', '-c'], command);
    assert.deepEqual(JSON.parse(getArguments(call).body ?? ''), { 'note\u009b': value });
  });
});
