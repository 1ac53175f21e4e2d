import assert from 'node:assert/strict';
import { ExplorerInNode } from '../../../../support/explorerInNode.ts';

describe('the list of apps', () => {
  let explorer: ExplorerInNode;

  ExplorerInNode.forTests((opened) => (explorer = opened));

  const link = '/api/v1/apps';

  it('suggests opening a folder if the list is empty and the window has no folder', async () => {
    const root = await explorer.serve({ apps: { link, all: [] } }, { [link]: { apps: [], link } });
    const note = 'No apps yet | Open the folder of a web app to build it';
    assert.deepEqual(await explorer.rows(await explorer.child(root, 'Apps')), [note]);
  });

  it('shows the other members of an empty list', async () => {
    const root = await explorer.serve({ apps: { link, all: [] } }, { [link]: { apps: [], link, limit: 3 } });
    assert.deepEqual(await explorer.rows(await explorer.child(root, 'Apps')), ['limit | 3']);
  });
});
