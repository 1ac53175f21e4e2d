import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getTestExtension, signOutEverywhere } from './support/extension.ts';
import { startInterceptingProxy, type InterceptingProxy } from './support/interceptingProxy.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAt } from './support/signedIn.ts';

/** Any extension and any keybinding can run a command with any argument. */
describe('an argument of a command', () => {
  const access = getTestExtension();
  let service: InterceptingProxy;
  let elsewhere: InterceptingProxy;
  const person = useRecordingUser();
  let asked: string[];

  before(async () => {
    service = await startInterceptingProxy();
    elsewhere = await startInterceptingProxy();
  });

  beforeEach(async () => {
    service.requests.length = 0;
    elsewhere.requests.length = 0;
    service.instead = () => ({ status: 200, body: JSON.stringify({ username: 'ann', token: 'a-token' }) });
    await signInAt(access, service.url);
    asked = [];
    person.answers.press = (text) => void asked.push(text);
  });

  after(async () => {
    await service.close();
    await elsewhere.close();
  });

  const run = (command: string, ...args: unknown[]) => vscode.commands.executeCommand(command, ...args);
  const noWebAddresses = [
    'file:///etc/passwd',
    'vscode://app-build.app-build-service/auth/callback?code=x',
    'command:workbench.action.quit',
    'javascript:alert(1)',
    'mailto:ann@example.com',
    'data:text/html,x',
    'ms-msdt:/id',
    '\\\\evil.example\\share',
    '/etc/passwd',
    '',
  ];

  it('opens only web addresses in the browser', async () => {
    for (const url of noWebAddresses) {
      await run('appBuild.openInBrowser', { url });
    }
    assert.deepEqual(person.pages, []);
    assert.equal(person.notifications.length, asked.length);
    assert.ok(asked.length > 0 && asked.every((text) => !text.startsWith('Open this link')), asked.join('\n'));
  });

  it('opens a page of the service immediately, and a page on another host only if the user agrees', async () => {
    await run('appBuild.openInBrowser', { url: `${service.url}/api/v1/me` });
    assert.deepEqual([person.pages, asked], [[`${service.url}/api/v1/me`], []]);
    const others = [`${elsewhere.url}/x`, 'https://evil.example/', service.url.replace('127.0.0.1', 'localhost')];
    for (const url of others) {
      await run('appBuild.openInBrowser', { url });
    }
    assert.equal(person.pages.length, 1);
    assert.deepEqual(
      asked,
      others.map(() => 'Open this link outside the service?'),
    );
    person.answers.press = () => 'Open';
    await run('appBuild.openInBrowser', { url: others[1] });
    assert.deepEqual(person.pages.slice(1), [others[1]]);
  });

  it('asks before opening any link while no service is known', async () => {
    await signOutEverywhere(access);
    await run('appBuild.openInBrowser', { url: `${service.url}/api/v1/me` });
    assert.deepEqual([person.pages, asked], [[], ['Open this link outside the service?']]);
  });

  it('copies only web addresses, without control characters', async () => {
    for (const url of noWebAddresses) {
      await run('appBuild.copyLink', { url });
    }
    assert.deepEqual(person.copied, []);
    await run('appBuild.copyLink', { url: `${service.url}/a\u0003\u009b'\u202e\n$(x)` });
    const [copied = ''] = person.copied;
    assert.match(copied, /^http:\/\/[!-~]+$/);
  });

  it('rejects a request with text that a terminal would execute', async () => {
    const form = (contentType: unknown, method: unknown = 'POST') => ({
      name: 'f',
      method,
      contentType,
      target: { kind: 'internal', url: service.url },
      fields: [{ name: 'a', value: 'b' }],
    });
    for (const argument of [
      { url: '/x', form: form('a\u0003\ntouch pwned\n#/x+json') },
      { url: '/x', form: form('application/json', 'POST\n') },
      { url: '/x', form: form(7) },
      { url: '/x', form: { method: 'POST', contentType: 'application/json' } },
      { url: '/x', method: 'GET\ntouch pwned\n' },
    ]) {
      await run('appBuild.copyAsCurl', argument);
      await run('appBuild.sendRequest', argument);
    }
    assert.deepEqual(person.copied, []);
    assert.ok(!service.requests.some((request) => request.endsWith('/x')), service.requests.join());
    assert.ok(
      asked.length === 10 && asked.every((text) => text.startsWith('This request can’t be sent')),
      asked.join('\n'),
    );
  });

  it('sends nothing to another host, in any command with an address', async () => {
    const url = `${elsewhere.url}/api/v1/apps`;
    const commands =
      'openResource getResource download sendRequest copyAsCurl copyAsJsonp refreshResource openTemplate loadMore retry sendDraft';
    for (const command of commands.split(' ')) {
      for (const argument of [
        url,
        { url, method: 'GET' },
        vscode.Uri.from({ scheme: 'app-build', authority: 'x', path: '/x.json', query: url }),
      ]) {
        // Commands that return a value to a program report failures by rejecting.
        await run(`appBuild.${command}`, argument).then(undefined, (error: unknown) => {
          assert.match(String(error), /isn’t an address of the service|doesn’t know/);
        });
      }
    }
    await run('appBuild.followLink', url, url);
    assert.deepEqual(elsewhere.requests, []);
    assert.deepEqual([person.pages, person.copied], [[], []]);
  });

  it('doesn’t copy a token with text that a terminal would execute', async () => {
    const token = 'abc\n\u0003touch pwned\n';
    service.instead = () => ({ status: 200, body: JSON.stringify({ username: 'ann', token }) });
    person.answers.typed = ['ann', 'password'];
    await run('appBuild.getAuthenticationToken');
    assert.deepEqual(person.copied, []);
    assert.match(person.notifications.join('\n'), /doesn’t contain a valid “token”/);
  });
});
