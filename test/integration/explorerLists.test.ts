import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Explorer, text } from './support/explorer.ts';

/** Pages whose next one is said outside of them, in them, and of entries that have no address. */
const pages: Readonly<Record<string, (number: number, nextPath: string | undefined) => unknown>> = {
  'Link header': (number, nextPath) => ({
    body: JSON.stringify([{ title: `Item ${number}`, link: `/api/v1/items/${number}` }]),
    headers: {
      'content-type': 'application/json',
      ...(nextPath !== undefined && { link: `<${nextPath}>; rel="next"` }),
    },
  }),
  HAL: (number, nextPath) =>
    text(
      JSON.stringify({
        _links: {
          self: { href: `/api/v1/list?page=${number}` },
          ...(nextPath !== undefined && { next: { href: nextPath } }),
        },
        _embedded: { items: [{ title: `Item ${number}`, _links: { self: { href: `/api/v1/items/${number}` } } }] },
      }),
      'application/hal+json',
    ),
  'links beside the items, as at the local service': (number, nextPath) => ({
    apps: [{ title: `Item ${number}`, link: `/api/v1/items/${number}` }],
    link: '/api/v1/list',
    ...(nextPath !== undefined && { links: { next: nextPath } }),
  }),
  'groups without addresses': (number, nextPath) => ({
    items: [{ title: `Item ${number}` }],
    _links: nextPath === undefined ? {} : { next: { href: nextPath } },
  }),
};

function itemsOf(rows: readonly string[]): string[] {
  return rows.map((row) => row.split(' | ')[0] ?? '').filter((row) => /^(Item|Load)/.test(row));
}

describe('lists in the resource explorer', () => {
  let explorer: Explorer;

  before(async () => {
    explorer = await Explorer.open();
  });

  beforeEach(() => explorer.signIn());

  after(() => explorer.close());

  it('show a thousand rows, then the rest on Load More…', async () => {
    const links = Object.fromEntries(
      Array.from({ length: 5_000 }, (_one, index) => [`item${index}`, { href: `/api/v1/items/${index}` }]),
    );
    const root = await explorer.serve({ _links: links });
    const first = await explorer.tree.getChildren(root);
    assert.equal(first.length, 1001);
    assert.equal(explorer.contextOf(first.at(-1)), 'loadMore');
    assert.equal(explorer.contextOf(first[1]), 'field');
    await vscode.commands.executeCommand('appBuild.loadMore', first.at(-1));
    const second = await explorer.tree.getChildren(root);
    assert.equal(second.length, 2001);
    assert.equal(second[999], first[999]);
    assert.deepEqual(explorer.service.requests, []);
  });

  for (const [convention, page] of Object.entries(pages)) {
    it(`go on in place with the next page: ${convention}`, async () => {
      const root = await explorer.serve(
        { [convention]: { link: '/api/v1/list' } },
        {
          '/api/v1/list': page(1, '/api/v1/list?page=2'),
          '/api/v1/list?page=2': page(2, '/api/v1/list?page=3'),
          '/api/v1/list?page=3': page(3, undefined),
        },
      );
      const list = await explorer.child(root, convention);
      assert.deepEqual(itemsOf(await explorer.rows(list)), ['Item 1', 'Load More…']);
      const one = await explorer.child(list, 'Item 1');
      await explorer.tree.loadMore(list);
      assert.deepEqual(itemsOf(await explorer.rows(list)), ['Item 1', 'Item 2', 'Load More…']);
      await explorer.tree.loadMore(list);
      assert.deepEqual(itemsOf(await explorer.rows(list)), ['Item 1', 'Item 2', 'Item 3']);
      assert.equal(await explorer.child(list, 'Item 1'), one);
      await explorer.tree.refresh(list);
      assert.deepEqual(itemsOf(await explorer.rows(list)), ['Item 1', 'Item 2', 'Item 3']);
    });
  }

  it('end where a page leads back to an earlier one', async () => {
    const page = { items: [{ title: 'Item', link: '/api/v1/items/1' }], _links: { next: { href: '/api/v1/list' } } };
    const root = await explorer.serve({ circle: { link: '/api/v1/list' } }, { '/api/v1/list': page });
    assert.deepEqual(itemsOf(await explorer.rows(await explorer.child(root, 'circle'))), ['Item']);
  });

  it('say when a page cannot be loaded, and can go on later', async () => {
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
    assert.deepEqual(itemsOf(await explorer.rows(list)), ['Item 1', 'Item 2']);
  });
});
