import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { cleanUp, json, serve, type TestServer } from '../support/servers.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { inSteps, inWorkspace, openWindowSignedInAt } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const accessToken = 'granted-t0ken-of-the-test';
const MEGABYTE = 1_000_000;

/** A collection in Siren, with a form and a file. */
const apps = {
  title: 'Apps',
  properties: { total: 2 },
  links: [
    { rel: ['self'], href: '/api/v1/apps' },
    {
      rel: ['download'],
      title: 'Tide Table.apk',
      href: '/api/v1/apps/7/android',
      type: 'application/vnd.android.package-archive',
    },
  ],
  actions: [
    {
      name: 'create',
      title: 'Create an App',
      method: 'POST',
      href: '/api/v1/apps',
      type: 'application/json',
      fields: [
        { name: 'title', type: 'text', title: 'Title', required: true },
        { name: 'builds', type: 'number', title: 'Builds', value: 1 },
        { name: 'key_pw', type: 'text', title: 'Key Password' },
      ],
    },
  ],
};

describe('requests and downloads', function () {
  inSteps(this);

  let workbench: WorkbenchPage;
  let server: TestServer;
  /** Requests that change something, with their bodies. */
  const changes: string[] = [];
  /** The download that is under way. */
  let download: ServerResponse | undefined;
  const downloads = new EventEmitter();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://service');
    if (pathname === '/token') {
      json(response, { token: accessToken });
    } else if (request.method !== 'GET') {
      changes.push(`${request.method ?? ''} ${pathname} ${await text(request)}`);
      response.setHeader('location', `/api/v1/apps/8?access_token=${accessToken}`);
      json(response, { id: 8, title: 'Harbour', link: '/api/v1/apps/8', token_seen: accessToken }, 201);
    } else if (pathname === '/api/v1/apps') {
      response.writeHead(200, { 'content-type': 'application/vnd.siren+json' }).end(JSON.stringify(apps));
    } else if (pathname === '/api/v1/slow') {
      response.once('close', () => downloads.emit('given up'));
    } else if (pathname.endsWith('/android')) {
      download = response;
      const headers = {
        'content-length': 20 * MEGABYTE,
        'content-disposition': 'attachment; filename="Tide Table.apk"',
      };
      response.writeHead(200, headers).write(Buffer.alloc(7 * MEGABYTE, 1), () => downloads.emit('begun'));
    } else {
      json(response, { username: 'ann', email: 'ann@example.com', apps: { link: '/api/v1/apps' } });
    }
  }

  before(async () => {
    server = await serve((request, response) => void answer(request, response));
    workbench = await openWindowSignedInAt(server, { username: 'ann', password: 'anything', email: 'ann@example.com' });
  });

  after(cleanUp);

  it('asks for the fields of a form, with defaults, checks and a masked secret', async () => {
    await workbench.expandTreeRow(/^Apps/);
    await workbench.treeRow('Create an App').click();
    await workbench.question('Title (required)').waitFor();
    await workbench.quickInput.press('Enter');
    await workbench.question('Title needs a value.').waitFor();
    await workbench.screenshots('request-field');
    await workbench.answerInput('Create an App (1/3)', 'Harbour');
    await workbench.question('Builds').waitFor();
    assert.equal(await workbench.quickInput.inputValue(), '1');
    await workbench.answerInput('Create an App (2/3)', 'many');
    await workbench.question('Builds takes a number.').waitFor();
    await workbench.answerInput('Create an App (2/3)', '12');
    await workbench.question('Key Password').waitFor();
    assert.equal(await workbench.quickInput.getAttribute('type'), 'password');
    await workbench.answerInput('Key Password', 'op3n-sesame');
  });

  it('names method and target before anything is sent', async () => {
    const { host } = new URL(server.url);
    await workbench.dialog.getByText(`Send POST to ${host}/api/v1/apps?`).waitFor();
    assert.doesNotMatch(await workbench.dialog.innerText(), /op3n-sesame|granted/);
    await workbench.screenshots('request-question');
    assert.deepEqual(changes, []);
    await workbench.answerDialog('Send');
  });

  it('shows the answer with status, headers and time, without secrets', async () => {
    await workbench.tab('POST ∕api∕v1∕apps 201').waitFor();
    assert.deepEqual(changes, ['POST /api/v1/apps {"title":"Harbour","builds":12,"key_pw":"op3n-sesame"}']);
    const shown = await workbench.editorText();
    assert.match(shown, /HTTP\/1\.1 201 Created/);
    assert.match(shown, /# \d+ ms/);
    assert.match(shown, /"title": "Harbour"/);
    assert.doesNotMatch(shown, /granted|op3n-sesame/);
    await workbench.screenshots('response');
  });

  it('sends a JSON body that was written in an editor', async () => {
    await workbench.runCommand('App Build: Send Request…');
    await workbench.answerInput('Path or link', '/api/v1/apps/8');
    await workbench.question('Method of the request to /api/v1/apps/8').waitFor();
    await workbench.screenshots('request-method');
    await workbench.pick('PATCH');
    await workbench.pick('JSON');
    await workbench.page
      .locator('.codelens-decoration')
      .getByText(`Send PATCH to ${new URL(server.url).host}/api/v1/apps/8`)
      .waitFor();
    await workbench.page.keyboard.type('"title": "Quay');
    await workbench.screenshots('request-editor');
    await workbench.page.locator('.codelens-decoration').getByText('Send PATCH to').click();
    await workbench.answerDialog('Send');
    await workbench.tab('PATCH ∕api∕v1∕apps∕8 201').waitFor();
    assert.match(changes[1] ?? '', /^PATCH \/api\/v1\/apps\/8 \{\s+"title": "Quay"\s+\}\s*$/);
    await workbench.screenshots('response-beside');
  });

  it('copies the request as a command line without the token', async () => {
    await workbench.chooseTreeRowItem('Create an App', 'Copy as cURL');
    const copied = await workbench.clipboard();
    assert.match(copied, /^curl -X POST "http.* --url-query "auth_token=\$APP_BUILD_TOKEN"$/);
    assert.doesNotMatch(copied, /granted/);
  });

  it('cancels a request that takes long, in silence', async () => {
    const givenUp = once(downloads, 'given up');
    await workbench.clearNotifications();
    await workbench.runCommand('App Build: Get Resource by Path or Link…');
    await workbench.answerInput('Path or link', '/api/v1/slow');
    await workbench.clickNotification('Loading /api/v1/slow', 'Cancel');
    await givenUp;
    await workbench.notification('Loading').waitFor({ state: 'hidden' });
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('cancels a download and leaves nothing behind', async () => {
    const file = await startDownload();
    const ended = download && once(download, 'close');
    await workbench.clickNotification('Downloading Tide Table.apk', 'Cancel');
    await ended;
    await workbench.notification('Downloading Tide Table.apk').waitFor({ state: 'hidden' });
    // The notification goes before the extension host has removed the file.
    const left = async () => (await readdir(path.dirname(file))).filter((name) => name.includes('Tide Table'));
    await waitUntil(async () => (await left()).length === 0);
  });

  it('shows bytes and percent while it downloads, then offers the file', async () => {
    const file = await startDownload();
    await workbench.screenshots('download');
    await assert.rejects(stat(file), { code: 'ENOENT' });
    download?.end(Buffer.alloc(13 * MEGABYTE, 2));
    const done = workbench.notification('Tide Table.apk is downloaded.');
    await done.waitFor();
    assert.equal((await readFile(file)).length, 20 * MEGABYTE);
    assert.deepEqual(await done.locator('.monaco-button').allInnerTexts(), ['Reveal', 'Open']);
    await workbench.screenshots('downloaded');
    await workbench.clickNotification('is downloaded', 'Reveal');
    await workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'Tide Table.apk' }).waitFor();
    await workbench.openViewContainer('App Build');
  });

  it('asks before it replaces a file', async () => {
    await workbench.treeRow('Tide Table.apk').click();
    await workbench.question('Download').waitFor();
    await workbench.suggestedFile(/\/home\/Tide Table\.apk$/);
    await workbench.saveInto(inWorkspace('Tide Table.apk'));
    await workbench.question('already exists').waitFor();
    await workbench.screenshots('download-replace');
    await workbench.page.keyboard.press('Escape');
  });

  it('sends fields and files that were entered one by one', async () => {
    await workbench.runCommand('App Build: Send Request…');
    await workbench.answerInput('Path or link', '/api/v1/apps/9');
    await workbench.question('Method of the request to').waitFor();
    await workbench.pick('PUT');
    await workbench.pick('Form Fields and Files');
    await workbench.pick('Add Field…');
    await workbench.answerInput('PUT /api/v1/apps/9 (1/2)', 'client_secret');
    await workbench.question('PUT /api/v1/apps/9 (2/2)').waitFor();
    assert.equal(await workbench.quickInput.getAttribute('type'), 'password');
    await workbench.answerInput('PUT /api/v1/apps/9 (2/2)', 'hidden-v4lue');
    await workbench.pick('Add File…');
    await workbench.answerInput('PUT /api/v1/apps/9 (1/2)', 'package');
    await workbench.pick('Tide Table.apk');
    await workbench.quickPickRow('package').waitFor();
    assert.deepEqual(await workbench.quickPickLabels(), [
      'Send',
      'Add Field…',
      'Add File…',
      'client_secret',
      'package',
    ]);
    await workbench.screenshots('request-form');
    await workbench.pick('Send');
    assert.doesNotMatch(await workbench.dialog.innerText(), /hidden-v4lue/);
    await workbench.answerDialog('Send');
    await workbench.tab('PUT ∕api∕v1∕apps∕9 201').waitFor();
    const sent = changes.at(-1) ?? '';
    assert.match(sent, /name="client_secret"\r\n\r\nhidden-v4lue\r\n/);
    assert.match(sent, /name="package"; filename="Tide Table\.apk"/);
    assert.ok(sent.length > 20 * MEGABYTE);
  });

  /** Starts the download into the folder that is open, until its first part has arrived. @returns the file's path. */
  async function startDownload(): Promise<string> {
    const begun = once(downloads, 'begun');
    await workbench.treeRow('Tide Table.apk').click();
    await workbench.question('Download').waitFor();
    await workbench.suggestedFile(/\/home\/Tide Table\.apk$/);
    const file = inWorkspace('Tide Table.apk');
    await workbench.saveInto(file);
    await begun;
    await workbench.notification(/7\.0 MB of 20\.0 MB \(35%\)/).waitFor();
    return file;
  }
});
