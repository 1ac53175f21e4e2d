import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Apps } from '../../src/apps/apps.ts';
import type { BuildProgress } from '../../src/apps/watching/buildWatcher.ts';
import type { TestAccess } from '../../src/extension.ts';
import { OriginalService } from '../support/originalService.ts';
import { activated, logged, next, signOutEverywhere } from './support/extension.ts';
import { fresh } from './support/freshService.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';

interface Started {
  readonly app: string;
  readonly builds: readonly { readonly platform: string; readonly state: string }[];
}

/** As the README says; its example runs in the end-to-end tests. */
describe('a command that another extension runs', () => {
  let access: TestAccess;
  let apps: Apps;
  let service: OriginalService;
  const person = userOfEachTest();
  let id: number;
  let url: string;

  before(async () => {
    access = await activated();
    apps = await access.loadApps();
    service = await OriginalService.start();
  });

  beforeEach(async () => {
    fresh(service);
    service.addKey('ios', { default: true, locked: false });
    id = service.addApp({ title: 'Tide', repo: 'https://ann:pass@git.example/tide.git' });
    url = service.appUrl(id);
    await signInAtService(access, service);
    service.requests.length = 0;
  });

  after(() => service.close());

  const run = <T>(command: string, argument: unknown): Promise<T> =>
    Promise.resolve(vscode.commands.executeCommand<T>(`appBuild.${command}`, argument));
  const nothingWasAsked = () => {
    assert.deepEqual([person.notifications, person.questions, person.pages, person.copied], [[], [], [], []]);
  };
  const isBuilding =
    (name: string) =>
    ({ builds }: BuildProgress) =>
      builds.some(({ platform, state }) => platform === name && state === 'building');
  const openPaths = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

  it('reads a resource: plain JSON with its links, and opens nothing', async () => {
    const path = `/api/v1/apps/${id}`;
    const link = `${path}/download/android?access_token=${service.token}&v=1`;
    service.change(id, { download: { android: link }, token: 'made-for-somebody', note: service.token });
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
    const { title, repo, token, note } = read.resource;
    assert.deepEqual([title, repo, token, note], ['Tide', 'https://git.example/tide.git', '***', '***']);
    assert.deepEqual(
      read.links.filter(({ rel }) => rel === 'self' || rel === 'android'),
      [
        { rel: 'self', pointer: '/link', url },
        { rel: 'android', pointer: '/download/android', url: `${url}/download/android?v=1` },
      ],
    );
    for (const secret of [service.token, 'ann:pass', 'made-for-somebody']) {
      assert.ok(!JSON.stringify(read).includes(secret));
    }
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

  it('builds an app for what it has, and waits until it is built', async () => {
    const started = await run<Started>('buildApp', { app: 'Tide' });
    const states = ({ builds }: Started) => builds.map(({ platform, state }) => `${platform} ${state}`);
    assert.deepEqual(states(started), ['android building', 'ios building', 'winphone building']);
    assert.equal(started.app, url);
    service.finishAll();
    service.requests.length = 0;
    const built = run<Started>('buildApp', { app: url, platforms: ['ios'], wait: 60 });
    await next(apps.watcher.onDidChange, isBuilding('ios'));
    service.finish(id, 'ios', 'error', `No key ${service.token}`);
    const { builds } = await built;
    const log = `${url}/logs/ios/build`;
    assert.deepEqual(builds, [{ platform: 'ios', state: 'failed', error: 'No key ***', log }]);
    assert.equal(service.requests.filter((line) => line.startsWith('POST')).length, 1);
    assert.ok(!JSON.stringify(builds).includes(service.token));
    assert.deepEqual([person.questions, person.pages], [[], []]);
  });

  it('waits no longer than it is told, and until it is cancelled; the build goes on', async () => {
    const late = await run<Started>('buildApp', { app: 'Tide', platforms: ['ios'], wait: 0.05 });
    assert.deepEqual(
      late.builds.map(({ state }) => state),
      ['building'],
    );
    const source = new vscode.CancellationTokenSource();
    const { token } = source;
    const waiting = run('buildApp', { app: 'Tide', platforms: ['android'], wait: 60, token });
    await next(apps.watcher.onDidChange, isBuilding('android'));
    source.cancel();
    await assert.rejects(waiting, vscode.CancellationError);
    assert.equal(apps.watcher.of(url)?.state, 'building');
    await assert.rejects(run('getResource', { url, token }), vscode.CancellationError);
    nothingWasAsked();
  });

  it('fails for the caller alone, by the name of what is wrong', async () => {
    service.addApp({ title: 'Twin' });
    service.addApp({ title: 'Twin' });
    service.keys.clear();
    service.addKey('ios', { title: 'Store', default: true, locked: true });
    service.answer('GET', /\/down$/, { status: 503, body: `{"error":"Down ${service.token}"}` });
    for (const [command, argument, code, message] of [
      ['getResource', {}, 'invalidInput', /^appBuild\.getResource needs a text as “url”\. Give a path or link/],
      ['openResource', { url, method: 'PUT' }, 'invalidInput', /^appBuild\.openResource does not know “method”/],
      [
        'getResource',
        { url: 'https://evil.example/' },
        'invalidInput',
        /^evil\.example is not an address of the service/,
      ],
      ['getResource', { url: 'file:///etc/passwd' }, 'invalidInput', /./],
      ['getResource', { url: '/down' }, 'service', /Down \*\*\*/],
      ['buildApp', { app: 7 }, 'invalidInput', /needs a text as “app”/],
      ['buildApp', { app: 'Moon' }, 'invalidInput', /^You have no app called Moon/],
      ['buildApp', { app: service.token }, 'invalidInput', /^You have no app called \*\*\*/],
      ['buildApp', { app: 'Twin' }, 'invalidInput', /^You have several apps called Twin/],
      ['buildApp', { app: '/api/v1/keys' }, 'notAnApp', /is not an app/],
      ['buildApp', { app: 'Tide', platforms: ['ios'] }, 'invalidInput', /^The signing key “Store” for ios is locked/],
      [
        'buildApp',
        Object.defineProperty({}, 'app', { enumerable: true, get: () => assert.fail('x') }),
        'unexpected',
        /./,
      ],
    ] as const) {
      await assert.rejects(run(command, argument), (error: Error & { code?: string }) => {
        assert.deepEqual([error.name, error.code], ['AppBuildError', code], error.message);
        assert.match(error.message, message);
        assert.ok(!error.message.includes(service.token));
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
      await assert.rejects(run(command, argument), { name: 'AppBuildError', code: 'notConnected' });
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
