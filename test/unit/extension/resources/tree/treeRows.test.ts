import assert from 'node:assert/strict';
import type { ResourceNode } from '../../../../../src/extension/resources/tree/resourceNode.ts';
import type { TreeNode } from '../../../../../src/extension/resources/tree/treeNode.ts';
import { next } from '../../../../support/events.ts';
import { ExplorerInNode } from '../../../../support/explorerInNode.ts';
import { text } from '../../../../integration/support/treeRows.ts';
import { spokenRow } from '../../../../integration/support/spokenRow.ts';

describe('a row of the resource explorer', () => {
  let explorer: ExplorerInNode;

  ExplorerInNode.forTests((opened) => (explorer = opened));

  /** Returns the row of a resource that the service serves. */
  async function served(value: unknown, type = 'application/json', more: Readonly<Record<string, unknown>> = {}) {
    const body = text(JSON.stringify(value), type);
    const root = await explorer.serve({ it: { link: '/api/v1/it' } }, { '/api/v1/it': body, ...more });
    return explorer.child(root, 'it');
  }

  const getRows = async (value: unknown, type?: string) => explorer.rows(await served(value, type));
  const tooltip = (node: TreeNode) => {
    const { tooltip: shown } = explorer.tree.getTreeItem(node);
    assert.ok(typeof shown === 'string');
    return shown;
  };
  const spoken = (node: TreeNode) => spokenRow(explorer.tree.getTreeItem(node));

  it('lists other relations of a link that already has a row in the tooltip', async () => {
    const linksTo = (href: string, ...relations: readonly string[]) =>
      Object.fromEntries(['self', ...relations].map((rel) => [rel, { href }]));
    const node = await served({
      _links: linksTo('/api/v1/it', 'canonical', 'edit', 'https://api.x.io/rels/thing'),
      items: [
        { name: 'One', _links: linksTo('/api/v1/items/1', 'item') },
        { name: 'Two', _links: linksTo('https://other.test/2', 'alternate') },
        { name: 'Three', _links: { self: { href: '/api/v1/items/3' } } },
      ],
    });
    const { url } = explorer.service;
    assert.equal(tooltip(await explorer.child(node, 'One')), `One\n${url}/api/v1/items/1\nAlso linked as: item`);
    assert.equal(tooltip(await explorer.child(node, 'Two')), 'Two\nAlso linked as: alternate');
    assert.equal(tooltip(await explorer.child(node, 'Three')), `Three\n${url}/api/v1/items/3`);
    assert.deepEqual(await next(explorer.tree.onDidChangeTreeData, (nodes) => nodes?.includes(node) ?? false), [node]);
    assert.equal(tooltip(node), `it\n${url}/api/v1/it\nAlso linked as: canonical, edit, https://api.x.io/rels/thing`);
  });

  it('omits a wrapper that repeats the row’s name, even after a redirect', async () => {
    const { url } = explorer.service;
    const it = { color: 'red', _links: { self: { href: '/api/v1/there' } } };
    const node = await served({ it }, undefined, { '/api/v1/there': { it } });
    assert.deepEqual(await explorer.rows(node), ['it']);
    const redirect = { status: 302, body: '', headers: { location: `${url}/api/v1/there` } };
    const root = await explorer.serve(
      { it: { link: '/api/v1/it' } },
      { '/api/v1/it': redirect, '/api/v1/there': { it } },
    );
    assert.deepEqual(await explorer.rows(await explorer.child(root, 'it')), ['color | red']);
  });

  it('is named after a value that is a text, and not after a flag or an empty value', async () => {
    const items = ['ann@example.com', true, null].map((value) => ({ value, primary: true }));
    assert.deepEqual(await getRows({ items }), ['ann@example.com | items', 'items 2', 'items 3']);
  });

  describe('from Siren', () => {
    const rel = ['https://api.x.io/rels/date'];
    const entity = { class: ['due-date'], rel, properties: { at: 'noon' } };

    it('shows the class or the last segment of a relation’s address, with the full address in the tooltip', async () => {
      const node = await served(
        { entities: [entity], links: [{ rel: ['https://api.x.io/rels/owner'], href: '/api/v1/owner' }] },
        'application/vnd.siren+json',
      );
      assert.deepEqual(await explorer.rows(node), ['due-date | date', 'owner']);
      assert.equal(tooltip(await explorer.child(node, 'due-date')), 'due-date\nhttps://api.x.io/rels/date');
      assert.match(
        tooltip(await explorer.child(node, 'owner')),
        /^owner\nhttps:\/\/api\.x\.io\/rels\/owner\n.*\/api\/v1\/owner$/,
      );
    });
  });

  describe('that would look identical', () => {
    it('shows the identifiers of items without an address, or numbers them', async () => {
      const value = {
        people: [
          { name: 'Ada', id: 7 },
          { name: 'Ada', id: 8 },
        ],
        dates: [{ type: 'due' }, { type: 'due' }],
      };
      assert.deepEqual(await getRows(value), [
        'Ada | 7 · people',
        'Ada | 8 · people',
        'due 1 | dates',
        'due 2 | dates',
      ]);
    });

    it('shows relation and name, even for a link to another host or one that needs values', async () => {
      const elsewhere = 'https://other.test';
      const node = await served({
        'Orders@odata.associationLink': `${elsewhere}/orders/$ref`,
        'Trips@odata.associationLink': `${elsewhere}/trips/$ref`,
        _links: {
          manual: { href: `${elsewhere}/manual`, title: 'How to' },
          find: { href: '/api/v1/find{?name}', title: 'Search' },
        },
      });
      assert.deepEqual(await explorer.rows(node), [
        'How to | manual · on other.test',
        'Search | find · name',
        'Orders | associationLink · on other.test',
        'Trips | associationLink · on other.test',
      ]);
      assert.deepEqual((await explorer.tree.getChildren(node)).map(spoken), [
        'How to, manual, a link to other.test',
        'Search, find, a link that requires name',
        'Orders, associationLink, a link to other.test',
        'Trips, associationLink, a link to other.test',
      ]);
    });
  });

  describe('for a resource embedded in a list', () => {
    const feed = { items: [{ id: '1', title: 'Post', url: '/p1', content_text: 'Hello' }] };
    const note = 'Embedded in “it” | Select to open it in a browser';

    const fields = ['id | 1', 'title | Post', 'content_text | Hello'];

    it('shows the page’s row and the list’s values if the address leads to a web page', async () => {
      const node = await served(feed, 'application/feed+json', { '/p1': text('<p>Hello</p>', 'text/html') });
      const rows = await explorer.rows(await explorer.child(node, 'Post'));
      assert.deepEqual(rows, ['Text, 12 characters. Select to open it.', note, ...fields]);
    });

    it('shows the reason, the list’s values, and a row to open in a browser if the address fails', async () => {
      const post = await explorer.child(await served(feed), 'Post');
      assert.deepEqual((await explorer.rows(post)).slice(1), [note, ...fields]);
      const [failure, noteRow] = await explorer.tree.getChildren(post);
      assert.equal(explorer.getContext(failure), 'failure');
      assert.ok(noteRow);
      const { command } = explorer.tree.getTreeItem(noteRow);
      assert.ok(command);
      assert.equal(command.command, 'appBuild.openInBrowser');
      assert.deepEqual(command.arguments, [noteRow]);
      assert.equal('url' in noteRow ? noteRow.url : undefined, `${explorer.service.url}/p1`);
    });
  });

  it('loads a resource again if it was invalidated during its first load', async () => {
    const node = (await served({ name: 'before' })) as ResourceNode;
    const { client } = node.context;
    let go: (() => void) | undefined;
    let first: Promise<unknown> | undefined;
    await new Promise<void>((received) => {
      first = node.getChildren(async (url) => {
        const response = await client.get(url);
        const invalidated = new Promise<void>((resolve) => (go = resolve));
        received();
        await invalidated;
        return response;
      });
    });
    explorer.service.paths.set('/api/v1/it', { name: 'after' });
    node.invalidate();
    go?.();
    await first;
    assert.deepEqual(await explorer.rows(node), ['name | after']);
  });
});
