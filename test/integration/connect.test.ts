import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import { cleanUp, freePort, json, serve, type TestServer } from '../support/servers.ts';
import type { TestAccess } from '../../src/extension.ts';
import { activated, configure, signOutEverywhere } from './support/extension.ts';
import { AS_PROPOSED, RecordingUser } from './support/recordingUser.ts';

const CHANGE = 'Change';
const USE_ANYWAY = 'Use Anyway';

describe('connecting to a service', () => {
  let access: TestAccess;
  let user: RecordingUser;
  let service: TestServer;
  let page: TestServer;

  before(async () => {
    access = await activated();
  });

  beforeEach(async () => {
    user = new RecordingUser();
    service = await serve((_request, response) => json(response, { error: 'Missing authentication.' }, 401));
    page = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Intranet [x](command:y)</title>'),
    );
  });

  afterEach(async () => {
    user.dispose();
    await signOutEverywhere(access);
    await cleanUp();
  });

  const hostOf = ({ url }: { readonly url: string }) => new URL(url).host;
  const setting = () => vscode.workspace.getConfiguration('appBuild').get<string>('serviceUrl', '');
  /** Types into the boxes in turn, and presses the buttons of the questions in turn. */
  async function connect(typed: readonly string[], pressed: readonly string[] = []): Promise<void> {
    const buttons = [...pressed];
    user.answers = {
      typed: [...typed],
      press: (_text, offered) => (offered.includes(CHANGE) ? buttons.shift() : undefined),
    };
    await vscode.commands.executeCommand('appBuild.connect');
    assert.deepEqual(buttons, [], 'a question was not asked');
  }

  it('takes an address as one types it, and says “Connected” when a build service answers', async () => {
    await connect([`${hostOf(service)}/api/v1/`, AS_PROPOSED, '']);
    assert.equal(setting(), service.url);
    assert.match(user.notifications.join('\n'), new RegExp(`^Connected to ${hostOf(service)}\\.`, 'm'));
    assert.equal(service.received.length, 1);
    assert.match(service.received[0] ?? '', /^GET \/api\/v1\/me\n/);
    assert.doesNotMatch(service.received[0] ?? '', /authorization|cookie/i);
  });

  it('says what was found instead, and goes back to the box with the address', async () => {
    await connect([hostOf(page), hostOf(service), AS_PROPOSED, ''], [CHANGE]);
    assert.match(
      user.notifications[0] ?? '',
      /^A web page answers at 127\.0\.0\.1:\d+, not a build service: “Intranet/,
    );
    assert.doesNotMatch(user.notifications[0] ?? '', /\[x\]\(command:y\)/);
    assert.equal(setting(), service.url);
  });

  it('uses it anyway, and does not say “Connected”', async () => {
    await connect([page.url, AS_PROPOSED, ''], [USE_ANYWAY]);
    assert.equal(setting(), page.url);
    assert.match(user.notifications.at(-1) ?? '', /is in use, although no build service answered there/);
    assert.doesNotMatch(user.notifications.join('\n'), /Connected/);
  });

  it('changes nothing when the question is closed', async () => {
    await configure({ serviceUrl: 'https://build.example.com' });
    const url = `http://127.0.0.1:${await freePort()}`;
    user.answers = { typed: [url, AS_PROPOSED, ''], press: () => undefined };
    await vscode.commands.executeCommand('appBuild.connect');
    assert.equal(user.notifications.length, 1);
    assert.match(user.notifications[0] ?? '', /^Nothing answers at 127\.0\.0\.1:\d+\./);
    assert.equal(setting(), 'https://build.example.com');
  });

  it('offers the address that a redirect leads to, and asks it only when it is chosen', async () => {
    const moved = await serve((request, response) =>
      response.writeHead(301, { location: service.url + (request.url ?? '') }).end(),
    );
    await connect([moved.url, AS_PROPOSED, AS_PROPOSED, ''], [`Use ${hostOf(service)}`]);
    assert.match(user.notifications[0] ?? '', /^This address leads to another server/);
    assert.equal(service.received.length, 1);
    assert.equal(setting(), service.url);
  });

  it('asks nothing of an address that the settings are changed to by hand', async () => {
    await configure({ serviceUrl: page.url });
    assert.equal((await access.connections.current()).kind, 'signedOut');
    assert.deepEqual(page.received, []);
  });
});
