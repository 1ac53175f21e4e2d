import assert from 'node:assert/strict';
import { ExplorerInNode } from '../../../../support/explorerInNode.ts';

/** Pages that link to the next one outside or inside the list, and pages of entries without addresses. */
const pages: Readonly<Record<string, (number: number, nextPath: string | undefined) => unknown>> = {
  'Link header': (number, nextPath) => ({
    body: JSON.stringify([{ title: `Item ${number}`, link: `/api/v1/items/${number}` }]),
    headers: {
      'content-type': 'application/json',
      ...(nextPath !== undefined && { link: `<${nextPath}>; rel="next"` }),
    },
  }),
  playlists: (number, nextPath) => ({
    playlists: { items: [{ title: `Item ${number}` }], next: nextPath ?? null, total: 3 },
  }),
  'texts at the top of the document': (number, nextPath) => ({
    body: JSON.stringify([`Item ${number}`]),
    headers: { 'content-type': 'application/json', ...(nextPath !== undefined && { link: `<${nextPath}>; rel=next` }) },
  }),
};

/** Returns the rows of items, by title, or by value if they have none. */
function getItems(rows: readonly string[]): string[] {
  return rows.map((row) => /(Item \d+|Item|Load More…)/.exec(row)?.[1] ?? '').filter((row) => row !== '');
}

describe('a list in the resource explorer', () => {
  let explorer: ExplorerInNode;

  ExplorerInNode.forTests((opened) => (explorer = opened));

  it('shows a thousand rows, and the rest after Load More…', async () => {
    const links = Object.fromEntries(
      Array.from({ length: 5_000 }, (_one, index) => [`item${index}`, { href: `/api/v1/items/${index}` }]),
    );
    const root = await explorer.serve({ _links: links });
    const first = await explorer.tree.getChildren(root);
    assert.equal(first.length, 1001);
    assert.equal(explorer.getContext(first.at(-1)), 'loadMore');
    assert.equal(explorer.getContext(first[1]), 'field');
    await explorer.tree.loadMore(first.at(-1)?.parent);
    const second = await explorer.tree.getChildren(root);
    assert.equal(second.length, 2001);
    assert.equal(second[999], first[999]);
    assert.deepEqual(explorer.service.requests, []);
  });

  for (const [convention, page] of Object.entries(pages)) {
    it(`continues in place with the next page: ${convention}`, async () => {
      const root = await explorer.serve(
        { [convention]: { link: '/api/v1/list' } },
        {
          '/api/v1/list': page(1, '/api/v1/list?page=2'),
          '/api/v1/list?page=2': page(2, '/api/v1/list?page=3'),
          '/api/v1/list?page=3': page(3, undefined),
        },
      );
      const list = await explorer.child(root, convention);
      assert.deepEqual(getItems(await explorer.rows(list)), ['Item 1', 'Load More…']);
      const one = (await explorer.tree.getChildren(list)).find((row) => explorer.shown(row).includes('Item 1'));
      await explorer.tree.loadMore(list);
      assert.deepEqual(getItems(await explorer.rows(list)), ['Item 1', 'Item 2', 'Load More…']);
      await explorer.tree.loadMore(list);
      assert.deepEqual(getItems(await explorer.rows(list)), ['Item 1', 'Item 2', 'Item 3']);
      assert.ok(one !== undefined && (await explorer.tree.getChildren(list)).includes(one));
      await explorer.tree.refresh(list);
      assert.deepEqual(getItems(await explorer.rows(list)), ['Item 1', 'Item 2', 'Item 3']);
    });
  }

  it('reports a page that can’t be loaded, and can continue later', async () => {
    const root = await explorer.serve(
      { broken: { link: '/api/v1/list' } },
      { '/api/v1/list': { items: [{ title: 'Item 1', link: '/api/v1/items/1' }], next: '/api/v1/list?page=2' } },
    );
    const list = await explorer.child(root, 'broken');
    await explorer.tree.getChildren(list);
    explorer.service.paths.set('/api/v1/list?page=2', { status: 503, body: '{"error":"Later."}' });
    await assert.rejects(explorer.tree.loadMore(list), /Later/);
    explorer.service.paths.set('/api/v1/list?page=2', { items: [{ title: 'Item 2', link: '/api/v1/items/2' }] });
    await explorer.tree.loadMore(list);
    assert.deepEqual(getItems(await explorer.rows(list)), ['Item 1', 'Item 2']);
  });
});
