import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Apps } from '../../src/apps/apps.ts';
import { KeyCalls } from '../../src/apps/calls/keyCalls.ts';
import { KeyExpiryWatch } from '../../src/apps/keyExpiryWatch.ts';
import { KEY_WARNING_KEY } from '../../src/apps/keyWarningKey.ts';
import { DAY_MS, KEY_WARNING_MS } from '../../src/apps/model/keyHealth.ts';
import type { SigningKey } from '../../src/apps/model/signingKey.ts';
import type { SignedInConnection } from '../../src/auth/connection.ts';
import { showExpiringKeys } from '../../src/commands/showExpiringKeys.ts';
import type { TestAccess } from '../../src/extension.ts';
import type { TreeNode } from '../../src/resources/tree/treeNode.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { ManualClock } from '../support/manualClock.ts';
import { OriginalService } from '../support/originalService.ts';
import { certificateIn, KEY_PASSWORDS, keyFile, provisioningProfile } from '../support/signingKeys.ts';
import { activated, logged, signOutEverywhere } from './support/extension.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { findSecrets } from './support/secretSearch.ts';
import { signInAtService } from './support/signedIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { openFolder } from './support/webProject.ts';

const PASSWORD = KEY_PASSWORDS['release.p12'].keystore;
/** Between six and seven days. */
const LEFT_MS = 6.5 * DAY_MS;

describe('keys that will work', () => {
  let access: TestAccess;
  let apps: Apps;
  let connection: SignedInConnection;
  let calls: KeyCalls;
  let view: TreeRows;
  const person = userOfEachTest();
  let folder: string;
  let local: LocalService;
  let original: OriginalService;
  let appUrl: string;
  let expiresAt: Date;
  let logStart: number;

  before(async () => {
    access = await activated();
    apps = await access.loadApps();
    view = new TreeRows(access.tree);
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-health-'));
    await writeFile(path.join(folder, 'team.p12'), keyFile('release.p12'));
    // Services tell times to the second.
    expiresAt = new Date(Math.floor((Date.now() + LEFT_MS) / 1000) * 1000);
    const profiles = {
      'team.mobileprovision': { appId: 'com.example.others.*', certificates: [certificateIn('release.p12')] },
      'mistaken.mobileprovision': { appId: 'com.example.shop', certificates: [certificateIn('expired.p12')] },
    };
    for (const [name, contents] of Object.entries(profiles)) {
      await writeFile(
        path.join(folder, name),
        provisioningProfile(expiresAt.toISOString().replace('.000', ''), contents),
      );
    }
    [local, original] = await Promise.all([startLocalService(), OriginalService.start()]);
    logStart = (await logged(access)).length;
  });

  afterEach(() => {
    const shown = [...person.questions, ...person.notifications, ...person.progress, ...person.documents].join('\n');
    assert.deepEqual(findSecrets(shown, { PASSWORD }), []);
  });

  after(async () => {
    const states = [access.context.globalState, access.context.workspaceState];
    const kept = JSON.stringify(states.map((state) => state.keys().map((name) => state.get(name))));
    const sent = original.requests.join('\n');
    assert.deepEqual(findSecrets(kept + sent + (await logged(access)).slice(logStart), { PASSWORD }), []);
    await Promise.all([local.stop(), original.close(), rm(folder, { recursive: true })]);
  });

  const file = (name: string) => vscode.Uri.file(path.join(folder, name));
  const said = () => person.notifications.join('\n');
  const find = async (title: string): Promise<SigningKey> =>
    (await calls.list()).find((key) => key.title === title) ?? assert.fail(`there is no key ${title}`);
  const add = (title: string, profile: string, button: string | undefined) => {
    person.answers = {
      typed: [title, PASSWORD],
      files: [file('team.p12'), file(profile)],
      press: (text) => (/^(Add the|The files of)/.test(text) ? button : undefined),
    };
    return vscode.commands.executeCommand('appBuild.addKey', { url: '/api/v1/keys/ios', platform: 'ios' });
  };
  const tooltipOf = (node: TreeNode) => access.tree.getTreeItem(node).tooltip as string;
  const iconOf = (node: TreeNode) => (access.tree.getTreeItem(node).iconPath as vscode.ThemeIcon).id;

  /** A window's watch, with a clock of its own, and what the status bar shows of it. */
  function open() {
    const clock = new ManualClock();
    const memento = new Map<string, unknown>();
    const create = vscode.window.createStatusBarItem.bind(vscode.window);
    const before = Object.getOwnPropertyDescriptor(vscode.window, 'createStatusBarItem');
    let item: vscode.StatusBarItem | undefined;
    let isShown = false;
    Object.defineProperty(vscode.window, 'createStatusBarItem', {
      configurable: true,
      value: (...args: Parameters<typeof create>) => {
        item = create(...args);
        const [show, hide] = [item.show.bind(item), item.hide.bind(item)];
        Object.assign(item, {
          show: () => {
            isShown = true;
            show();
          },
          hide: () => {
            isShown = false;
            hide();
          },
        });
        return item;
      },
    });
    const watch = new KeyExpiryWatch({
      ...{ connections: access.connections, folders: apps.folders, presenter: apps.presenter },
      ...{ keyFacts: apps.keyFacts, clock },
      selection: { current: connection.service },
      callsOf: (signedIn) => apps.callsOf(signedIn),
      log: { error: (_, error) => assert.fail(String(error)) },
      workspaceState: {
        get: (name: string) => memento.get(name) as never,
        update: (name: string, value: unknown) => Promise.resolve(void memento.set(name, value)),
      },
    });
    if (before !== undefined) {
      Object.defineProperty(vscode.window, 'createStatusBarItem', before);
    }
    return {
      watch,
      item: () => item ?? assert.fail('there is no item'),
      text: () => (isShown ? item?.text : undefined),
      warnsFrom: () => memento.get(KEY_WARNING_KEY),
      advance: (milliseconds: number) => clock.advance(milliseconds, () => watch.settled()),
    };
  }

  for (const where of ['local', 'original'] as const) {
    describe(`at ${where === 'local' ? 'the local service' : 'a service like the original'}`, () => {
      const app = where === 'local' ? 'Field Notes' : 'Shop';
      const packageId = where === 'local' ? 'com.example.fieldnotes' : 'com.example.shop';

      before(() => {
        if (where === 'original') {
          original.addApp({ title: app, package: packageId });
        }
      });

      beforeEach(async () => {
        connection = await signInAtService(access, where === 'local' ? local : original);
        calls = new KeyCalls(apps.callsOf(connection));
        const found = (await apps.callsOf(connection).list()).find(({ title }) => title === app);
        appUrl = found?.url ?? assert.fail(`there is no app ${app}`);
      });

      it('are looked at before they are sent: whether profile and certificate belong together', async () => {
        await add('Mistaken', 'mistaken.mobileprovision', undefined);
        assert.match(said(), /^The files of the signing key “Mistaken” do not belong together\. Add it all the same\?/);
        assert.match(said(), /The provisioning profile does not list this certificate: a build with both fails\./);
        assert.ok(!(await calls.list('ios')).some(({ title }) => title === 'Mistaken'));
        await add('Mistaken', 'mistaken.mobileprovision', 'Add Anyway');
        assert.equal((await find('Mistaken')).platform, 'ios');
      });

      it('say on their rows until when, and for which app', async () => {
        await add('Team', 'team.mobileprovision', 'Add Key');
        assert.match(
          said(),
          /^Add the signing key “Team” for ios\?\n[^]*For the app: com\.example\.others\.\*\nExpires/,
        );
        assert.match(said(), /It expires within a week: builds with it fail from then on\./);
        const key = await find('Team');
        assert.equal(key.appId, where === 'local' ? 'com.example.others.*' : undefined);
        assert.deepEqual(apps.keyFacts.complete(key).expiresAt, expiresAt);
        const shown = await view.at('keys', 'ios', 'Team');
        assert.equal(view.shown(shown), 'Team | expires in 6 days · for com.example.others.*');
        assert.equal(iconOf(shown), 'warning');
        assert.match(tooltipOf(shown), /It expires on .*, and builds with it fail from then on\./);
      });

      it('say on the row of an app that they are for another one', async () => {
        const key = await find('Team');
        if (where === 'original') {
          const [stored] = original.apps.values();
          Object.assign(stored?.keys ?? {}, { ios: original.key(Number(key.id)) });
        } else {
          const appCalls = apps.callsOf(connection);
          await appCalls.update(await appCalls.get(appUrl), { keys: { ios: key.id } });
        }
        await access.tree.refresh();
        const shown = (await access.tree.getChildren(await view.at('apps', app, 'Signing Keys'))).find(
          (node) => 'url' in node && node.url === key.url,
        );
        assert.ok(shown);
        assert.equal(view.shown(shown), 'ios | Team · for another app · expires in 6 days');
        assert.ok(tooltipOf(shown).includes(`for com.example.others.*, and this app is ${packageId}`));
      });

      it('are told of in the status bar in their last week, until somebody has looked, and again the next day', async () => {
        const before = open();
        await before.watch.settled();
        assert.equal(before.text(), undefined, 'no folder is linked');
        await apps.folders.set(openFolder().uri, connection, { url: appUrl, title: app, project: '' });
        await before.watch.settled();
        assert.equal(before.text(), '$(key) Key expires in 6 days');
        before.watch.dispose();

        const window = open();
        await window.watch.settled();
        const { tooltip, accessibilityInformation, command } = window.item();
        assert.equal(window.text(), '$(key) Key expires in 6 days');
        const expected = `The signing key Team (ios), used for ${app}, expires in 6 days, on `.replace('(', '\\(');
        assert.match(tooltip as string, new RegExp(`^${expected.replace(')', '\\)')}`));
        assert.ok(accessibilityInformation?.label.includes(`used for ${app}, expires in 6 days`));
        assert.equal(command, 'appBuild.showExpiringKeys');
        assert.equal(window.warnsFrom(), expiresAt.getTime() - KEY_WARNING_MS);

        const revealed: string[] = [];
        const added: string[] = [];
        const tree = {
          getChildren: (node?: TreeNode) => access.tree.getChildren(node),
          reveal: (url: string) => Promise.resolve(void revealed.push(url)),
        };
        const [input, { notifications }] = [await access.loadInput(), access];
        const show = (label: string) => {
          person.answers.lists = [['Team'], [label]];
          const dependencies = { apps: { keyExpiry: window.watch }, input, notifications, tree };
          return showExpiringKeys(dependencies, (platform) => added.push(platform));
        };
        await show('Show in the Resources View');
        await show('Add Signing Key…');
        assert.deepEqual([revealed, added], [[(await find('Team')).url], ['ios']]);
        assert.match(person.questions.join('\n'), /ios, expires in 6 days/);
        assert.equal(window.text(), undefined, 'somebody has looked');

        await window.advance(DAY_MS);
        assert.equal(window.text(), '$(key) Key expires in 5 days');
        await window.advance(4 * DAY_MS);
        assert.equal(window.text(), '$(key) Key expires tomorrow');
        await window.advance(DAY_MS);
        assert.match(window.text() ?? '', /^\$\(key\) Key expires in \d+ hours$/);
        await window.advance(2 * DAY_MS);
        assert.equal(window.text(), '$(warning) Key expired yesterday');
        await window.advance(KEY_WARNING_MS);
        assert.deepEqual([window.text(), window.warnsFrom()], [undefined, undefined]);
        window.watch.dispose();
      });

      it('are told of no longer once the app has another key, the key is deleted, or nobody is signed in', async () => {
        await apps.folders.set(openFolder().uri, connection, { url: appUrl, title: app, project: '' });
        const window = open();
        await window.watch.settled();
        assert.equal(window.text(), '$(key) Key expires in 6 days');
        const key = await find('Team');
        await vscode.commands.executeCommand('appBuild.deleteKey', { url: key.url });
        await window.watch.settled();
        assert.ok(!window.watch.all.some(({ key: { title } }) => title === 'Team'));
        assert.equal(apps.keyFacts.find(key.url), undefined);
        await signOutEverywhere(access);
        await window.watch.settled();
        assert.deepEqual([window.text(), window.watch.all], [undefined, []]);
        window.watch.dispose();
      });
    });
  }
});
