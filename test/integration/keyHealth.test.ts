import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { KeyCalls } from '../../src/apps/calls/keyCalls.ts';
import { KeyExpiry } from '../../src/apps/keyExpiry.ts';
import { KEY_WARNING_MS } from '../../src/apps/limits.ts';
import type { SigningKey } from '../../src/apps/model/signingKey.ts';
import { dayText } from '../../src/apps/rows/rowTexts.ts';
import type { SignedInConnection } from '../../src/auth/connection.ts';
import type { TreeNode } from '../../src/resources/tree/treeNode.ts';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { OriginalService } from '../support/originalService.ts';
import { certificateIn, KEY_PASSWORDS, keyFile, provisioningProfile } from '../support/signingKeys.ts';
import { appsOfTests, extensionOfTests, logged, signOutEverywhere } from './support/extension.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { findSecrets } from './support/secretSearch.ts';
import { signInAtService } from './support/signedIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';

const DAY_MS = 24 * 60 * 60_000;

const PASSWORD = KEY_PASSWORDS['release.p12'].keystore;
/** Between six and seven days. */
const LEFT_MS = 6.5 * DAY_MS;

describe('keys that will work', () => {
  const access = extensionOfTests();
  const apps = appsOfTests();
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

  /** Has the status bar say what is known, and hands on what it shows of it. */
  function open() {
    const create = vscode.window.createStatusBarItem.bind(vscode.window);
    const before = Object.getOwnPropertyDescriptor(vscode.window, 'createStatusBarItem');
    let item: vscode.StatusBarItem | undefined;
    let isShown = false;
    Object.defineProperty(vscode.window, 'createStatusBarItem', {
      configurable: true,
      value: (...args: Parameters<typeof create>) => {
        item = create(...args);
        return Object.assign(item, { show: () => (isShown = true), hide: () => (isShown = false) });
      },
    });
    const keyExpiry = new KeyExpiry(access.connections, apps.keyFacts);
    if (before !== undefined) {
      Object.defineProperty(vscode.window, 'createStatusBarItem', before);
    }
    return {
      keyExpiry,
      item: () => item ?? assert.fail('there is no item'),
      text: () => (isShown ? item?.text : undefined),
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
        const shown = await view.at('Signing Keys', 'ios', 'Team');
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
        const shown = (await access.tree.getChildren(await view.at('Apps', app, 'Signing Keys'))).find(
          (node) => 'url' in node && node.url === key.url,
        );
        assert.ok(shown);
        assert.equal(view.shown(shown), 'ios | Team · for another app · expires in 6 days');
        assert.ok(tooltipOf(shown).includes(`for com.example.others.*, and this app is ${packageId}`));
      });

      it('are told of in the status bar within a week before and after their end', async () => {
        const { keyExpiry, item, text } = open();
        const key = await find('Team');
        const ending = (milliseconds: number) => ({ ...key, expiresAt: new Date(Date.now() + milliseconds) });
        keyExpiry.read(key);
        const day = dayText(expiresAt, 'en');
        assert.equal(text(), `$(key) Key expires on ${day}`);
        const { tooltip, accessibilityInformation, command } = item();
        const sentence = `The signing key Team (ios) expires on ${day}.`;
        assert.deepEqual([tooltip, command], [`${sentence}\n\nClick to add another one.`, 'appBuild.addKey']);
        assert.equal(accessibilityInformation?.label, sentence);
        keyExpiry.read({ ...ending(DAY_MS), url: `${key.url}0`, title: 'Sooner' });
        assert.deepEqual(keyExpiry.titles, ['Sooner', 'Team']);
        keyExpiry.readAll([ending(-DAY_MS)]);
        assert.equal(text(), `$(warning) Key expired on ${dayText(new Date(Date.now() - DAY_MS), 'en')}`);
        for (const left of [KEY_WARNING_MS + DAY_MS, -KEY_WARNING_MS - DAY_MS]) {
          keyExpiry.readAll([ending(left)]);
          assert.equal(text(), undefined);
        }
        keyExpiry.dispose();
      });

      it('are told of there once the tree or a check has read them, until they are deleted or nobody is signed in', async () => {
        assert.deepEqual(apps.keyExpiry.titles, [], 'of the account before');
        await view.at('Signing Keys', 'ios', 'Team');
        assert.deepEqual(apps.keyExpiry.titles, ['Mistaken', 'Team']);
        await signOutEverywhere(access);
        assert.deepEqual(apps.keyExpiry.titles, []);

        connection = await signInAtService(access, where === 'local' ? local : original);
        calls = new KeyCalls(apps.callsOf(connection));
        await writeFiles(WEB_PROJECT);
        try {
          const checked = await apps.callsOf(connection).get(appUrl);
          const project = { uri: openFolder().uri, path: '', name: '' };
          await apps.checkFolder(openFolder(), project, { app: { connection, app: checked } });
        } finally {
          await deleteFiles(...Object.keys(WEB_PROJECT), 'www');
        }
        assert.deepEqual(apps.keyExpiry.titles, ['Mistaken', 'Team']);
        const key = await find('Team');
        await vscode.commands.executeCommand('appBuild.deleteKey', { url: key.url });
        assert.deepEqual(apps.keyExpiry.titles, ['Mistaken']);
        assert.equal(apps.keyFacts.find(key.url), undefined);
      });
    });
  }
});
