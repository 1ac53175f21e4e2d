import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { home } from '../../../../integration/support/treeRows.ts';
import { ExplorerInNode } from '../../../../support/explorerInNode.ts';

describe('the first load of an account', () => {
  const folder = vscode.Uri.file('/shop');
  let explorer: ExplorerInNode;

  ExplorerInNode.forTests((opened) => (explorer = opened));
  afterEach(() => explorer.openFolder(undefined));

  it('keeps the rows of the folder and the builder when the folder is linked in the meantime', async () => {
    const user = home({ _links: { current_support: { href: '/api/v1/current_support' } } });
    let linking: Promise<void> | undefined;
    explorer.service.paths
      .set('/api/v1', () => {
        linking ??= explorer.linkFolder(folder, '/api/v1/apps/1', 'Shop');
        return user;
      })
      .set('/api/v1/apps/1', { id: 1, title: 'Shop', link: '/api/v1/apps/1', download: {}, status: {} })
      .set('/api/v1/current_support', { builder: 'builtin', platforms: { android: {} } });
    explorer.openFolder(folder);
    explorer.signIn(true);
    await explorer.tree.refresh();
    await explorer.tree.getChildren();
    await linking;
    assert.deepEqual(await explorer.rows(), ['Shop', 'odd | odd@example.com', 'Builder']);
  });
});
