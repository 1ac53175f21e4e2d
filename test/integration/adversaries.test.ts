import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TreeNode } from '../../src/extension/resources/tree/treeNode.ts';
import { Configuration } from '../../src/extension/workbench/configuration.ts';
import { repositoryRoot } from '../support/repository.ts';
import { getTestExtension, configure, next } from './support/extension.ts';
import { startInterceptingProxy, type InterceptingProxy } from './support/interceptingProxy.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAt } from './support/signedIn.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';

describe('adversaries', () => {
  const access = getTestExtension();
  let front: InterceptingProxy;
  const witness = useRecordingUser();

  beforeEach(async () => {
    front = await startInterceptingProxy();
    front.instead = () => ({ status: 200, body: JSON.stringify({ username: 'ann', email: 'ann@example.com' }) });
  });

  afterEach(() => front.close());

  describe('a workspace', () => {
    const configuration = new Configuration();

    after(() => configuration.dispose());

    afterEach(() => deleteFiles('.vscode'));

    // A new value each time, because VS Code may not have noticed that the file was deleted in between.
    let ruler = 77;

    /** Writes every setting of the extension to the folder's settings, and waits until VS Code has read them. */
    const writeWorkspaceSettings = async () => {
      const read = next(vscode.workspace.onDidChangeConfiguration, (event) =>
        event.affectsConfiguration('editor.rulers'),
      );
      const evil = {
        ...{ serviceUrl: front.url, clientId: 'theirs', callbackUrl: `${front.url}/callback` },
        adbPath: '/evil/adb',
      };
      const flat = Object.fromEntries(Object.entries(evil).map(([key, value]) => [`appBuild.${key}`, value]));
      ruler += 1;
      const settings = { 'editor.rulers': [ruler], ...flat, appBuild: evil, '[json]': flat };
      await writeFiles({ '.vscode/settings.json': JSON.stringify(settings) });
      await read;
    };

    it('can’t set the service, the client, or the callback', async () => {
      await configure({ serviceUrl: 'https://build.example.com', clientId: 'mine' });
      await writeWorkspaceSettings();
      const connection = await access.connections.current();
      assert.ok(connection.kind === 'signedOut');
      assert.equal(connection.service.url.href, 'https://build.example.com');
      await access.context.secrets.store('clientSecret/https://build.example.com', 'client-secret');
      assert.deepEqual(await connection.service.registration(), { clientId: 'mine', clientSecret: 'client-secret' });
      await access.context.secrets.delete('clientSecret/https://build.example.com');
      await configure({ serviceUrl: undefined, clientId: undefined });
      assert.equal((await access.connections.current()).kind, 'unconfigured');
      assert.deepEqual(front.requests, []);
    });

    it('can’t set any setting of the extension', async () => {
      const manifest = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
        contributes: { configuration: { properties: Record<string, { scope: string }> } };
      };
      await writeWorkspaceSettings();
      for (const [name, { scope }] of Object.entries(manifest.contributes.configuration.properties)) {
        // A path belongs to one computer. VS Code accepts neither scope from a workspace.
        assert.equal(scope, name === 'appBuild.adbPath' ? 'machine' : 'application', name);
        assert.equal(vscode.workspace.getConfiguration().inspect(name)?.globalValue, undefined, name);
      }
      // VS Code 1.105 returns the workspace's value of an application setting from `get`; later versions don't.
      const { serviceUrl, clientId, callbackUrl, adbPath } = configuration;
      assert.deepEqual([serviceUrl, clientId, callbackUrl, adbPath], [undefined, undefined, undefined, undefined]);
    });
  });

  it('doesn’t use a token at another address', async () => {
    await signInAt(access, front.url);
    const other = await startInterceptingProxy();
    try {
      await configure({ serviceUrl: other.url });
      assert.equal((await access.connections.current()).kind, 'signedOut');
      await access.tree.getChildren();
      await vscode.commands.executeCommand('appBuild.showCurrentUser');
      assert.deepEqual(other.requests, []);
    } finally {
      await other.close();
    }
  });

  describe('at sign-in', () => {
    const signInAs = async (user: { readonly username: string; readonly email?: string }, secret = 'of-somebody') => {
      await configure({ serviceUrl: front.url });
      front.instead = (asked) => ({
        status: 200,
        body: JSON.stringify(asked === '/token' ? { token: secret } : user),
      });
      witness.answers = { typed: ['ann', secret] };
      await vscode.commands.executeCommand('appBuild.signIn');
      return (await access.sessions.all()).map(({ username }) => username);
    };

    // test/unit/service-client/hypermedia/label.test.ts tests which characters are invisible.
    for (const [what, user, message] of [
      [
        'a user name',
        { username: 'an\u200bn', email: 'ann@example.com' },
        /user name “ann” contains invisible characters/,
      ],
      [
        'an email address',
        { username: 'ann', email: 'an\u200bn' },
        /email address “ann” contains invisible characters/,
      ],
    ] as const) {
      it(`rejects ${what} with invisible characters, and explains it in the message`, async () => {
        assert.deepEqual(await signInAs(user), []);
        assert.match(witness.notifications.join('\n'), message);
      });
    }

    // test/unit/service-client/secretsLikeData.test.ts tests how such a response is read.
    for (const word of ['username', '1234']) {
      it(`signs in with “${word}” as the password and token, and masks no visible data`, async () => {
        const user = { username: 'ann', email: 'ann@example.com', apps: { link: '/api/v1/apps' } };
        assert.deepEqual(await signInAs(user, word), ['ann']);
        await vscode.commands.executeCommand('appBuild.getResource', '/api/v1/me');
        assert.deepEqual(JSON.parse(vscode.window.activeTextEditor?.document.getText() ?? ''), user);
        const labelsBelow = async (node?: TreeNode) =>
          (await access.tree.getChildren(node)).map((each) => access.tree.getTreeItem(each).label);
        assert.deepEqual(await labelsBelow(), [openFolder().name, 'ann']);
        assert.deepEqual(await labelsBelow((await access.tree.getChildren())[1]), ['Apps', 'More']);
      });
    }
  });

  describe('a rejected token', () => {
    it('is dropped once, with one question, however many calls fail', async () => {
      const connection = await signInAt(access, front.url);
      front.instead = () => ({ status: 401, body: '{"error":"no"}' });
      const gone = next(access.sessions.onDidChange, ({ removed }) => removed.length > 0);
      const expired = next(access.connections.onDidExpire);
      await Promise.allSettled(Array.from({ length: 20 }, () => connection.client.get('/api/v1/apps')));
      await Promise.all([gone, expired]);
      const asked = front.requests.length;
      assert.equal(front.requests.filter((request) => request === 'GET /api/v1/me').length, 1);
      await access.tree.getChildren();
      assert.equal((await access.connections.current()).kind, 'signedOut');
      assert.equal(front.requests.length, asked, 'nothing asks again');
      assert.equal(witness.notifications.length, 1);
    });

    it('leads to a question if a different user signs in afterward', async () => {
      await signInAt(access, front.url);
      front.instead = () => ({ status: 401, body: '{}' });
      const expired = next(access.connections.onDidExpire);
      await vscode.commands.executeCommand('appBuild.showCurrentUser');
      await expired;
      const questions: string[] = [];
      const signInAgain = async (username: string, answer: string | undefined) => {
        front.instead = (asked) => ({
          status: 200,
          body: JSON.stringify(asked === '/token' ? { token: `token-of-${username}` } : { username }),
        });
        const press = (text: string) => {
          questions.push(text);
          return answer;
        };
        witness.answers = { typed: [username, 'password'], press };
        await vscode.commands.executeCommand('appBuild.signIn');
        return (await access.sessions.all()).map((session) => session.username);
      };
      assert.deepEqual(await signInAgain('bob', undefined), []);
      assert.ok(questions.some((text) => /signing in as bob .* not as ann/.test(text)));
      questions.length = 0;
      assert.deepEqual(await signInAgain('ann', undefined), ['ann']);
      assert.ok(!questions.some((text) => text.includes('Continue?')));
    });
  });
});
