import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import fc from 'fast-check';

import { curlCommand, quote } from '../../../../src/resources/requests/curl.ts';
import { accessToken, cleanUp, serve } from '../../../support/servers.ts';

/** Text that can be an argument of a program. */
const argument = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((value) => Buffer.from(value.replaceAll('\0', '')).toString());

/** Runs a script by `sh`, as a person would paste it, and returns what it printed. */
async function sh(script: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env: { ...process.env, ...environment } });
  return stdout;
}

describe('curl', () => {
  afterEach(cleanUp);

  it('quotes any text as one word of a real shell', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(argument, { minLength: 1, maxLength: 60 }), async (words) => {
        const printed = await sh(`printf '%s\\0' ${words.map(quote).join(' ')}`);
        assert.deepEqual(printed.split('\0').slice(0, -1), words);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps a shell from running what stands in a link or a body', async () => {
    for (const hostile of [
      "'; echo pwned; '",
      '$(echo pwned)',
      '`echo pwned`',
      '"; echo pwned #',
      'a\nb',
      '!!',
      '-rf',
      '~',
      '*',
      '\\',
    ]) {
      assert.equal(await sh(`printf %s ${quote(hostile)}`), hostile);
    }
  });

  it('sends the request, with the token out of every command line', async () => {
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

  it('asks for the token, also when a terminal runs the lines one by one', async () => {
    const server = await serve((_request, response) => response.end('done'));
    const command = curlCommand({ method: 'GET', url: `${server.url}/api/v1`, tokenParameter: 'access_token' });
    const environment = { ...process.env, APP_BUILD_TOKEN: '' };
    // A shell that reads commands from where `read` reads the token.
    const shell = spawn('sh', { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
    const printed = text(shell.stdout);
    let said = '';
    shell.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
      if (piece.includes('Token: ')) {
        shell.stdin.end(`${accessToken}\n`);
      }
    });
    shell.stdin.write(command);
    await once(shell, 'close');
    assert.equal(await printed, 'done', said);
    assert.doesNotMatch(said, /sEcret/);
    assert.ok(decodeURIComponent(server.received[0] ?? '').startsWith(`GET /api/v1?access_token=${accessToken}\n`));
  });
});
