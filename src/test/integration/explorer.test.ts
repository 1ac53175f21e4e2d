import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseServiceUrl } from '../../api/serviceUrl.ts';
import { newSession } from '../../auth/session.ts';
import type { TestAccess } from '../../extension.ts';
import type { Node } from '../../resources/nodes/node.ts';
import { oddToken, startOddService, type OddService } from '../oddService.ts';
import { activated, configure, next, signOutEverywhere } from './support/extension.ts';

const home = (more: object) => ({ username: 'odd', email: 'odd@example.com', ...more });
const text = (body: string | Buffer, type = 'application/json') => ({ body, headers: { 'content-type': type } });

/** One page of a list in each convention that has pages. */
const pages: Readonly<Record<string, (number: number, nextPath: string | undefined) => unknown>> = {
  'Link header': (number, nextPath) => ({
    body: JSON.stringify([{ title: `Item ${number}`, link: `/api/v1/items/${number}` }]),
    headers: { 'content-type': 'application/json', ...(nextPath !== undefined && { link: `<${nextPath}>; rel="next"` }) },
  }),
  HAL: (number, nextPath) =>
    text(
      JSON.stringify({
        _links: { self: { href: `/api/v1/list?page=${number}` }, ...(nextPath !== undefined && { next: { href: nextPath } }) },
        _embedded: { items: [{ title: `Item ${number}`, _links: { self: { href: `/api/v1/items/${number}` } } }] },
      }),
      'application/hal+json',
    ),
  'JSON:API': (number, nextPath) =>
    text(
      JSON.stringify({
        data: [{ type: 'items', id: String(number), attributes: { title: `Item ${number}` }, links: { self: `/api/v1/items/${number}` } }],
        links: { self: '/api/v1/list', next: nextPath ?? null },
      }),
      'application/vnd.api+json',
    ),
  Hydra: (number, nextPath) =>
    text(
      JSON.stringify({
        '@id': '/api/v1/list',
        '@type': 'hydra:Collection',
        'hydra:member': [{ '@id': `/api/v1/items/${number}`, title: `Item ${number}` }],
        'hydra:view': { '@id': `/api/v1/list?page=${number}`, ...(nextPath !== undefined && { 'hydra:next': nextPath }) },
      }),
      'application/ld+json',
    ),
  OData: (number, nextPath) =>
    text(
      JSON.stringify({
        '@odata.context': '/api/v1/$metadata',
        value: [{ '@odata.id': `/api/v1/items/${number}`, title: `Item ${number}` }],
        ...(nextPath !== undefined && { '@odata.nextLink': nextPath }),
      }),
      'application/json;odata.metadata=full',
    ),
  DRF: (number, nextPath) => ({ count: 3, next: nextPath ?? null, previous: null, results: [{ url: `/api/v1/items/${number}`, title: `Item ${number}` }] }),
  'groups without addresses': (number, nextPath) => ({ items: [{ title: `Item ${number}` }], _links: nextPath === undefined ? {} : { next: { href: nextPath } } }),
};

function itemsOf(rows: readonly string[]): string[] {
  return rows.map((row) => row.split(' | ')[0] ?? '').filter((row) => /^(Item|Load)/.test(row));
}

describe('the resource explorer', () => {
  let access: TestAccess;
  let service: OddService;

  before(async () => {
    access = await activated();
    service = await startOddService();
    await signOutEverywhere(access);
    await configure({ serviceUrl: service.url });
    await access.sessions.store(newSession(parseServiceUrl(service.url), 'odd', { type: 'authToken', authToken: oddToken }, []));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await signOutEverywhere(access);
    await service.close();
  });

  /** Serves a home resource and everything else, from an empty tree. */
  async function serve(user: object, paths: Readonly<Record<string, unknown>> = {}): Promise<Node> {
    service.paths.clear();
    for (const [path, value] of Object.entries({ '/api/v1': home(user), ...paths })) {
      service.paths.set(path, value);
    }
    await access.tree.refresh();
    const [root] = await access.tree.getChildren();
    assert.ok(root);
    service.asked.length = 0;
    return root;
  }

  /** The rows below a node, as a person reads them. */
  async function rows(node: Node): Promise<string[]> {
    return (await access.tree.getChildren(node)).map(shown);
  }

  function shown(node: Node): string {
    const { label, description } = access.tree.getTreeItem(node);
    assert.ok(typeof label === 'string');
    return typeof description === 'string' ? `${label} | ${description}` : label;
  }

  async function child(node: Node, label: string): Promise<Node> {
    const nodes = await access.tree.getChildren(node);
    const found = nodes.find((one) => access.tree.getTreeItem(one).label === label);
    assert.ok(found, `${label} is not among ${nodes.map(shown).join(', ')}`);
    return found;
  }

  function contextOf(node: Node | undefined): string | undefined {
    return node === undefined ? undefined : access.tree.getTreeItem(node).contextValue;
  }

  describe('rows that stay', () => {
    it('are the same objects after a refresh, and nothing is drawn when nothing changed', async () => {
      const root = await serve({ apps: { link: '/api/v1/apps' }, plan: 'free' }, { '/api/v1/apps': { apps: [{ title: 'One', link: '/api/v1/apps/1' }] } });
      const apps = await child(root, 'apps');
      const one = await child(apps, 'One');
      const drawn: unknown[] = [];
      const subscription = access.tree.onDidChangeTreeData((nodes) => drawn.push(nodes));
      service.asked.length = 0;
      await access.tree.refresh();
      subscription.dispose();
      assert.deepEqual(drawn, []);
      assert.deepEqual(service.asked, ['/api/v1', '/api/v1/apps']);
      assert.equal((await access.tree.getChildren())[0], root);
      assert.equal(await child(root, 'apps'), apps);
      assert.equal(await child(apps, 'One'), one);
    });

    it('are drawn alone when only they changed', async () => {
      const root = await serve({ plan: 'free', apps: { link: '/api/v1/apps' } }, { '/api/v1/apps': { apps: [{ title: 'One', link: '/api/v1/apps/1' }] } });
      const apps = await child(root, 'apps');
      await access.tree.getChildren(apps);
      const plan = await child(root, 'plan');
      service.paths.set('/api/v1', home({ plan: 'paid', apps: { link: '/api/v1/apps' } }));
      const drawn = next(access.tree.onDidChangeTreeData);
      await access.tree.refresh();
      assert.deepEqual(await drawn, [plan]);
      assert.equal(shown(plan), 'plan | paid');
    });

    it('move with their parent when rows come and go, and keep their place in the tree', async () => {
      const app = (id: number) => ({ title: `App ${id}`, link: `/api/v1/apps/${id}` });
      const root = await serve({ apps: { link: '/api/v1/apps' } }, { '/api/v1/apps': { apps: [app(1), app(2)] } });
      const apps = await child(root, 'apps');
      const two = await child(apps, 'App 2');
      service.paths.set('/api/v1/apps', { apps: [app(3), app(2)] });
      const drawn = next(access.tree.onDidChangeTreeData);
      await access.tree.refresh();
      assert.deepEqual(await drawn, [apps]);
      assert.deepEqual(await rows(apps), ['App 3 | apps', 'App 2 | apps']);
      assert.equal(await child(apps, 'App 2'), two);
    });

    it('stay, with the reason above them, while the network is away', async () => {
      const root = await serve({ plan: 'free' });
      await access.tree.getChildren(root);
      await service.close();
      await access.tree.refresh();
      const after = await access.tree.getChildren(root);
      assert.equal(after.length, 4);
      assert.equal(contextOf(after[0]), 'failure');
    });
  });

  describe('lists', () => {
    before(restart);

    it('show a thousand rows, then the rest on Load More…', async () => {
      const links = Object.fromEntries(Array.from({ length: 10_000 }, (_one, index) => [`item${index}`, { href: `/api/v1/items/${index}` }]));
      const root = await serve({ _links: links });
      const first = await access.tree.getChildren(root);
      assert.equal(first.length, 1001);
      assert.equal(contextOf(first.at(-1)), 'loadMore');
      assert.equal(contextOf(first[1]), 'field');
      await vscode.commands.executeCommand('appBuild.loadMore', first.at(-1));
      const second = await access.tree.getChildren(root);
      assert.equal(second.length, 2001);
      assert.equal(second[999], first[999]);
      assert.deepEqual(service.asked, []);
    });

    for (const [convention, page] of Object.entries(pages)) {
      it(`go on in place with the next page: ${convention}`, async () => {
        const root = await serve(
          { [convention]: { link: '/api/v1/list' } },
          { '/api/v1/list': page(1, '/api/v1/list?page=2'), '/api/v1/list?page=2': page(2, '/api/v1/list?page=3'), '/api/v1/list?page=3': page(3, undefined) },
        );
        const list = await child(root, convention);
        assert.deepEqual(itemsOf(await rows(list)), ['Item 1', 'Load More…']);
        const one = await child(list, 'Item 1');
        await access.tree.loadMore(list);
        assert.deepEqual(itemsOf(await rows(list)), ['Item 1', 'Item 2', 'Load More…']);
        await access.tree.loadMore(list);
        assert.deepEqual(itemsOf(await rows(list)), ['Item 1', 'Item 2', 'Item 3']);
        assert.equal(await child(list, 'Item 1'), one);
        await access.tree.refresh(list);
        assert.deepEqual(itemsOf(await rows(list)), ['Item 1', 'Item 2', 'Item 3']);
      });
    }

    it('end where a page leads back to an earlier one', async () => {
      const page = { items: [{ title: 'Item', link: '/api/v1/items/1' }], _links: { next: { href: '/api/v1/list' } } };
      const root = await serve({ circle: { link: '/api/v1/list' } }, { '/api/v1/list': page });
      assert.deepEqual(itemsOf(await rows(await child(root, 'circle'))), ['Item']);
    });

    it('say when a page cannot be loaded, and can go on later', async () => {
      const root = await serve(
        { broken: { link: '/api/v1/list' } },
        { '/api/v1/list': { items: [{ title: 'Item 1', link: '/api/v1/items/1' }], next: '/api/v1/list?page=2' } },
      );
      const list = await child(root, 'broken');
      await access.tree.getChildren(list);
      service.paths.set('/api/v1/list?page=2', { status: 503, body: '{"error":"Later."}' });
      await assert.rejects(access.tree.loadMore(list), /Later/);
      service.paths.set('/api/v1/list?page=2', { items: [{ title: 'Item 2', link: '/api/v1/items/2' }] });
      await access.tree.loadMore(list);
      assert.deepEqual(itemsOf(await rows(list)), ['Item 1', 'Item 2']);
    });
  });

  describe('links', () => {
    it('to what is above end there, and links to oneself are left out', async () => {
      const root = await serve(
        { b: { link: '/api/v1/b' } },
        { '/api/v1/b': { link: '/api/v1/b', _links: { self: { href: '/api/v1/b' }, a: { href: '/api/v1/c' } } }, '/api/v1/c': { _links: { b: { href: '/api/v1/b' } } } },
      );
      const a = await child(await child(root, 'b'), 'a');
      const [b] = await access.tree.getChildren(a);
      assert.ok(b);
      assert.equal(shown(b), 'b | shown above');
      assert.equal(access.tree.getTreeItem(b).collapsibleState, vscode.TreeItemCollapsibleState.None);
    });

    it('to other hosts are never requested, and only web addresses become links', async () => {
      const other = await startOddService();
      const root = await serve({
        _links: {
          elsewhere: { href: `${other.url.replace('127.0.0.1', 'localhost')}/x` },
          script: { href: 'javascript:alert(1)' },
          file: { href: 'file:///etc/passwd' },
          command: { href: 'command:workbench.action.quit' },
        },
      });
      const external = await child(root, 'elsewhere');
      assert.equal(contextOf(external), 'external');
      assert.equal(access.tree.getTreeItem(external).collapsibleState, vscode.TreeItemCollapsibleState.None);
      assert.deepEqual((await rows(root)).slice(2), [`elsewhere | on localhost:${new URL(other.url).port}`, '3 parts cannot be shown']);
      assert.deepEqual(other.asked, []);
      await other.close();
    });

    it('to files are leaves that offer a download', async () => {
      const root = await serve({
        download: { android: '/api/v1/apps/1/android', ios: '/api/v1/apps/1/ios' },
        _links: {
          manual: { href: '/api/v1/manual', type: 'application/pdf' },
          notes: { href: '/api/v1/notes', type: 'text/plain' },
          data: { href: '/api/v1/data', type: 'application/hal+json' },
        },
      });
      const android = await child(await child(root, 'download'), 'android');
      assert.equal(contextOf(android), 'download');
      assert.equal((android as unknown as { url: string }).url, `${service.url}/api/v1/apps/1/android`);
      assert.equal(contextOf(await child(root, 'manual')), 'download');
      assert.equal(contextOf(await child(root, 'notes')), 'resource');
      assert.equal(contextOf(await child(root, 'data')), 'resource');
      assert.deepEqual(service.asked, []);
    });

    it('that turn out to be files, texts or nothing say so', async () => {
      const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
      const root = await serve(
        { _links: { picture: { href: '/api/v1/picture' }, zip: { href: '/api/v1/zip' }, words: { href: '/api/v1/words' }, none: { href: '/api/v1/none' } } },
        {
          '/api/v1/picture': text(png, 'image/png'),
          '/api/v1/zip': text(Buffer.from([80, 75, 3, 4, 255, 254]), 'application/zip'),
          '/api/v1/words': text('words', 'text/plain'),
          '/api/v1/none': { status: 204, headers: {}, body: '' },
        },
      );
      assert.deepEqual(await rows(await child(root, 'picture')), ['An image. Select to open it. | image/png · 70 bytes']);
      const zip = await child(root, 'zip');
      assert.deepEqual(await rows(zip), ['A file. Select to download it. | application/zip · 6 bytes']);
      assert.equal(contextOf((await access.tree.getChildren(zip))[0]), 'download');
      assert.deepEqual(await rows(await child(root, 'words')), ['Text, 5 characters. Select to open it.']);
      assert.deepEqual(await rows(await child(root, 'none')), ['The service answered without content']);
    });

    it('with variables and requests have rows of their own', async () => {
      const root = await serve(
        { things: { link: '/api/v1/things' } },
        {
          '/api/v1/things': text(
            JSON.stringify({
              links: [{ rel: ['search'], href: '/api/v1/things{?name,page}', title: 'Search things' }],
              actions: [{ name: 'add', title: 'Add a thing', method: 'POST', href: '/api/v1/things', fields: [{ name: 'title', type: 'text' }] }],
            }),
            'application/vnd.siren+json',
          ),
        },
      );
      const things = await child(root, 'things');
      assert.deepEqual(await rows(things), ['Search things | name, page', 'Add a thing | POST']);
      const form = (await child(things, 'Add a thing')) as unknown as { url: string; form: { method: string } };
      assert.equal(form.url, `${service.url}/api/v1/things`);
      assert.equal(form.form.method, 'POST');
      assert.equal(contextOf(await child(things, 'Search things')), 'template');
    });
  });

  describe('odd resources', () => {
    it('do not take their siblings with them', async () => {
      const paths: Record<string, unknown> = {
        good: { title: 'fine' },
        html: text('<!doctype html><title>Sign in</title>', 'application/json'),
        cut: text('{"a": [1, 2'),
        wrong: { title: 7, link: [], all: {}, links: 'none', _links: 3, _embedded: [[[1]]], actions: null, href: { a: 1 } },
        gone: { status: 410, body: '{"error":"Gone."}' },
        broken: { status: 500, body: 'oops' },
        refused: { status: 403, body: '{"error":"Not yours."}' },
        array: text('[1, "two", null, {"title": "three"}, [4]]'),
        number: text('42'),
        nothing: text('null'),
        prototype: text('{"__proto__": {"title": "x"}, "constructor": "c", "toString": {"link": "/api/v1/t"}, "hasOwnProperty": 1}'),
        duplicate: text('{"a": 1, "a": 2, "a": {"b": 3}}'),
        big: text('{"id": 12345678901234567890, "price": 1e400, "pi": 3.14159265358979323846}'),
        bytes: text(Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
        bom: text(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"a": "b"}')])),
        deep: text('{"a":'.repeat(5000) + '1' + '}'.repeat(5000)),
        huge: { text: 'x'.repeat(2_000_000) },
        keys: text(JSON.stringify({ ['k'.repeat(100_000)]: 1, '': 2, '\u202egnp.exe': 3, 'line\nbreak': 4 })),
        empty: {},
        emptyList: text('[]'),
      };
      const names = Object.keys(paths);
      const root = await serve(
        { _links: Object.fromEntries(names.map((name) => [name, { href: `/api/v1/${name}` }])) },
        Object.fromEntries(names.map((name) => [`/api/v1/${name}`, paths[name]])),
      );
      const seen: Record<string, string[]> = {};
      for (const name of names) {
        seen[name] = await rows(await child(root, name));
      }
      assert.deepEqual(seen.good, ['title | fine']);
      assert.equal(seen.html?.length, 1);
      assert.match(seen.cut?.[0] ?? '', /Select to try again/);
      assert.match(seen.gone?.[0] ?? '', /Gone\. .*\| Select to try again/);
      assert.match(seen.broken?.[0] ?? '', /Select to try again/);
      assert.match(seen.refused?.[0] ?? '', /Not yours/);
      assert.deepEqual(seen.array, ['0 | 1', '1 | two', '2 | null', 'three | item', 'item 5']);
      assert.deepEqual(seen.number, ['value | 42']);
      assert.deepEqual(seen.nothing, ['value | null']);
      assert.deepEqual(seen.duplicate, ['a']);
      assert.deepEqual(seen.big, ['id | 12345678901234567890', 'price | 1e400', 'pi | 3.14159265358979323846']);
      assert.deepEqual(seen.bytes, ['a | \ufffd\ufffd']);
      assert.deepEqual(seen.bom, ['a | b']);
      assert.deepEqual(seen.deep, ['a']);
      assert.equal(seen.huge?.[0]?.length, 'text | '.length + 300);
      assert.deepEqual(seen.keys?.slice(1), ['(no name) | 2', 'gnp.exe | 3', 'line break | 4']);
      assert.deepEqual(seen.empty, ['Nothing in here']);
      assert.deepEqual(seen.emptyList, ['The list is empty']);
      assert.equal(seen.prototype?.length, 4);
      assert.ok((seen.wrong?.length ?? 0) > 0);
    });

    it('never give two rows one id', async () => {
      const root = await serve({}, {});
      service.paths.set('/api/v1', {
        body: JSON.stringify({ a: [{ b: 1 }, { b: 2 }], 'a[0]': { c: 1 }, title: 'x', _links: { x: [{ href: '/api/v1/x', title: 'x' }, { href: '/api/v1/x', name: 'y' }] } }),
        headers: { 'content-type': 'application/json', link: '</api/v1/x>; rel="x", </api/v1/x>; rel="x y"' },
      });
      await access.tree.refresh();
      const ids = (await access.tree.getChildren(root)).map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
    });

    it('nest as deeply as the view can bear', async () => {
      const root = await serve({}, {});
      service.paths.set('/api/v1', text('{"a":'.repeat(5000) + '1' + '}'.repeat(5000)));
      await access.tree.refresh();
      let node: Node | undefined = root;
      let depth = 0;
      while (node !== undefined) {
        const below: Node[] = await access.tree.getChildren(node);
        below.forEach(shown);
        node = below.find((one) => contextOf(one) === 'group');
        depth += 1;
      }
      assert.ok(depth > 90 && depth <= 200, `${depth} levels`);
    });
  });

  /** The tests of lost networks end the service. */
  async function restart(): Promise<void> {
    service = await startOddService();
    await signOutEverywhere(access);
    await configure({ serviceUrl: service.url });
    await access.sessions.store(newSession(parseServiceUrl(service.url), 'odd', { type: 'authToken', authToken: oddToken }, []));
  }
});
