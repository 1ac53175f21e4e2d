import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseServiceUrl } from '../../src/service-client/index.ts';
import { newSession } from '../../src/extension/auth/session.ts';
import { SecretClipboard } from '../../src/extension/workbench/secretClipboard.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { getTestExtension, configure } from './support/extension.ts';
import { useRecordingUser } from './support/recordingUser.ts';

describe('commands about tokens and accounts', () => {
  const access = getTestExtension();
  let service: LocalService;
  const witness = useRecordingUser();
  let secretKey: string;

  before(async () => {
    service = await startLocalService();
    secretKey = `clientSecret/${service.baseUrl}`;
    await access.context.secrets.store(secretKey, service.clientSecret);
  });

  beforeEach(async () => {
    await configure({ serviceUrl: service.baseUrl, clientId: service.clientId });
  });

  after(async () => {
    await access.context.secrets.delete(secretKey);
    await service.stop();
  });

  const works = async (parameter: string) => (await fetch(`${service.baseUrl}/api/v1/me?${parameter}`)).status === 200;

  it('copies the token to the clipboard after the user signs in for Get Authentication Token', async () => {
    witness.answers.typed = [service.username, service.password];
    await vscode.commands.executeCommand('appBuild.getAuthenticationToken');
    const [token = ''] = witness.copied;
    assert.ok(await works(`auth_token=${token}`));
    assert.ok(![...witness.notifications, ...witness.questions].join('\n').includes(token));
  });

  it('returns an access token for Exchange Authentication Token', async () => {
    witness.answers.typed = [service.authToken];
    await vscode.commands.executeCommand('appBuild.exchangeAuthenticationToken');
    const [token = ''] = witness.copied;
    assert.ok(await works(`access_token=${token}`));
  });

  it('clears a secret from the clipboard after a timeout, but no other text', async () => {
    const clipboard = new SecretClipboard(20);
    await clipboard.write('a-secret-for-a-moment');
    await waitUntil(() => witness.copied.at(-1) === '');
    await clipboard.write('another-secret');
    await vscode.env.clipboard.writeText('what the person copied since');
    clipboard.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(witness.copied.at(-1), 'what the person copied since');
  });

  it('switches the view to the other account with Switch Account, and keeps both signed in', async () => {
    const url = parseServiceUrl(service.baseUrl);
    // The view may send requests with either account, and a rejected token would end its session.
    const { authToken } = service;
    for (const name of ['ann', 'bob']) {
      await access.sessions.store(newSession(url, name, { type: 'authToken', authToken }, []));
    }
    for (const name of ['bob', 'ann']) {
      witness.answers.pick = ({ label }) => label.startsWith(name);
      await vscode.commands.executeCommand('appBuild.switchAccount');
      const connection = await access.connections.current();
      assert.equal(connection.kind === 'signedIn' && connection.username, name);
    }
    assert.equal((await access.sessions.all()).length, 2);
  });
});
