import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PROVIDER_ID } from '../../src/extension/auth/authenticationProvider.ts';
import { extensionCallback } from '../../src/extension/auth/flows/browserFlows.ts';
import { approve } from '../support/consent.ts';
import { getTestExtension, extensionId, next } from './support/extension.ts';
import { bringBack, nextPage } from './support/signingIn.ts';

describe('sign-in at the local service with VS Code’s own URI handler', () => {
  const access = getTestExtension();
  let baseUrl = '';

  before(async () => {
    baseUrl = (await access.localService.start({ demo: true })).href;
  });

  after(async () => {
    await access.localService.stop();
  });

  it('stores and announces the session if the user allows access', async () => {
    const announced = next(vscode.authentication.onDidChangeSessions, ({ provider }) => provider.id === PROVIDER_ID);
    const page = nextPage(access.callbacks);
    const over = next(access.callbacks.onDidChangePending, (pending) => !pending);
    const signingIn = vscode.commands.executeCommand('appBuild.signIn');
    const service = { baseUrl, username: 'demo', password: '' };
    await bringBack(access.callbacks, await approve(service, await page, { user: 'octo-demo' }));
    await over;
    await signingIn;
    const [session, ...others] = await access.sessions.all();
    assert.ok(session);
    assert.deepEqual(others, []);
    const { origin } = new URL(baseUrl);
    assert.equal(session.account.label, `octo-demo (${origin})`);
    assert.equal(session.account.id, `${origin}#octo-demo`);
    assert.deepEqual(session.scopes, []);
    assert.equal(session.tokenType, 'accessToken');
    await announced;
    const me = await fetch(`${baseUrl}/api/v1/me?access_token=${session.accessToken}`);
    assert.equal(me.status, 200);
    const [given] = await access.provider.getSessions([], {});
    assert.deepEqual(given, { id: session.id, accessToken: session.accessToken, account: session.account, scopes: [] });
    assert.ok(
      (await vscode.authentication.getAccounts(PROVIDER_ID)).some(({ label }) => label === session.account.label),
    );
  });

  it('ignores an unexpected callback', async () => {
    const before = await access.sessions.all();
    const unsolicited = next(access.callbacks.onDidReceiveUnsolicited);
    const external = await vscode.env.asExternalUri(extensionCallback(extensionId));
    const attack = new URL(external.toString(true));
    attack.searchParams.set('code', 'Attacker123');
    await bringBack(access.callbacks, attack.href);
    assert.match(await unsolicited, /code=Attacker123/);
    assert.deepEqual(await access.sessions.all(), before);
  });
});
