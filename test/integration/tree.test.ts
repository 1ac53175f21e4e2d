import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Transport } from '../../src/service-client/index.ts';
import { newSession } from '../../src/extension/auth/session.ts';
import type { TreeNode } from '../../src/extension/resources/tree/treeNode.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { getTestExtension, configure, until } from './support/extension.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startInterceptingProxy, type InterceptingProxy, type StubbedAnswer } from './support/interceptingProxy.ts';
import { clientAt, serviceAt } from './support/signingIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { openFolder } from './support/webProject.ts';

const json = (value: unknown, status = 200): StubbedAnswer => ({
  status,
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
const serverError = json({ error: 'the database is away' }, 500);
const unauthorized = json({ error: 'Invalid authentication token.' }, 401);

describe('the tree', () => {
  const transport = new Transport();
  const access = getTestExtension();
  let view: TreeRows;
  let real: LocalService;
  let front: InterceptingProxy;
  let accessToken = '';

  before(async () => {
    view = new TreeRows(access.tree);
    real = await startLocalService();
    const registration = { clientId: real.clientId, clientSecret: real.clientSecret };
    const client = clientAt(serviceAt(real.baseUrl, registration), transport);
    accessToken = await client.exchangeAuthenticationToken({ ...registration, authToken: real.authToken });
    front = await startInterceptingProxy(real.baseUrl);
  });

  beforeEach(async () => {
    front.instead = undefined;
    front.requests.length = 0;
    await configure({ serviceUrl: front.url });
    await access.sessions.store(session());
    await access.tree.refresh();
  });

  after(async () => {
    await front.close();
    await transport.dispose();
    await real.stop();
  });

  const session = (token = accessToken) =>
    newSession(serviceAt(front.url).url, 'demo', { type: 'accessToken', accessToken: token }, []);
  const item = (node: TreeNode) => access.tree.getTreeItem(node);

  const TOP = [`${openFolder().name} | not built yet`, 'demo | demo@example.com'];
  const isFailure = (node: TreeNode | undefined): boolean => view.getContext(node) === 'failure';

  it('shows the folder, then the user with name and email address, the apps, and links for programs at the end', async () => {
    assert.deepEqual(await view.rows(), TOP);
    assert.deepEqual(await view.rows(await view.at()), ['Apps', 'Signing Keys', 'More']);
    const apps = item(await view.at('Apps'));
    assert.equal(apps.collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    assert.match(
      typeof apps.tooltip === 'string' ? apps.tooltip : '',
      /^Apps\napps\nhttp/,
      'with the word of the service',
    );
    const more = await view.rows(await view.at('More'));
    assert.deepEqual(more.slice(0, 3), ['id | 1', 'username | demo', 'email | demo@example.com']);
    assert.ok(more.includes('current_support'));
    assert.deepEqual(
      [...new Set(front.requests)],
      ['GET /api/v1'],
      'the root and what is in it come with one resource',
    );
  });

  it('offers to create an app with a button on the list instead of with its forms', async () => {
    const apps = await view.at('Apps');
    const rows = await access.tree.getChildren(apps);
    assert.deepEqual([...new Set(rows.map((node) => view.getContext(node)?.split(';')[0]))], ['app']);
    assert.equal(view.getContext(apps), 'apps;create;');
  });

  describe('after a failure', () => {
    it('shows an error at the root with the service’s reason and a retry command, and keeps the session', async () => {
      front.instead = () => serverError;
      const [root, ...others] = await access.tree.getChildren();
      assert.deepEqual(others, []);
      assert.ok(root && isFailure(root));
      assert.match(view.shown(root), /the database is away/);
      assert.equal((await access.sessions.all()).length, 1);
      const { command } = item(root);
      assert.equal(command?.command, 'appBuild.retry');
      front.instead = undefined;
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
      assert.deepEqual(await view.rows(), TOP);
    });

    it('shows the failure of an opened row under that row, and loads the row again on Retry', async () => {
      const apps = await view.at('Apps');
      front.instead = () => serverError;
      const [failure, ...others] = await access.tree.getChildren(apps);
      assert.ok(failure && isFailure(failure));
      const rows = others.map((row) => view.shown(row));
      assert.ok(rows.includes('Field Notes | apps · admin'), `what came with the user is not shown: ${rows.join()}`);
      front.instead = undefined;
      await vscode.commands.executeCommand('appBuild.retry', failure);
      assert.ok((await view.rows(await view.at('Apps'))).some((row) => row.startsWith('Field Notes')));
    });
  });

  describe('after a 401 response', () => {
    for (const [what, me] of [
      ['accepts the token', undefined],
      ['fails otherwise', serverError],
    ] as const) {
      it(`keeps the session if one resource fails while /me ${what}`, async () => {
        front.instead = (asked) => (asked === '/api/v1/me' ? me : asked === '/api/v1/apps' ? unauthorized : undefined);
        const [failure] = await access.tree.getChildren(await view.at('Apps'));
        assert.ok(isFailure(failure));
        await asked('GET /api/v1/me');
        assert.equal((await access.sessions.all()).length, 1);
      });
    }

    /** Waits until the service has received this request and the extension has handled the response. */
    async function asked(line: string): Promise<void> {
      await waitUntil(() => front.requests.includes(line));
      // Responses arrive in order on this computer, so after the response to a later call, the earlier one has been handled.
      await clientAt(serviceAt(front.url), transport)
        .get('/api/v1/me')
        .catch(() => undefined);
      await access.context.secrets.keys();
    }
  });

  it('has an empty root for the welcome view if the user is signed out', async () => {
    await access.tree.getChildren();
    front.requests.length = 0;
    await access.sessions.remove(session().id);
    await until(access.tree.onDidChangeTreeData, async () => (await access.tree.getChildren()).length === 0);
    assert.deepEqual(front.requests, []);
  });
});
