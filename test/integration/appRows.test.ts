import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import type { TreeNode } from '../../src/extension/resources/tree/treeNode.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { OriginalService } from '../support/originalService.ts';
import { getTestApps, getTestExtension, next, until } from './support/extension.ts';
import { useOriginalService } from './support/useOriginalService.ts';
import { startInterceptingProxy, type InterceptingProxy } from './support/interceptingProxy.ts';
import { signInAtService } from './support/signedIn.ts';
import { spokenRow } from './support/spokenRow.ts';
import { TreeRows } from './support/treeRows.ts';
import { openFolder } from './support/webProject.ts';

describe('rows of apps', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  let view: TreeRows;
  let connection: SignedInConnection;

  before(() => {
    view = new TreeRows(access.tree);
  });

  const signIn = async (service: OriginalService | LocalService, url?: string) => {
    connection = await signInAtService(access, service, url);
    await access.tree.refresh();
  };
  const item = (node: TreeNode) => access.tree.getTreeItem(node);
  const getIcon = (node: TreeNode) => (item(node).iconPath as vscode.ThemeIcon).id;
  const getFlags = (node: TreeNode) => (view.getContext(node) ?? '').split(';').filter((flag) => flag !== '');
  const untilRows = (fit: () => boolean | Promise<boolean>) => until(access.tree.onDidChangeTreeData, fit);
  const spoken = (node: TreeNode) => spokenRow(item(node));

  describe('at the simulated original service', () => {
    const service = useOriginalService();

    it('shows each app’s state, version, and platforms, and under it the reason for a failed build, keys, collaborators, and other details', async () => {
      const id = service.addApp({ title: 'Shop', version: '2.4.1' });
      service.finish(id, 'android');
      service.finish(id, 'ios', 'error', 'Certificate <b>not</b> found.');
      await signIn(service);
      const shop = await view.at('Apps', 'Shop');
      assert.equal(view.shown(shop), 'Shop | 2.4.1 · Android ✓  iOS ✗');
      assert.equal(getIcon(shop), 'error');
      assert.equal(
        spoken(shop),
        'Shop, version 2.4.1, failed, Android: complete, iOS: failed, Windows Phone: not built yet',
      );
      assert.match(
        item(shop).tooltip as string,
        /com\.example\.app.*\n.*iOS: Certificate not found\..*\/api\/v1\/apps\//s,
      );
      assert.deepEqual(await view.rows(shop), [
        'Android | complete',
        'iOS | failed · Certificate not found.',
        'Windows Phone | not built yet',
        'Collaborators | 1',
        'More',
      ]);
      const [android, ios, winphone] = await access.tree.getChildren(shop);
      assert.ok(android && ios && winphone);
      assert.deepEqual(getFlags(android), ['platform', 'build', 'log', 'download', 'android']);
      assert.equal(item(android).command?.command, 'appBuild.showBuildLog');
      assert.deepEqual(getFlags(ios), ['platform', 'build', 'log', 'failed']);
      assert.equal(item(ios).command?.command, 'appBuild.showBuildLog');
      assert.equal(item(winphone).command, undefined);
      assert.ok((await view.rows(await view.child(shop, 'More'))).includes('package | com.example.app' + String(id)));
      const flags = getFlags(shop);
      for (const flag of ['build', 'upload', 'delete', 'addCollaborator', 'download', 'android', 'log', 'linkable']) {
        assert.ok(flags.includes(flag), `${flag} is not among ${flags.join()}`);
      }
      assert.ok(!flags.includes('cancel'), 'the original service had no such operation');
    });

    it('shows unknown members verbatim, and offers testers no changes', async () => {
      service.role = 'tester';
      const id = service.addApp({ title: 'Odd', version: undefined });
      service.change(id, {
        status: { tizen: 'baking', android: 'complete' },
        error: 'It is <i>late</i>',
        version: null,
      });
      await signIn(service);
      const odd = await view.at('Apps', 'Odd');
      assert.equal(view.shown(odd), 'Odd | tizen baking  Android ✓');
      assert.deepEqual((await view.rows(odd)).slice(0, 2), ['tizen | baking', 'Android | complete']);
      const flags = getFlags(odd);
      assert.ok(
        !['build', 'update', 'upload', 'delete', 'addCollaborator'].some((flag) => flags.includes(flag)),
        flags.join(),
      );
    });

    it('updates the folder’s row during a watched build, lists every app once, and reloads with one request after a command changes an app', async () => {
      const id = service.addApp({ title: 'Shop' });
      await signIn(service);
      const url = service.appUrl(id);
      await apps.folders.set(openFolder().uri, connection, { url, title: 'Shop', project: '' });
      try {
        await untilRows(async () => (await view.rows(await view.at('Apps'))).join() === 'No other apps');
        const [folder] = await access.tree.getChildren();
        assert.ok(folder);
        const android = await view.child(folder, 'Android');
        assert.equal(view.shown(folder), 'Shop 1.0.0 | not built yet');
        assert.deepEqual(getFlags(folder).slice(-2), ['folder', 'linked']);
        assert.match(item(folder).tooltip as string, new RegExp(`^Folder: ${openFolder().name}\n`));

        service.build(service.app(id), ['android']);
        apps.watcher.watch(await apps.createCalls(connection).get(url), ['android']);
        await untilRows(() => view.shown(folder) === 'Shop 1.0.0 | Android …');
        assert.equal(getIcon(folder), 'sync~spin');
        assert.equal(view.shown(android), 'Android | building');
        assert.ok(getFlags(android).includes('watched'));

        const isOver = apps.watcher.waitForEnd(url);
        service.finish(id, 'android');
        await isOver;
        await untilRows(() => view.shown(folder) === 'Shop 1.0.0 | Android ✓');

        const areShared = async () =>
          [folder, await view.child(folder, 'Android')].map((row) => getFlags(row).includes('shared'));
        apps.presenter.showShared([url]);
        assert.deepEqual(await areShared(), [true, true]);
        apps.presenter.showShared([]);
        assert.deepEqual(await areShared(), [false, false]);
        assert.equal(await view.child(folder, 'Android'), android, 'the same row, for its selection');

        service.change(id, { version: '1.1.0' });
        service.requests.length = 0;
        apps.presenter.changed(url);
        await untilRows(() => view.shown(folder) === 'Shop 1.1.0 | Android ✓');
        assert.deepEqual(service.requests, [`GET /api/v1/apps/${id}`]);
      } finally {
        await apps.folders.set(openFolder().uri, connection, undefined);
      }
      await untilRows(async () => (await view.rows(await view.at('Apps'))).join() === 'Shop | 1.1.0 · Android ✓');
    });

    it('reports and unlinks a folder’s missing app, and removes the row of an app that turns out to be missing', async () => {
      const [id, other] = [service.addApp({ title: 'Shop' }), service.addApp({ title: 'Other' })];
      await signIn(service);
      const link = { url: service.appUrl(id), title: 'Shop', project: '' };
      await apps.folders.set(openFolder().uri, connection, link);
      await access.tree.getChildren(await view.at('Apps'));
      const [folder] = await access.tree.getChildren();
      assert.ok(folder);
      await access.tree.getChildren(folder);
      service.apps.delete(id);
      apps.presenter.changed(service.appUrl(id));
      await untilRows(() => view.shown(folder) === `${openFolder().name} | “Shop” no longer exists`);
      assert.equal(getIcon(folder), 'warning');
      const unlink = (await access.tree.getChildren(folder)).at(-1);
      assert.ok(unlink);
      const { command } = item(unlink);
      assert.equal(command?.command, 'appBuild.unlinkFolder');
      await untilRows(async () => (await view.rows(await view.at('Apps'))).every((row) => !row.startsWith('Shop')));
      assert.ok(
        (await view.rows(await view.at('Apps'))).some((row) => row.startsWith('Other')),
        String(other),
      );
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
      await untilRows(async () => (await view.rows())[0] === `${openFolder().name} | not built yet`);
      assert.equal(apps.folders.get(openFolder().uri, connection), undefined);
    });
  });

  describe('at the local service', () => {
    let real: LocalService;
    let front: InterceptingProxy;

    before(async () => {
      real = await startLocalService();
      front = await startInterceptingProxy(real.baseUrl);
    });

    beforeEach(() => signIn(real, front.url));

    after(async () => {
      await front.close();
      await real.stop();
    });

    it('offers the actions of an app’s forms once the app is loaded, and lists the other forms under More', async () => {
      const app = await view.at('Apps', 'Field Notes');
      assert.match(view.shown(app), /^Field Notes \| 2\.4\.1 · Android ✓ {2}iOS ✓$/);
      let isDrawn = false;
      const drawn = next(access.tree.onDidChangeTreeData, (nodes) => (isDrawn = nodes?.includes(app) ?? false));
      front.instead = async (path) => {
        if (path !== '/api/v1/apps/1001') {
          return undefined;
        }
        // This service has a page for installing builds, and doesn't let the user delete the app.
        const answer = await fetch(`${real.baseUrl}/api/v1/apps/1001?auth_token=${real.authToken}`);
        const { actions, ...rest } = (await answer.json()) as {
          readonly actions: readonly { readonly name: string }[];
        };
        const others = actions.filter(({ name }) => name !== 'delete');
        return { status: 200, body: JSON.stringify({ ...rest, install_url: '/i', actions: others }) };
      };
      await access.tree.getChildren(app);
      await nextTurn();
      assert.equal(isDrawn, false, 'VS Code would forget the rows that it is about to take');
      await drawn;
      for (const flag of ['build', 'pull', 'icon', 'addCollaborator', 'android']) {
        assert.ok(getFlags(app).includes(flag), flag);
      }
      assert.ok(!getFlags(app).includes('delete'));
      assert.ok(getFlags(await view.child(app, 'Android')).includes('android'));
      const more = await view.rows(await view.child(app, 'More'));
      for (const row of ['package | com.example.fieldnotes', 'Edit the app | PUT', 'Install page | web page']) {
        assert.ok(more.includes(row), `${row} is not among ${more.join('\n')}`);
      }
      const page = await view.child(await view.child(app, 'More'), 'Install page');
      assert.deepEqual([item(page).contextValue, item(page).command], ['external', undefined]);
      front.instead = () => undefined;
      assert.deepEqual(getFlags(await view.at('Apps')), ['apps', 'create']);
    });

    it('leaves out the platforms that the service can’t build for, including in the app’s state', async () => {
      const cafe = await view.at('Apps', 'Café Queue – 珈琲');
      await access.tree.getChildren(cafe);
      await untilRows(async () => !(await view.rows(cafe)).some((row) => row.startsWith('iOS')));
      assert.equal(view.shown(cafe), 'Café Queue – 珈琲 | 1.0.0 · Android ✓');
      assert.equal(getIcon(cafe), 'pass');
      const rows = await view.rows(await view.at('Apps', 'First Steps'));
      assert.deepEqual(rows, ['Android | not built yet', 'Collaborators | 1', 'More']);
      const built = await view.rows(await view.at('Apps', 'Field Notes'));
      assert.ok(
        built.some((row) => row.startsWith('iOS | complete')),
        'what can be downloaded stays',
      );
    });

    it('shows an app’s keys, and which are locked', async () => {
      const app = await view.at('Apps', 'Field Notes');
      const keys = await view.child(app, 'Signing Keys');
      assert.equal(view.shown(keys), 'Signing Keys | Play Store release, App Store distribution');
      assert.deepEqual(await view.rows(keys), [
        'Android | Play Store release · default',
        'iOS | App Store distribution · default',
      ]);
      const android = await view.at('Signing Keys', 'Android');
      assert.deepEqual(getFlags(android), ['keys', 'add']);
      const [release, internal] = await access.tree.getChildren(android);
      assert.ok(release && internal);
      assert.deepEqual(
        [release, internal].map((node) => view.shown(node)),
        ['Play Store release | default', 'Internal testing | locked'],
      );
      assert.deepEqual([release, internal].map(getIcon), ['key', 'lock']);
      assert.deepEqual(getFlags(internal), ['key', 'unlock', 'default', 'delete', 'fingerprint']);
      assert.ok(getFlags(release).includes('lock') && !getFlags(release).includes('unlock'));
    });

    it('shows an app’s collaborators, and offers changes only to users who may make them', async () => {
      const people = await view.child(await view.at('Apps', 'Field Notes'), 'Collaborators');
      assert.deepEqual(getFlags(people), ['collaborators', 'add']);
      assert.deepEqual(await view.rows(people), [
        'demo@example.com | admin',
        'octo-demo@example.com | developer',
        'new.tester@example.com | tester · invited',
      ]);
      const [owner, developer] = await access.tree.getChildren(people);
      assert.ok(owner && developer);
      assert.deepEqual(getFlags(owner), ['collaborator']);
      assert.deepEqual(getFlags(developer), ['collaborator', 'role', 'remove']);
      const others = await view.child(await view.at('Apps', 'Commit Companion'), 'Collaborators');
      assert.deepEqual(getFlags(others), ['collaborators']);
      assert.ok((await access.tree.getChildren(others)).every((node) => getFlags(node).length === 1));
    });

    it('shows that a build is signed with a test key, and how long ago it ended', async () => {
      const app = await view.at('Apps', 'Tide Table');
      const { url } = app as TreeNode & { readonly url: string };
      const calls = apps.createCalls(connection);
      const built = await calls.build(await calls.get(url), ['android']);
      apps.watcher.watch(built, ['android']);
      await apps.watcher.waitForEnd(url);
      await untilRows(async () => (await view.rows(app)).includes('Android | complete · now · test key'));
    });
  });
});
