import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { approve } from '../support/consent.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { configure, getTestExtension, logged, signOutEverywhere } from './support/extension.ts';
import { AS_PROPOSED, useRecordingUser } from './support/recordingUser.ts';

const WRONG_SECRET = 'wr0ng-client-secret';

/** The user registers the extension with this service, because it isn't the extension's own. */
describe('a wrong registration', () => {
  const access = getTestExtension();
  const user = useRecordingUser();
  let service: LocalService;
  /** The buttons of each notification that asks to check the registration. */
  let offered: (readonly string[])[];

  before(async () => {
    service = await startLocalService();
  });

  beforeEach(async () => {
    await access.context.secrets.store(`clientSecret/${service.baseUrl}`, WRONG_SECRET);
    await configure({ serviceUrl: service.baseUrl, clientId: service.clientId, callbackUrl: undefined });
    offered = [];
  });

  afterEach(async () => {
    const places = [await logged(access), ...user.notifications, ...user.questions, ...user.progress];
    for (const secret of [WRONG_SECRET, service.clientSecret, service.authToken]) {
      assert.ok(!places.join('\n').includes(secret));
    }
    await signOutEverywhere(access);
    await access.context.secrets.delete(`clientSecret/${service.baseUrl}`);
  });

  after(() => service.stop());

  /** Signs in this way and presses a button in the first refusal. Resolves with the last refusal. */
  async function signIn(way: string, typed: readonly string[], button: string, refusals = 1): Promise<void> {
    const pressed = new Promise<void>((resolve) => {
      user.answers = {
        typed: [...typed],
        lists: [[way], [way]],
        browse: async (page) => user.answers.typed.push(await approve(service, page)),
        press: (text, buttons) => {
          if (!text.includes('The service denied access')) {
            return buttons[0];
          }
          offered.push(buttons);
          if (offered.length === refusals) {
            resolve();
          }
          return offered.length === 1 ? button : undefined;
        },
      };
    });
    await vscode.commands.executeCommand('appBuild.signIn');
    await pressed;
  }

  const assertSaid = (refusal: string) => {
    const said = user.notifications.join('\n');
    assert.ok(said.includes(`The service denied access: ${refusal}`), said);
  };

  it('is one of three causes listed for a refused token, and the sign-in continues after its correction', async () => {
    const signedIn = new Promise((resolve) => access.sessions.onDidChange(resolve));
    await signIn(
      'Authentication Token',
      [service.authToken, AS_PROPOSED, AS_PROPOSED, service.clientSecret, service.authToken],
      'Change Registration…',
    );
    await signedIn;
    assertSaid('Invalid authentication token. Check the token, client ID, and client secret.');
    assert.deepEqual(offered, [['Change Registration…', 'Retry', 'Show Log']]);
    const [session] = await access.sessions.all();
    assert.equal(session?.username, service.username);
    assert.match(user.questions.join('\n'), new RegExp(`Change Registration at ${new URL(service.baseUrl).host}`));
    assert.doesNotMatch(user.questions.join('\n'), /Address of the application build service/);
  });

  it('isn’t changed by Retry, which asks for another token', async () => {
    await signIn('Authentication Token', ['mistyped-token', 'mistyped-again'], 'Retry', 2);
    assert.equal(await access.context.secrets.get(`clientSecret/${service.baseUrl}`), WRONG_SECRET);
  });

  for (const [way, message] of [
    ['User Name and Password', 'Invalid authentication token. Check the client ID and client secret.'],
    ['Browser (Paste the Code)', 'invalid request. Check the code, client ID, and client secret.'],
  ] as const) {
    it(`is listed as a possible cause of a refusal: ${way}`, async () => {
      await signIn(way, way.startsWith('User') ? [service.username, service.password] : [], 'Show Log');
      assertSaid(message);
    });
  }
});
