import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Transport } from '../../src/api/http/transport.ts';
import { newSession } from '../../src/auth/session.ts';
import type { TreeNode } from '../../src/resources/tree/treeNode.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { extensionOfTests, configure } from './support/extension.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startInterceptingProxy, type InterceptingProxy, type StubbedAnswer } from './support/interceptingProxy.ts';
import { clientAt, serviceAt } from './support/signingIn.ts';
import { spokenRow } from './support/spokenRow.ts';
import { TreeRows } from './support/treeRows.ts';

const json = (value: unknown, status = 200): StubbedAnswer => ({
  status,
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
const serverError = json({ error: 'the database is away' }, 500);
const unauthorized = json({ error: 'Invalid authentication token.' }, 401);

describe('the tree', () => {
  const transport = new Transport();
  const access = extensionOfTests();
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

  const isFailure = (node: TreeNode | undefined): boolean => view.contextOf(node) === 'failure';

  it('shows the user with name and e-mail, below it the apps first, and at the end what is for programs', async () => {
    assert.deepEqual(await view.rows(), ['demo | demo@example.com']);
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

  it('offers to create an app above the list, in one row for both ways', async () => {
    const [create, ...others] = await access.tree.getChildren(await view.at('Apps'));
    assert.ok(create);
    assert.equal(item(create).command?.command, 'appBuild.createApp');
    assert.equal(spokenRow(item(create)), 'Create App…');
    assert.deepEqual(
      others.filter((node) => view.contextOf(node) === 'form'),
      [],
    );
    assert.equal(view.contextOf(await view.at('Apps')), 'apps;create;');
    await access.tree.refresh();
    assert.equal((await access.tree.getChildren(await view.at('Apps')))[0], create);
  });

  describe('when something fails', () => {
    it('an error at the root is a failure with the service’s own reason, which signs nobody out and tries again by its command', async () => {
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
      assert.deepEqual(await view.rows(), ['demo | demo@example.com']);
    });

    it('a failing service is shown below the node that was opened, and the retry loads it', async () => {
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

  describe('when the service answers 401', () => {
    for (const [what, me] of [
      ['accepts the token', undefined],
      ['fails otherwise', serverError],
    ] as const) {
      it(`for one resource, while /me ${what}: the session stays`, async () => {
        front.instead = (asked) => (asked === '/api/v1/me' ? me : asked === '/api/v1/apps' ? unauthorized : undefined);
        const [failure] = await access.tree.getChildren(await view.at('Apps'));
        assert.ok(isFailure(failure));
        await asked('GET /api/v1/me');
        assert.equal((await access.sessions.all()).length, 1);
      });
    }

    /** Waits until the service has been asked this, and what follows from its answer has been done. */
    async function asked(line: string): Promise<void> {
      await waitUntil(() => front.requests.includes(line));
      // The answers come in order on this machine: when a later call is answered, the earlier one has been dealt with.
      await clientAt(serviceAt(front.url), transport)
        .get('/api/v1/me')
        .catch(() => undefined);
      await access.context.secrets.keys();
    }
  });

  it('nobody is signed in: the root is empty, for the welcome view', async () => {
    await access.sessions.remove(session().id);
    assert.deepEqual(await access.tree.getChildren(), []);
    assert.deepEqual(front.requests, []);
  });
});
