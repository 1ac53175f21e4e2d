import assert from 'node:assert/strict';
import type { ResourceNode } from '../../../../src/resources/tree/resourceNode.ts';
import type { TreeNode } from '../../../../src/resources/tree/treeNode.ts';
import { next } from '../../../support/events.ts';
import { ExplorerInNode } from '../../../support/explorerInNode.ts';
import { text } from '../../../integration/support/treeRows.ts';
import { spokenRow } from '../../../integration/support/spokenRow.ts';

describe('rows of the resource explorer', () => {
  let explorer: ExplorerInNode;

  ExplorerInNode.forTests((opened) => (explorer = opened));

  /** The row of a resource that the service serves. */
  async function served(value: unknown, type = 'application/json', more: Readonly<Record<string, unknown>> = {}) {
    const body = text(JSON.stringify(value), type);
    const root = await explorer.serve({ it: { link: '/api/v1/it' } }, { '/api/v1/it': body, ...more });
    return explorer.child(root, 'it');
  }

  const rowsOf = async (value: unknown, type?: string) => explorer.rows(await served(value, type));
  const tooltip = (node: TreeNode) => {
    const { tooltip: shown } = explorer.tree.getTreeItem(node);
    assert.ok(typeof shown === 'string');
    return shown;
  };
  const spoken = (node: TreeNode) => spokenRow(explorer.tree.getTreeItem(node));

  it('name in the tooltip the other relations that lead to what has a row already', async () => {
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

  it('have no wrapper that repeats their name, also where a redirect answered', async () => {
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

  describe('of Siren', () => {
    const rel = ['https://api.x.io/rels/date'];
    const entity = { class: ['due-date'], rel, properties: { at: 'noon' } };

    it('are called by their class; a relation that is an address shows its last segment, and the whole in the tooltip', async () => {
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

  describe('that would say the same', () => {
    it('show the identifiers of what has no address, or are numbered', async () => {
      const value = {
        people: [
          { name: 'Ada', id: 7 },
          { name: 'Ada', id: 8 },
        ],
        dates: [{ type: 'due' }, { type: 'due' }],
      };
      assert.deepEqual(await rowsOf(value), ['Ada | 7 · people', 'Ada | 8 · people', 'due 1 | dates', 'due 2 | dates']);
    });

    it('show their relation and their name, also when they lead to another host or ask for values', async () => {
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
        'Search, find, a link that asks for name',
        'Orders, associationLink, a link to other.test',
        'Trips, associationLink, a link to other.test',
      ]);
    });
  });

  describe('of a resource that a list embeds, when its address', () => {
    const feed = { items: [{ id: '1', title: 'Post', url: '/p1', content_text: 'Hello' }] };
    const note = 'Shown as it came with “it” | Select to open its address in a browser';

    const fields = ['id | 1', 'title | Post', 'content_text | Hello'];

    it('leads to a web page show the page’s row, and what the list says', async () => {
      const node = await served(feed, 'application/feed+json', { '/p1': text('<p>Hello</p>', 'text/html') });
      const rows = await explorer.rows(await explorer.child(node, 'Post'));
      assert.deepEqual(rows, ['Text, 12 characters. Select to open it.', note, ...fields]);
    });

    it('fails show why, and what the list says; a row opens the address in a browser', async () => {
      const post = await explorer.child(await served(feed), 'Post');
      assert.deepEqual((await explorer.rows(post)).slice(1), [note, ...fields]);
      const [failure, noteRow] = await explorer.tree.getChildren(post);
      assert.equal(explorer.contextOf(failure), 'failure');
      assert.ok(noteRow);
      const { command } = explorer.tree.getTreeItem(noteRow);
      assert.ok(command);
      assert.equal(command.command, 'appBuild.openInBrowser');
      assert.deepEqual(command.arguments, [noteRow]);
      assert.equal('url' in noteRow ? noteRow.url : undefined, `${explorer.service.url}/p1`);
    });
  });

  it('are loaded again when they were invalidated while their first load was under way', async () => {
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
