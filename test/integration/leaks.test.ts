import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CALLBACK_PATH } from '../../src/auth/callback/callback.ts';
import { newSession } from '../../src/auth/session.ts';
import type { TestAccess } from '../../src/extension.ts';
import { activated, configure, extensionId, logged, next } from './support/extension.ts';
import { startInterceptingProxy, type InterceptingProxy, type StubbedAnswer } from './support/interceptingProxy.ts';
import { serviceAt } from './support/signingIn.ts';

describe('the log', () => {
  const secrets = {
    token: 'Leak/Token+1=&"x',
    code: 'LeakCode-2468',
    state: 'LeakState-1357',
    asked: 'LeakAsked-8642',
  };
  let access: TestAccess;
  let front: InterceptingProxy;

  before(async () => {
    access = await activated();
    front = await startInterceptingProxy();
    await configure({ serviceUrl: front.url });
  });

  after(async () => {
    await front.close();
  });

  const { token } = secrets;
  const failures: Readonly<Record<string, StubbedAnswer>> = {
    'an error that repeats the token': {
      status: 500,
      body: JSON.stringify({ error: `no ${token} and no ${encodeURIComponent(token)}` }),
    },
    'a 401 that repeats the token': { status: 401, body: JSON.stringify({ error: `Invalid ${token}` }) },
    'a 404 that is a page': {
      status: 404,
      body: `<p>access_token=${encodeURIComponent(token)}`,
      headers: { 'content-type': 'text/html' },
    },
    'a redirect elsewhere with the token': {
      status: 302,
      body: '',
      headers: { location: `https://elsewhere.example.com/?x=${encodeURIComponent(token)}` },
    },
    'no JSON': { status: 200, body: `{"access_token": "${token}` },
    'the token as a resource': { status: 200, body: JSON.stringify({ username: 'ann', access_token: token }) },
  };
  for (const [what, instead] of Object.entries(failures)) {
    it(`has a line for each request and no secret in it, when the service answers with ${what}`, async () => {
      await access.sessions.store(
        newSession(serviceAt(front.url).url, 'ann', { type: 'accessToken', accessToken: token }, []),
      );
      front.instead = () => instead;
      const from = (await logged(access)).length;
      const expired = instead.status === 401 ? next(access.connections.onDidExpire) : undefined;
      await vscode.commands.executeCommand('appBuild.getResource', `/api/v1/apps?page=2&access_token=${secrets.asked}`);
      await vscode.commands.executeCommand('appBuild.showCurrentUser');
      await access.tree.refresh();
      await access.tree.getChildren();
      const query = `code=${secrets.code}&state=${secrets.state}`;
      access.callbacks.handleUri(
        vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: extensionId, path: CALLBACK_PATH, query }),
      );
      // Else the session of the next test, which is the same one, could be taken for it.
      await expired;
      const log = (await logged(access)).slice(from);
      assert.match(log, /GET \/api\/v1\/apps\?page=\*{3} → \d{3} \(\d+ ms\)/);
      assert.match(log, /Ignored a sign-in callback/);
      for (const [name, secret] of Object.entries(secrets)) {
        for (const form of [
          secret,
          encodeURIComponent(secret),
          Buffer.from(secret).toString('base64'),
          JSON.stringify(secret).slice(1, -1),
        ]) {
          assert.ok(!log.includes(form), `the ${name} is in the log`);
        }
      }
    });
  }
});
