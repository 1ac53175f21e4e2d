import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { KeyCalls } from '../../src/apps/calls/keyCalls.ts';
import type { SigningKey } from '../../src/apps/model/signingKey.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { oddAnswers, OriginalService } from '../support/originalService.ts';
import { KEY_PASSWORDS, keyFile, provisioningProfile } from '../support/signingKeys.ts';
import { extensionOfTests, logged, next } from './support/extension.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { findSecrets } from './support/secretSearch.ts';
import { signInAtService } from './support/signedIn.ts';

const { keystore, key: keyPassword } = KEY_PASSWORDS['release.jks'];
const certificate = KEY_PASSWORDS['expired.p12'].key;
const SECRETS = { keystore, keyPassword, certificate, mistaken: 'mistaken-password' };

describe('signing keys', () => {
  const access = extensionOfTests();
  let local: LocalService;
  let original: OriginalService;
  const person = userOfEachTest();
  let folder: string;
  let calls: KeyCalls;
  let logStart: number;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-keys-'));
    for (const name of ['release.jks', 'expired.p12'] as const) {
      await writeFile(path.join(folder, name), keyFile(name));
    }
    await writeFile(path.join(folder, 'team.mobileprovision'), provisioningProfile('2100-05-06T07:08:09Z'));
    [local, original] = await Promise.all([startLocalService(), OriginalService.start()]);
    logStart = (await logged(access)).length;
  });

  afterEach(() => {
    const shown = [...person.questions, ...person.notifications, ...person.progress, ...person.documents].join('\n');
    original.answerNormally();
    assert.deepEqual(findSecrets(shown, SECRETS), [], 'a password was shown');
  });

  after(async () => {
    const state = access.context.globalState;
    const kept = JSON.stringify(state.keys().map((name) => state.get(name)));
    assert.deepEqual(findSecrets(kept + (await logged(access)).slice(logStart), SECRETS), []);
    await Promise.all([local.stop(), original.close(), rm(folder, { recursive: true })]);
  });

  async function signIn(where: 'local' | 'original'): Promise<void> {
    const connection = await signInAtService(access, where === 'local' ? local : original);
    calls = new KeyCalls((await access.loadApps()).callsOf(connection));
  }

  const run = (name: string, argument?: unknown) => vscode.commands.executeCommand(`appBuild.${name}`, argument);
  const file = (name: string) => vscode.Uri.file(path.join(folder, name));
  const asked = () => person.questions.join('\n');
  const said = () => person.notifications.join('\n');
  const find = async (title: string): Promise<SigningKey> =>
    (await calls.list()).find((key) => key.title === title) ?? assert.fail(`there is no key ${title}`);
  const kept = async (): Promise<readonly string[]> =>
    (await access.context.secrets.keys()).filter((name) => name.startsWith('keyPassword/'));

  for (const where of ['local', 'original'] as const) {
    describe(`at ${where === 'local' ? 'the local service' : 'a service like the original'}`, () => {
      beforeEach(() => signIn(where));

      it('adds one from a keystore, whose passwords and contents are looked at before it is sent', async () => {
        person.answers = {
          typed: ['Release', 'nobody', 'release', SECRETS.mistaken, keystore, SECRETS.mistaken, keyPassword],
          retype: true,
          files: [file('release.jks')],
          pick: ({ label }) => label === 'android',
        };
        await run('addKey');
        assert.match(asked(), /Which platform is the key for\?/);
        assert.match(asked(), /The file has: release\./);
        assert.match(asked(), /The keystore has no key of this name\./);
        assert.match(asked(), /This is not the password of release\.jks\./);
        assert.match(asked(), /This is not the password of the key release\./);
        assert.match(
          said(),
          /^Add the signing key “Release” for android\?\n[^]*Keystore: release\.jks\nAlias: release\nMade for: .+\nExpires on .*2126/,
        );
        const added = await find('Release');
        assert.deepEqual([added.platform, added.alias, added.locked], ['android', 'release', false]);
        if (where === 'local') {
          assert.equal(added.expiresAt?.getUTCFullYear(), 2126, 'the service has opened it, too');
        }
      });

      it('asks about one that has expired; whoever says no comes back to the questions', async () => {
        const answer = (button: string | undefined) => {
          person.answers = {
            typed: ['Distribution', certificate],
            files: [file('expired.p12'), file('team.mobileprovision')],
            press: (text) => (text.startsWith('The signing key') ? button : undefined),
          };
        };
        answer(undefined);
        await run('addKey', { url: `/api/v1/keys/ios`, platform: 'ios' });
        assert.match(
          said(),
          /^The signing key “Distribution” has expired\. Add it all the same\?\n[^]*Certificate with its private key: expired\.p12\n[^]*Expired on .*2020\nProvisioning profile: team\.mobileprovision\nProfile: Test\nExpires on .*2100/,
        );
        // The password was asked for again, and the box was closed.
        assert.equal(person.questions.filter((question) => question.includes('Password of expired.p12')).length, 2);
        assert.ok(!(await calls.list('ios')).some(({ title }) => title === 'Distribution'));
        answer('Add Anyway');
        await run('addKey', { url: `/api/v1/keys/ios`, platform: 'ios' });
        assert.equal((await find('Distribution')).locked, false);
      });

      it('adds one without its password, locked, and offers to unlock it', async () => {
        person.answers = {
          typed: ['Later', 'release', '', keystore, keyPassword],
          files: [file('release.jks')],
          press: (text, buttons) => (/^Add the|is added, and locked/.test(text) ? buttons[0] : undefined),
        };
        const { presenter } = await access.loadApps();
        const unlocked = next(presenter.onDidChange, ({ kind }) => kind === 'resources');
        await run('addKey', '/api/v1/keys/android');
        assert.match(said(), /Without its password the key is locked/);
        await unlocked;
        assert.equal((await find('Later')).locked, false);
        assert.deepEqual(await kept(), []);
      });

      it('unlocks one with a password that the keychain keeps when asked to, until it is refused or the key is deleted', async () => {
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
        assert.match(said(), /Release is locked\. Its password is still kept/);
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
          assert.match(asked(), /The service refused the password that was kept, and it is deleted\./);
          assert.match(asked(), /The service refused it: key_pw \*\*\* is wrong/);
          assert.equal((await find('Release')).locked, false);
        }
        assert.deepEqual(await kept(), [`keyPassword/${url}`]);
        await run('deleteKey', { url });
        assert.match(said(), /Delete the signing key “Release for android”\?/);
        assert.ok(!(await calls.list()).some(({ title }) => title === 'Release'));
        assert.deepEqual(await kept(), []);
      });

      it('makes one the default, and deletes none that the person keeps', async () => {
        const { url } = await find('Later');
        await run('setDefaultKey', { url });
        assert.equal((await find('Later')).isDefault, true);
        person.answers = { typed: [], press: () => undefined };
        await run('deleteKey', { url });
        assert.equal((await find('Later')).url, url);
        assert.doesNotMatch(said(), /wrong|failed/i);
      });

      it('says why nothing can be done', async () => {
        person.answers = { typed: ['Store', 'A-1'], pick: ({ label }) => label === 'winphone' };
        await run('addKey');
        await run('unlockKey', { url: (await find('Store')).url });
        assert.match(said(), where === 'local' ? /Add the signing key “Store”/ : /does not offer this for Store/);
        await run('unlockKey', { url: 'https://elsewhere.example.com/api/v1/keys/ios/1' });
        assert.match(said(), /elsewhere\.example\.com is not an address of the service/);
        await run('deleteKey', 7);
        assert.match(said(), /There is no signing key to act on/);
      });
    });
  }
});
