import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { KeyCalls } from '../../src/extension/apps/calls/keyCalls.ts';
import type { SigningKey } from '../../src/extension/apps/model/signingKey.ts';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { oddAnswers, OriginalService } from '../support/originalService.ts';
import { certificateIn, KEY_PASSWORDS, keyFile, provisioningProfile } from '../support/signingKeys.ts';
import { getTestApps, getTestExtension, logged, next, signOutEverywhere } from './support/extension.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { findSecrets } from './support/secretSearch.ts';
import { signInAtService } from './support/signedIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';

const DAY_MS = 24 * 60 * 60_000;

const { keystore, key: keyPassword } = KEY_PASSWORDS['release.jks'];
const certificate = KEY_PASSWORDS['expired.p12'].key;
const team = KEY_PASSWORDS['release.p12'].keystore;
const SECRETS = { keystore, keyPassword, certificate, team, mistaken: 'mistaken-password' };

describe('signing keys', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  let local: LocalService;
  let original: OriginalService;
  const person = useRecordingUser();
  let folder: string;
  let connection: SignedInConnection;
  let calls: KeyCalls;
  let logStart: number;
  let view: TreeRows;
  /** A time in six and a half days, without milliseconds. */
  const expiresAt = new Date(Math.floor((Date.now() + 6.5 * DAY_MS) / 1000) * 1000);

  before(async () => {
    view = new TreeRows(access.tree);
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-keys-'));
    const soon = expiresAt.toISOString().replace('.000', '');
    const [ownCertificate, otherCertificate] = [certificateIn('release.p12'), certificateIn('expired.p12')];
    for (const [name, content] of Object.entries({
      'release.jks': keyFile('release.jks'),
      'expired.p12': keyFile('expired.p12'),
      'team.p12': keyFile('release.p12'),
      'late.mobileprovision': provisioningProfile('2100-05-06T07:08:09Z'),
      'team.mobileprovision': provisioningProfile(soon, {
        appId: 'com.example.others.*',
        certificates: [ownCertificate],
      }),
      'mistaken.mobileprovision': provisioningProfile(soon, {
        appId: 'com.example.shop',
        certificates: [otherCertificate],
      }),
    })) {
      await writeFile(path.join(folder, name), content);
    }
    [local, original] = await Promise.all([startLocalService(), OriginalService.start()]);
    logStart = (await logged(access)).length;
  });

  afterEach(() => {
    const shown = [...person.questions, ...person.notifications, ...person.progress, ...person.documents].join('\n');
    original.answerNormally();
    assert.deepEqual(findSecrets(shown, SECRETS), [], 'a password was shown');
  });

  after(async () => {
    const states = [access.globalState, access.context.workspaceState];
    const kept = JSON.stringify(states.map((state) => state.keys().map((name) => state.get(name))));
    const sent = original.requests.join('\n');
    assert.deepEqual(findSecrets(kept + sent + (await logged(access)).slice(logStart), SECRETS), []);
    await Promise.all([local.stop(), original.close(), rm(folder, { recursive: true })]);
  });

  async function signIn(where: 'local' | 'original'): Promise<void> {
    connection = await signInAtService(access, where === 'local' ? local : original);
    calls = new KeyCalls(apps.createCalls(connection));
  }

  const run = (name: string, argument?: unknown) => vscode.commands.executeCommand(`appBuild.${name}`, argument);
  const file = (name: string) => vscode.Uri.file(path.join(folder, name));
  const asked = () => person.questions.join('\n');
  const said = () => person.notifications.join('\n');
  const find = async (title: string): Promise<SigningKey> =>
    (await calls.list()).find((key) => key.title === title) ?? assert.fail(`there is no key ${title}`);
  const kept = async (): Promise<readonly string[]> =>
    (await access.context.secrets.keys()).filter((name) => name.startsWith('keyPassword/'));
  /** Adds an iOS key, and presses a button in the question about its files. */
  const add = (title: string, password: string, files: readonly string[], button: string | undefined) => {
    person.answers = {
      typed: [title, password],
      files: files.map(file),
      press: (text) => (/^(Add the|The files of|The signing key)/.test(text) ? button : undefined),
    };
    return run('addKey', { url: '/api/v1/keys/ios', platform: 'ios' });
  };

  for (const where of ['local', 'original'] as const) {
    describe(`at ${where === 'local' ? 'the local service' : 'the simulated original service'}`, () => {
      beforeEach(() => signIn(where));

      it('adds a key from a keystore after checking its passwords and contents locally', async () => {
        person.answers = {
          typed: ['Release', 'nobody', 'release', SECRETS.mistaken, keystore, SECRETS.mistaken, keyPassword],
          retype: true,
          files: [file('release.jks')],
          pick: ({ label }) => label === 'Android',
        };
        await run('addKey');
        assert.match(asked(), /Which platform is the key for\?/);
        assert.match(asked(), /The file has: release\./);
        assert.match(asked(), /The keystore has no key with this name\./);
        assert.match(asked(), /This isn’t the password of release\.jks\./);
        assert.match(asked(), /This isn’t the password of the key release\./);
        assert.match(
          said(),
          /^Add the signing key “Release” for Android\?\n[^]*Keystore: release\.jks\nAlias: release\nMade for: .+\nExpires on .*2126/,
        );
        const added = await find('Release');
        assert.deepEqual([added.platform, added.alias, added.locked], ['android', 'release', false]);
        if (where === 'local') {
          assert.equal(added.expiresAt?.getUTCFullYear(), 2126, 'the service has opened it, too');
        }
      });

      it('asks before adding an expired key, and returns to the questions if the user declines', async () => {
        const files = ['expired.p12', 'late.mobileprovision'];
        await add('Distribution', certificate, files, undefined);
        assert.match(
          said(),
          /^The signing key “Distribution” has expired\. Add it anyway\?\n[^]*Certificate with its private key: expired\.p12\n[^]*Expired on .*2020\nProvisioning profile: late\.mobileprovision\nProfile: Test\nExpires on .*2100/,
        );
        // The password was requested again, and the box was closed.
        assert.equal(person.questions.filter((question) => question.includes('Password of expired.p12')).length, 2);
        assert.ok(!(await calls.list('ios')).some(({ title }) => title === 'Distribution'));
        await add('Distribution', certificate, files, 'Add Anyway');
        assert.equal((await find('Distribution')).locked, false);
      });

      it('asks about a profile that doesn’t match the certificate', async () => {
        const files = ['team.p12', 'mistaken.mobileprovision'];
        await add('Mistaken', team, files, undefined);
        assert.match(said(), /^The files of the signing key “Mistaken” don’t belong together\. Add it anyway\?/);
        assert.match(
          said(),
          /The provisioning profile doesn’t list this certificate, so builds that use both will fail\./,
        );
        assert.ok(!(await calls.list('ios')).some(({ title }) => title === 'Mistaken'));
        await add('Mistaken', team, files, 'Add Anyway');
        assert.equal((await find('Mistaken')).platform, 'ios');
      });

      it('adds a key without its password, locked, and offers to unlock it', async () => {
        person.answers = {
          typed: ['Later', 'release', '', keystore, keyPassword],
          files: [file('release.jks')],
          press: (text, buttons) => (/^Add the|was added and is locked/.test(text) ? buttons[0] : undefined),
        };
        const unlocked = next(apps.presenter.onDidChange, ({ kind }) => kind === 'resources');
        await run('addKey', { platform: 'android' });
        assert.match(said(), /Without its password, the key is locked/);
        await unlocked;
        assert.equal((await find('Later')).locked, false);
        assert.deepEqual(await kept(), []);
      });

      it('unlocks a key with a password that the keychain stores on request, until the password is rejected or the key is deleted', async () => {
        const { url } = await find('Release');
        const lock = async () => {
          await run('lockKey', { url });
          assert.equal((await find('Release')).locked, true);
        };
        await lock();
        person.answers = { typed: [keystore, keyPassword], pick: ({ label }) => label.startsWith('Remember') };
        await run('unlockKey', { url });
        assert.equal((await find('Release')).locked, false);
        assert.deepEqual(await kept(), [`keyPassword/${url}`]);
        await lock();
        assert.match(said(), /Release is locked\. Its password is still in/);
        person.questions.length = 0;
        await run('unlockKey', url);
        assert.deepEqual([asked(), (await find('Release')).locked], ['', false]);
        if (where === 'original') {
          await lock();
          const body = JSON.stringify({ error: `key_pw ${keyPassword} is wrong` });
          original.answer('PUT', /keys/, { status: 400, body }, 1);
          original.answer('PUT', /keys/, { ...oddAnswers.refusedWithSuccess, body }, 1);
          person.answers.typed = [keystore, keyPassword, keystore, ''];
          await run('unlockKey', { url });
          assert.match(asked(), /The service rejected the saved password, so it was deleted\./);
          assert.match(asked(), /The service rejected the request: key_pw \*\*\* is wrong/);
          assert.equal((await find('Release')).locked, false);
        }
        assert.deepEqual(await kept(), [`keyPassword/${url}`]);
        await run('deleteKey', { url });
        assert.match(said(), /Delete the signing key “Release for Android”\?/);
        assert.ok(!(await calls.list()).some(({ title }) => title === 'Release'));
        assert.deepEqual(await kept(), []);
      });

      it('makes a key the default, and keeps a key if the user declines its deletion', async () => {
        const { url } = await find('Later');
        await run('setDefaultKey', { url });
        assert.equal((await find('Later')).isDefault, true);
        person.answers = { typed: [], press: () => undefined };
        await run('deleteKey', { url });
        assert.equal((await find('Later')).url, url);
        assert.doesNotMatch(said(), /wrong|failed/i);
      });

      it('explains why a command isn’t available for a key, an address, or another argument', async () => {
        person.answers = { typed: ['Store', 'A-1'], pick: ({ label }) => label === 'Windows Phone' };
        await run('addKey');
        await run('unlockKey', { url: (await find('Store')).url });
        assert.match(said(), where === 'local' ? /Add the signing key “Store”/ : /doesn’t offer this for Store/);
        await run('unlockKey', { url: 'https://elsewhere.example.com/api/v1/keys/ios/1' });
        assert.match(said(), /elsewhere\.example\.com isn’t an address of the service/);
        await run('deleteKey', 7);
        assert.match(said(), /This command needs a signing key/);
      });

      it('shows how long a key is valid and for which app, in rows and the status bar', async () => {
        const title = where === 'local' ? 'Field Notes' : 'Shop';
        const packageId = where === 'local' ? 'com.example.fieldnotes' : 'com.example.shop';
        if (where === 'original') {
          original.addApp({ title, package: packageId });
        }
        await add('Team', team, ['team.p12', 'team.mobileprovision'], 'Add Key');
        assert.match(
          said(),
          /^Add the signing key “Team” for iOS\?\n[^]*For the app: com\.example\.others\.\*\nExpires/,
        );
        assert.match(said(), /It expires within a week\. After that, builds that use it will fail\./);
        const key = await find('Team');
        assert.equal(key.appId, where === 'local' ? 'com.example.others.*' : undefined);
        assert.deepEqual(apps.keyFacts.complete(key).expiresAt, expiresAt);
        const row = await view.at('Signing Keys', 'iOS', 'Team');
        assert.equal(view.shown(row), 'Team | expires in 6 days · for com.example.others.*');
        const item = access.tree.getTreeItem(row);
        assert.equal((item.iconPath as vscode.ThemeIcon).id, 'warning');
        assert.match(item.tooltip as string, /This key expires on .*\. After that, builds that use it will fail\./);

        const app = (await apps.createCalls(connection).list()).find((each) => each.title === title);
        assert.ok(app);
        if (where === 'original') {
          const [stored] = original.apps.values();
          Object.assign(stored?.keys ?? {}, { ios: original.key(Number(key.id)) });
        } else {
          await apps.createCalls(connection).update(app, { keys: { ios: key.id } });
        }
        await access.tree.refresh();
        const appKeys = await access.tree.getChildren(await view.at('Apps', title, 'Signing Keys'));
        const shown = appKeys.find((node) => 'url' in node && node.url === key.url) ?? assert.fail('no such row');
        assert.equal(view.shown(shown), 'iOS | Team · for another app · expires in 6 days');
        const { tooltip } = access.tree.getTreeItem(shown);
        assert.ok((tooltip as string).includes(`for com.example.others.*, but this app is ${packageId}`));

        assert.deepEqual(apps.keyExpiry.titles, ['Mistaken', 'Team'], 'the tree has read them');
        await signOutEverywhere(access);
        assert.deepEqual(apps.keyExpiry.titles, []);
        await signIn(where);
        await writeFiles(WEB_PROJECT);
        try {
          const project = { uri: openFolder().uri, path: '', name: '' };
          const checked = await apps.createCalls(connection).get(app.url);
          await apps.checkFolder(openFolder(), project, { app: { connection, app: checked } });
        } finally {
          await deleteFiles(...Object.keys(WEB_PROJECT), 'www');
        }
        assert.deepEqual(apps.keyExpiry.titles, ['Mistaken', 'Team'], 'the check of the folder has read them');
        person.answers = { typed: [] };
        await run('deleteKey', { url: key.url });
        assert.deepEqual(apps.keyExpiry.titles, ['Mistaken']);
        assert.equal(apps.keyFacts.find(key.url), undefined);
      });
    });
  }
});
