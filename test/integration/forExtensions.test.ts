import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { appsOfTests, extensionOfTests, logged, signOutEverywhere } from './support/extension.ts';
import { originalServiceOfTests } from './support/originalServiceOfTests.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';

interface Started {
  readonly app: string;
  readonly builds: readonly { readonly platform: string; readonly state: string }[];
}

/** As docs/agents.md says; its example runs in the end-to-end tests. */
describe('a command that another extension runs', () => {
  const access = extensionOfTests();
  const apps = appsOfTests();
  const service = originalServiceOfTests();
  const person = userOfEachTest();
  let id: number;
  let url: string;

  beforeEach(async () => {
    service.addKey('ios', { default: true, locked: false });
    id = service.addApp({ title: 'Tide' });
    url = service.appUrl(id);
    await signInAtService(access, service);
    service.requests.length = 0;
  });

  const run = <T>(command: string, argument: unknown): Promise<T> =>
    Promise.resolve(vscode.commands.executeCommand<T>(`appBuild.${command}`, argument));
  const nothingWasAsked = () => {
    assert.deepEqual([person.notifications, person.questions, person.pages, person.copied], [[], [], [], []]);
  };
  const openPaths = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

  it('reads a resource: plain JSON with its links, and opens nothing', async () => {
    const path = `/api/v1/apps/${id}`;
    const link = `${path}/download/android?access_token=${service.token}&v=1`;
    service.change(id, { download: { android: link }, note: service.token });
    const read = await run<{ resource: Record<string, unknown>; links: Record<string, unknown>[] }>('getResource', {
      url: path,
    });
    assert.deepEqual(structuredClone(read), JSON.parse(JSON.stringify(read)));
    assert.deepEqual(
      { ...read, resource: undefined, links: undefined },
      {
        url,
        status: 200,
        mediaType: 'application/json',
        resource: undefined,
        links: undefined,
      },
    );
    const { title, note } = read.resource;
    assert.deepEqual([title, note], ['Tide', '***']);
    assert.deepEqual(
      read.links.filter(({ rel }) => rel === 'self' || rel === 'android'),
      [
        { rel: 'self', pointer: '/link', url },
        { rel: 'android', pointer: '/download/android', url: `${url}/download/android?v=1` },
      ],
    );
    assert.ok(!JSON.stringify(read).includes(service.token));
    assert.deepEqual(openPaths(), []);
    nothingWasAsked();
  });

  it('reads text as text, and says of a file no more than what it is', async () => {
    const answer = (type: string, body: string) => {
      service.answerNormally();
      service.answer('GET', /\/x$/, { status: 200, headers: { 'content-type': type }, body });
      return run<Record<string, unknown>>('getResource', { url: `${service.url}/x` });
    };
    const { mediaType, text, resource } = await answer('text/plain; charset=utf-8', `1 ${service.token}`);
    assert.deepEqual([mediaType, text, resource], ['text/plain', '1 ***', undefined]);
    assert.deepEqual(await answer('application/zip', 'PK\u0003\u0004'), {
      ...{ url: `${service.url}/x`, status: 200, mediaType: 'application/zip', links: [] },
    });
  });

  it('opens a resource, and answers with its address; a file is not opened, and nobody is asked', async () => {
    const [, path] = [await run('openResource', { url }), `/api/v1/apps/${id}`];
    assert.deepEqual(await run('openResource', { url: `${path}?auth_token=abc` }), { url });
    assert.deepEqual(openPaths(), [`${id}.json`]);
    service.answer('GET', /\/zip$/, { status: 200, headers: { 'content-type': 'application/zip' }, body: 'PK' });
    assert.equal(await run('openResource', { url: '/zip' }), undefined);
    nothingWasAsked();
  });

  it('builds an app for what it has, or for what is named, and has it watched', async () => {
    const states = ({ builds }: Started) => builds.map(({ platform, state }) => `${platform} ${state}`);
    const started = await run<Started>('buildApp', { app: 'Tide' });
    assert.deepEqual(states(started), ['android building', 'ios building', 'winphone building']);
    assert.equal(started.app, url);
    service.finishAll();
    service.requests.length = 0;
    assert.deepEqual(states(await run('buildApp', { app: url, platforms: ['ios'] })), ['ios building']);
    assert.equal(service.requests.filter((line) => line.startsWith('POST')).length, 1);
    assert.equal(apps.watcher.of(url)?.state, 'building');
    assert.deepEqual([person.questions, person.pages], [[], []]);
  });

  it('fails for the caller alone, by the name of what is wrong', async () => {
    service.addApp({ title: 'Twin' });
    service.addApp({ title: 'Twin' });
    service.keys.clear();
    service.addKey('ios', { title: 'Store', default: true, locked: true });
    service.answer('GET', /\/down$/, { status: 503, body: `{"error":"Down ${service.token}"}` });
    for (const [command, argument, message] of [
      ['getResource', {}, /^appBuild\.getResource needs a text as “url”\. Give a path or link/],
      ['openResource', { url, method: 'PUT' }, /^appBuild\.openResource does not know “method”/],
      ['getResource', { url: 'https://evil.example/' }, /^evil\.example is not an address of the service/],
      ['getResource', { url: 'file:///etc/passwd' }, /./],
      ['getResource', { url: '/down' }, /Down \*\*\*/],
      ['buildApp', { app: 7 }, /needs a text as “app”/],
      ['buildApp', { app: 'Tide', wait: 60 }, /does not know “wait”\. It takes: app, platforms\./],
      ['buildApp', { app: 'Moon' }, /^You have no app called Moon/],
      ['buildApp', { app: service.token }, /^You have no app called \*\*\*/],
      ['buildApp', { app: 'Twin' }, /^You have several apps called Twin/],
      ['buildApp', { app: '/api/v1/keys' }, /is not an app/],
      ['buildApp', { app: 'Tide', platforms: ['ios'] }, /^The signing key “Store” for ios is locked/],
      [
        'buildApp',
        Object.defineProperty({}, 'app', { enumerable: true, get: () => assert.fail(`x ${service.token}`) }),
        /^Something unexpected went wrong/,
      ],
    ] as const) {
      await assert.rejects(run(command, argument), (error: Error) => {
        assert.match(error.message, message);
        assert.ok(!inspect(error, { showHidden: true }).includes(service.token));
        return true;
      });
    }
    assert.ok(
      service.requests.every((line) => !/^(POST|PUT)/.test(line)),
      service.requests.join(),
    );
    nothingWasAsked();
    assert.match(await logged(access), /appBuild\.buildApp: You have no app called Moon/);
  });

  it('says that nobody is signed in, and opens no page for it', async () => {
    await signOutEverywhere(access);
    for (const [command, argument] of [
      ['getResource', { url }],
      ['openResource', { url }],
      ['buildApp', { app: 'Tide' }],
    ] as const) {
      await assert.rejects(run(command, argument), /No application build service is connected yet\./);
    }
    nothingWasAsked();
    assert.ok(
      service.requests.every((line) => !line.includes('/apps')),
      service.requests.join(),
    );
  });

  it('shows its failure where a person runs it with a path', async () => {
    assert.equal(await run('openResource', 'https://evil.example/'), undefined);
    assert.equal(await run('getResource', '/nothing'), undefined);
    assert.equal(await run('buildApp', 'Moon'), undefined);
    assert.equal(person.notifications.length, 3);
  });
});
