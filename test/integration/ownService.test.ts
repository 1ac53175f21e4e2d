import assert from 'node:assert/strict';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ownerName } from '../../src/build-service/store/owner.ts';
import { Browser, decide } from '../support/consent.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { getTestApps, configure, getTestExtension, logged, next, until } from './support/extension.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { bringBack, nextPage } from './support/signingIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { deleteFiles, WEB_PROJECT, writeFiles } from './support/webProject.ts';

describe('a user’s local service', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  const person = useRecordingUser();

  before(() => configure({ serviceUrl: undefined }));

  afterEach(() => access.localService.stop());

  const run = (command: string) => vscode.commands.executeCommand(`appBuild.${command}`);
  const said = () => person.notifications.join('\n');
  const accountName = async () => (await access.connections.requireSignedIn()).username;
  const dataFolder = () => path.join(access.context.globalStorageUri.fsPath, 'localService');
  const onlySession = async () => {
    const [session, ...others] = await access.sessions.all();
    assert.ok(session);
    assert.deepEqual(others, []);
    return session;
  };
  /** Opens a browser that the service has signed in as its owner. */
  const ownBrowser = async (origin: string): Promise<Browser> => {
    const browser = new Browser(origin);
    const { service } = await access.connections.requireSignedIn();
    assert.equal((await browser.follow((await service.signInPage?.(`${origin}/account`)) ?? '')).status, 200);
    return browser;
  };

  it('signs in as its owner without any interruption when Build App runs and no service is chosen', async () => {
    await writeFiles(WEB_PROJECT);
    try {
      assert.equal((await access.connections.current()).kind, 'unconfigured');
      await run('buildFolder');
      const session = await onlySession();
      assert.deepEqual([session.username, session.scopes, session.tokenType], [ownerName(), [], 'accessToken']);
      const secret = await access.context.secrets.get(`session/${session.id}`);
      assert.equal((JSON.parse(secret ?? '') as { readonly accessToken: string }).accessToken, session.accessToken);
      assert.deepEqual(person.pages, []);
      assert.doesNotMatch(person.questions.join('\n'), /Sign In|which application build service/i);
      assert.doesNotMatch([said(), ...person.progress].join('\n'), /sign(ed|ing)? in/i);
      const [watched, ...others] = apps.watcher.all;
      assert.ok(watched);
      assert.deepEqual(others, []);
      assert.equal(new URL(watched.appUrl).origin, session.service.origin);
      assert.equal((await apps.watcher.waitForEnd(watched.appUrl)).kind, 'ended');
      // A service with one user has no collaborators, and one that builds for Android has no other platform.
      await until(access.tree.onDidChangeTreeData, async () => {
        const [folder] = await access.tree.getChildren();
        const rows = await new TreeRows(access.tree).rows(folder);
        return rows.map((row) => row.split(' | ')[0]).join() === 'Android,More';
      });
      const places = [await logged(access), said(), ...person.questions, ...person.progress, ...person.context];
      assert.ok(!places.join('\n').includes(session.accessToken));
    } finally {
      await deleteFiles('config.xml', 'www', '.vscode');
    }
  });

  it('is signed in after Start Local Service, which shows its address, and supports Sign Out and Stop', async () => {
    await run('startLocalService');
    const { service, id } = await onlySession();
    assert.match(said(), new RegExp(`^The local service is running at ${new URL(service.href).host}\\.`));
    assert.doesNotMatch(said(), /Sign In|demo/);
    await run('startLocalService');
    assert.equal((await onlySession()).id, id);
    await run('signOut');
    assert.deepEqual(await access.sessions.all(), []);
    assert.equal(await access.context.secrets.get(`session/${id}`), undefined);
    assert.equal((await access.connections.current()).kind, 'signedOut');
  });

  it('signs the window out after its token was revoked', async () => {
    await run('startLocalService');
    const { service, id } = await onlySession();
    const { client, service: used } = await access.connections.requireSignedIn();
    const browser = await ownBrowser(service.origin);
    const { clientId = '' } = (await used.registration()) ?? {};
    const page = await (await browser.open('/account')).text();
    await browser.submit(page, `/account/applications/${clientId}/revoke`);
    const expired = next(access.connections.onDidExpire);
    await assert.rejects(client.me(), { kind: 'unauthorized' });
    await expired;
    assert.deepEqual(await access.sessions.all(), []);
    assert.equal(await access.context.secrets.get(`session/${id}`), undefined);
  });

  it('opens the consent page for Sign In in a browser that was never signed in', async () => {
    const { origin } = await access.localService.start();
    const waiting = nextPage(access.callbacks);
    person.answers.browse = () => undefined;
    const signingIn = run('signIn');
    const page = await waiting;
    const browser = new Browser(origin);
    const location = await decide(browser, await browser.follow(page));
    person.dispose();
    await bringBack(access.callbacks, location);
    await signingIn;
    assert.equal((await onlySession()).username, ownerName());
    // The address that the browser was sent to works only once.
    assert.match(await (await new Browser(origin).follow(page)).text(), /<title>Sign in/);
  });

  it('stops for Try with Demo Data, which has separate data, and starts again on request', async () => {
    await run('startLocalService');
    const own = await onlySession();
    await run('tryDemo');
    assert.equal(await accountName(), 'demo');
    const connection = await access.connections.requireSignedIn();
    assert.equal(connection.service.demo, true);
    const { host } = connection.service.url;
    assert.match(said(), new RegExp(`^The local service is running at ${host}\\.$`, 'm'));
    assert.notEqual(connection.service.url.origin, own.service.origin);
    await assert.rejects(fetch(own.service.href));
    assert.equal(access.globalState.get('localServiceDemo'), true);
    access.localService.resume();
    assert.equal(await accountName(), 'demo');
    await run('startLocalService');
    assert.equal(await accountName(), own.username);
    assert.equal((await access.connections.requireSignedIn()).service.url.origin, own.service.origin);
    assert.deepEqual(person.pages, []);
  });

  describe('that is stopped', () => {
    const isAway = async () => {
      assert.equal((await access.connections.current()).kind, 'unconfigured');
      assert.equal(access.localService.isRunning, false);
      assert.equal(access.globalState.get('localService'), undefined);
    };

    it('doesn’t appear if it’s stopped while it starts', async () => {
      const starting = access.localService.start();
      await access.localService.stop();
      await assert.rejects(starting, { kind: 'cancelled' });
      await isAway();
    });

    it('isn’t restarted by an earlier request', async () => {
      await run('startLocalService');
      const { service } = await access.connections.requireSignedIn();
      await access.localService.stop();
      await service.ready();
      await assert.rejects(service.registration(), { kind: 'cancelled' });
      await isAway();
    });

    it('isn’t selected by a request that found the service’s new address before the stop', async () => {
      await run('tryDemo');
      const { service } = await access.connections.requireSignedIn();
      await run('startLocalService');
      const ready = service.ready();
      // The request knows the service's address by now.
      await setImmediate();
      await access.localService.stop();
      await ready;
      await isAway();
    });
  });

  it('is offered by Sign In while no service is chosen', async () => {
    person.answers = { typed: [], lists: [[]] };
    await run('signIn');
    for (const entry of ['Local Service', 'Demo Data', 'Connect to a Service…']) {
      assert.ok(person.questions.join('\n').includes(entry), entry);
    }
    assert.equal(access.localService.isRunning, false);
  });

  it('signs this window in if another window’s process runs the service, and starts here when that process ends', async () => {
    const other: LocalService = await startLocalService({ dataFolder: dataFolder(), demo: false });
    try {
      await run('startLocalService');
      const { service, username } = await onlySession();
      assert.deepEqual([service.origin, username], [other.baseUrl, ownerName()]);
      await ownBrowser(other.baseUrl);
    } finally {
      await other.stop();
    }
    // The next request starts the service in this window, and the session is still valid.
    assert.equal((await until(access.connections.onDidChange, () => access.connections.current())).kind, 'signedIn');
    assert.equal(await accountName(), ownerName());
  });
});
