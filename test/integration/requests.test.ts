import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { uploadFile } from '../../src/extension/resources/requests/multipart.ts';
import { accessToken, cleanUp, json, serve, type TestServer } from '../support/servers.ts';
import { getTestExtension } from './support/extension.ts';
import { MemoryFiles } from './support/memoryFiles.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAt } from './support/signedIn.ts';

const tokenForms = [accessToken, encodeURIComponent(accessToken)];

describe('requests', () => {
  const access = getTestExtension();
  const person = useRecordingUser();
  let server: TestServer;
  let folder: string;
  /** Received requests, except those of the tree, with their bodies. */
  let received: { readonly line: string; readonly headers: IncomingMessage['headers']; readonly body: Buffer }[];
  let homes: number;
  /** Makes the server read slowly. Resolves when it starts. */
  let readSlowly: () => Promise<void>;
  let files: MemoryFiles;
  let registration: vscode.Disposable;

  before(async () => {
    server = await serve((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://service');
      if (pathname === '/api/v1') {
        homes += 1;
        json(response, { username: 'ann' });
        return;
      }
      if (pathname.endsWith('slow')) {
        void readSlowly().then(() => {
          request.resume().on('end', () => json(response, { id: 1 }, 201));
        });
        return;
      }
      void buffer(request).then((body) => {
        received.push({ line: `${request.method ?? ''} ${pathname}`, headers: request.headers, body });
        response.setHeader('x-echo', accessToken);
        const echo: unknown = pathname.endsWith('echo')
          ? JSON.parse(body.toString() || '["forgotten-word"]')
          : accessToken;
        json(response, { echo, id: 1 }, 201);
      });
    });
    files = new MemoryFiles();
    registration = vscode.workspace.registerFileSystemProvider('app-build-memory', files);
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-requests-'));
  });

  beforeEach(async () => {
    received = [];
    homes = 0;
    await signInAt(access, server.url);
  });

  after(async () => {
    await cleanUp();
    registration.dispose();
    await rm(folder, { recursive: true });
  });

  const send = (subject: unknown) => vscode.commands.executeCommand('appBuild.sendRequest', subject);
  const shown = () => vscode.window.activeTextEditor?.document.getText() ?? '';

  it('sends a GET without asking, and shows the response', async () => {
    await send({ url: '/api/v1/apps', method: 'GET' });
    assert.deepEqual(person.notifications, []);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'app-build-response');
    assert.equal(document.uri.scheme, 'app-build-response');
    assert.match(shown(), /^HTTP\/1\.1 201 Created\n# GET http[^]*"echo": "\*\*\*",\n/);
  });

  it('asks before any other method, and sends nothing if the user declines', async () => {
    person.answers.press = () => undefined;
    await send({
      url: '/api/v1/apps',
      method: 'POST',
      body: { kind: 'text', contentType: 'application/json', text: '{}' },
    });
    await send({ url: '/api/v1/apps/1?x=1&auth_token=left', method: 'delete' });
    const host = new URL(server.url).host;
    const [post = '', remove = ''] = person.notifications;
    assert.ok(
      post.startsWith(`Send POST to ${host}/api/v1/apps?`) && post.includes('2 bytes, application/json.'),
      post,
    );
    assert.ok(remove.startsWith(`Send DELETE to ${host}/api/v1/apps/1?`), remove);
    assert.ok(remove.includes(`${server.url}/api/v1/apps/1?x=1\n\nWithout a body.`), remove);
    assert.deepEqual(received, []);
  });

  it('sends the confirmed request, and reloads the tree', async () => {
    await access.tree.getChildren();
    const before = homes;
    await send({
      url: '/api/v1/apps',
      method: 'POST',
      body: { kind: 'text', contentType: 'application/json', text: '{"id":12345678901234567890}' },
    });
    assert.equal(received[0]?.line, 'POST /api/v1/apps');
    assert.equal(received[0].headers['content-type'], 'application/json');
    assert.equal(received[0].body.toString(), '{"id":12345678901234567890}');
    await access.tree.getChildren();
    assert.ok(homes > before, 'the tree was not loaded again');
  });

  it('streams files from disk and from another file system', async () => {
    await writeFile(path.join(folder, 'icon.png'), Buffer.alloc(300_000, 'disk'));
    const virtual = vscode.Uri.parse('app-build-memory:/config.xml');
    files.files.set(virtual.path, Buffer.alloc(200_000, 'memory'));
    const parts = [
      { name: 'title', value: 'Tide' },
      { name: 'icon', file: await uploadFile(vscode.Uri.file(path.join(folder, 'icon.png'))) },
      { name: 'config', file: await uploadFile(virtual) },
    ];
    await send({ url: '/api/v1/apps', method: 'POST', body: { kind: 'multipart', parts } });
    assert.match(
      person.notifications[0] ?? '',
      /With a form: title, icon\.png \(300\.0 kB\), config\.xml \(200\.0 kB\)\./,
    );
    const [{ headers, body } = assert.fail('nothing arrived')] = received;
    assert.equal(headers['content-length'], String(body.length));
    assert.match(headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
    assert.ok(body.includes(Buffer.alloc(300_000, 'disk')) && body.includes(Buffer.alloc(200_000, 'memory')));
  });

  it('reports each percent of a large upload once', async () => {
    readSlowly = () => person.untilProgress('POST /api/v1/slow');
    await writeFile(path.join(folder, 'large.bin'), Buffer.alloc(40_000_000));
    const file = await uploadFile(vscode.Uri.file(path.join(folder, 'large.bin')));
    await send({ url: '/api/v1/slow', method: 'POST', body: { kind: 'multipart', parts: [{ name: 'file', file }] } });
    const sent = person.progress.filter((text) => text.includes(' of '));
    assert.equal(sent.at(-1), '40.0 MB of 40.0 MB');
    assert.equal(new Set(sent).size, sent.length);
  });

  it('offers a choice if a form lists the values of a field', async () => {
    person.answers = { typed: [], lists: [['Large'], ['(no value)']] };
    const form = {
      name: 'order',
      method: 'POST',
      contentType: 'application/json',
      fields: [
        { name: 'size', title: 'Size', required: true, options: [{ value: 's' }, { value: 'l', title: 'Large' }] },
        { name: 'wrap', options: [{ value: 'paper' }] },
      ],
    };
    await send({ url: '/api/v1/orders', form });
    assert.equal(received[0]?.body.toString(), '{"size":"l"}');
  });

  it('sends a form with individually entered fields and files, except those that the user removed', async () => {
    person.answers = {
      typed: ['title', 'Tide', 'wrong', '1', 'icon'],
      lists: ['Form Fields and Files', 'Add Field…', 'Add Field…', 'wrong', 'Add File…', 'Send'].map((label) => [
        label,
      ]),
      files: [path.join(folder, 'icon.png')],
    };
    await writeFile(path.join(folder, 'icon.png'), 'picture');
    await send({ url: '/api/v1/apps', method: 'PUT' });
    const body = received[0]?.body.toString() ?? '';
    assert.match(body, /name="title"\s+Tide\s[^]*name="icon"; filename="icon\.png"[^]*picture/);
    assert.doesNotMatch(body, /wrong/);
  });

  it('copies a request without its secrets', async () => {
    await vscode.commands.executeCommand('appBuild.copyAsCurl', {
      url: `${server.url}/api/v1/apps?x=${encodeURIComponent(accessToken)}&auth_token=0ther`,
    });
    const curl = person.copied.at(-1) ?? '';
    assert.equal(curl, `curl -G "${server.url}/api/v1/apps?x=***" --data-urlencode "access_token=$APP_BUILD_TOKEN"`);
    const form = {
      ...{ name: 'f', method: 'POST', target: { kind: 'internal', url: server.url } },
      contentType: 'application/x-www-form-urlencoded',
      fields: Object.entries({ title: 'x', password: 'hunter22' }).map(([name, value]) => ({ name, value })),
    };
    await vscode.commands.executeCommand('appBuild.copyAsCurl', { url: `${server.url}/api/v1/apps`, form });
    const post = person.copied.at(-1) ?? '';
    assert.match(
      post,
      /^curl -X POST .* -H 'Content-Type: application\/x-www-form-urlencoded' --data-raw 'title=x' --url-query "access_token=\$APP_BUILD_TOKEN"$/,
    );
    for (const secret of [...tokenForms, 'hunter22', '0ther']) {
      assert.ok(![curl, post].some((text) => text.includes(secret)), secret);
    }
  });

  it('masks the content of a secret field while it’s sent, and forgets it afterward', async () => {
    const form = {
      name: 'unlock',
      method: 'POST',
      contentType: 'application/json',
      target: { kind: 'internal', url: `${server.url}/api/v1/echo` },
      fields: [{ name: 'key_pw', type: 'hidden', value: 'forgotten-word' }],
    };
    await send({ url: '/api/v1/echo', form });
    assert.equal(received[0]?.body.toString(), '{"key_pw":"forgotten-word"}');
    assert.match(shown(), /"key_pw": "\*\*\*"/);
    assert.doesNotMatch(person.notifications.join('\n') + shown(), /forgotten-word/);
    await send({ url: '/api/v1/echo', method: 'GET' });
    assert.match(shown(), /forgotten-word/);
  });
});
