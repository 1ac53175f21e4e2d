import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startOddService } from '../../../../support/oddService.ts';
import { next } from '../../../../support/events.ts';
import { ExplorerInNode } from '../../../../support/explorerInNode.ts';
import { home, text } from '../../../../integration/support/treeRows.ts';

describe('the resource explorer', () => {
  let explorer: ExplorerInNode;

  ExplorerInNode.forTests((opened) => (explorer = opened));

  describe('with links', () => {
    it('shows a link to a parent without child rows, and omits a resource’s link to itself', async () => {
      const root = await explorer.serve(
        { b: { link: '/api/v1/b' } },
        {
          '/api/v1/b': { link: '/api/v1/b', _links: { self: { href: '/api/v1/b' }, a: { href: '/api/v1/c' } } },
          '/api/v1/c': { _links: { b: { href: '/api/v1/b' } } },
        },
      );
      const a = await explorer.child(await explorer.child(root, 'b'), 'a');
      const [b] = await explorer.tree.getChildren(a);
      assert.ok(b);
      assert.equal(explorer.shown(b), 'b | shown above');
      assert.equal(explorer.tree.getTreeItem(b).collapsibleState, vscode.TreeItemCollapsibleState.None);
    });

    it('never requests another host, and turns only web addresses into links', async () => {
      const other = await startOddService();
      const root = await explorer.serve({
        _links: {
          elsewhere: { href: `${other.url.replace('127.0.0.1', 'localhost')}/x` },
          script: { href: 'javascript:alert(1)' },
          file: { href: 'file:///etc/passwd' },
          command: { href: 'command:workbench.action.quit' },
        },
      });
      const external = await explorer.child(root, 'elsewhere');
      assert.equal(explorer.getContext(external), 'external');
      assert.equal(explorer.tree.getTreeItem(external).collapsibleState, vscode.TreeItemCollapsibleState.None);
      assert.deepEqual((await explorer.rows(root)).slice(2), [
        `elsewhere | on localhost:${new URL(other.url).port}`,
        '3 parts can’t be shown',
      ]);
      assert.deepEqual(other.requests, []);
      await other.close();
    });

    it('offers a file as a download, without child rows', async () => {
      const root = await explorer.serve({
        download: { android: '/api/v1/apps/1/android', ios: '/api/v1/apps/1/ios' },
        _links: {
          manual: { href: '/api/v1/manual', type: 'application/pdf' },
          notes: { href: '/api/v1/notes', type: 'text/plain' },
          data: { href: '/api/v1/data', type: 'application/hal+json' },
        },
      });
      const android = await explorer.child(await explorer.child(root, 'download'), 'android');
      assert.equal(explorer.getContext(android), 'download');
      assert.equal((android as unknown as { url: string }).url, `${explorer.service.url}/api/v1/apps/1/android`);
      assert.equal(explorer.getContext(await explorer.child(root, 'manual')), 'download');
      assert.equal(explorer.getContext(await explorer.child(root, 'notes')), 'resource');
      assert.equal(explorer.getContext(await explorer.child(root, 'data')), 'resource');
      assert.deepEqual(explorer.service.requests, []);
    });

    it('reports a link that turns out to be a file, a text, or empty', async () => {
      const png = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      );
      const root = await explorer.serve(
        {
          _links: {
            picture: { href: '/api/v1/picture' },
            zip: { href: '/api/v1/zip' },
            words: { href: '/api/v1/words' },
            none: { href: '/api/v1/none' },
          },
        },
        {
          '/api/v1/picture': text(png, 'image/png'),
          '/api/v1/zip': text(Buffer.from([80, 75, 3, 4, 255, 254]), 'application/zip'),
          '/api/v1/words': text('words', 'text/plain'),
          '/api/v1/none': { status: 204, headers: {}, body: '' },
        },
      );
      assert.deepEqual(await explorer.rows(await explorer.child(root, 'picture')), [
        'An image. Select to open it. | image/png · 70 bytes',
      ]);
      const zip = await explorer.child(root, 'zip');
      assert.deepEqual(await explorer.rows(zip), ['A file. Select to download it. | application/zip · 6 bytes']);
      assert.equal(explorer.getContext((await explorer.tree.getChildren(zip))[0]), 'download');
      assert.deepEqual(await explorer.rows(await explorer.child(root, 'words')), [
        'Text, 5 characters. Select to open it.',
      ]);
      assert.deepEqual(await explorer.rows(await explorer.child(root, 'none')), ['The service returned no content']);
    });
  });

  describe('with unusual resources', () => {
    it('shows an error under an unreadable resource, and the rows of the others', async () => {
      const paths: Record<string, unknown> = {
        good: { title: 'fine' },
        html: text('<!doctype html><title>Sign in</title>', 'application/json'),
        cut: text('{"a": [1, 2'),
        wrong: {
          title: 7,
          link: [],
          all: {},
          links: 'none',
          _links: 3,
          _embedded: [[[1]]],
          actions: null,
          href: { a: 1 },
        },
        gone: { status: 410, body: '{"error":"Gone."}' },
        broken: { status: 500, body: 'oops' },
        refused: { status: 403, body: '{"error":"Not yours."}' },
        array: text('[1, "two", null, {"title": "three"}, [4]]'),
        number: text('42'),
        nothing: text('null'),
        bytes: text(Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
        bom: text(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"a": "b"}')])),
        deep: text('{"a":'.repeat(5000) + '1' + '}'.repeat(5000)),
        huge: { text: 'x'.repeat(900_000) },
        oddNames: text(JSON.stringify({ ['k'.repeat(100_000)]: 1, '': 2, '\u202egnp.exe': 3, 'line\nbreak': 4 })),
        empty: {},
        emptyList: text('[]'),
      };
      const names = Object.keys(paths);
      const root = await explorer.serve(
        { _links: Object.fromEntries(names.map((name) => [name, { href: `/api/v1/${name}` }])) },
        Object.fromEntries(names.map((name) => [`/api/v1/${name}`, paths[name]])),
      );
      const getRows: Record<string, string[]> = {};
      for (const name of names) {
        getRows[name] = await explorer.rows(await explorer.child(root, name));
      }
      const { html, cut, gone, broken, refused, huge, oddNames, wrong, ...readable } = getRows;
      assert.equal(html?.length, 1);
      assert.match(cut?.[0] ?? '', /Select to try again/);
      assert.match(gone?.[0] ?? '', /Gone\. .*\| Select to try again/);
      assert.match(broken?.[0] ?? '', /Select to try again/);
      assert.match(refused?.[0] ?? '', /Not yours/);
      assert.equal(huge?.[0]?.length, 'text | '.length + 500);
      assert.deepEqual(oddNames?.slice(1), ['(no name) | 2', 'gnp.exe | 3', 'line break | 4']);
      assert.ok((wrong?.length ?? 0) > 0);
      assert.deepEqual(readable, {
        good: ['title | fine'],
        array: ['0 | 1', '1 | two', '2 | null', 'three | item', 'item 5'],
        number: ['value | 42'],
        nothing: ['value | null'],
        bytes: ['a | \ufffd\ufffd'],
        bom: ['a | b'],
        deep: ['a'],
        empty: ['Nothing here'],
        emptyList: ['The list is empty'],
      });
    });
  });

  describe('during a refresh', () => {
    it('keeps the row objects after a refresh, and redraws only changed ones', async () => {
      const root = await explorer.serve(
        { apps: { link: '/api/v1/apps' }, plan: 'free' },
        { '/api/v1/apps': { apps: [{ title: 'One', link: '/api/v1/apps/1' }] } },
      );
      const apps = await explorer.child(root, 'Apps');
      const one = await explorer.child(apps, 'One');
      const drawn: unknown[] = [];
      const subscription = explorer.tree.onDidChangeTreeData((nodes) => drawn.push(nodes));
      explorer.service.requests.length = 0;
      await explorer.tree.refresh();
      subscription.dispose();
      assert.deepEqual(drawn, []);
      assert.deepEqual(explorer.service.requests, ['/api/v1', '/api/v1/apps']);
      assert.equal((await explorer.tree.getChildren())[0], root);
      assert.equal(await explorer.child(root, 'Apps'), apps);
      assert.equal(await explorer.child(apps, 'One'), one);

      const plan = await explorer.child(root, 'plan');
      explorer.service.paths.set('/api/v1', home({ apps: { link: '/api/v1/apps' }, plan: 'paid' }));
      const redrawn = next(explorer.tree.onDidChangeTreeData, (nodes) => nodes?.includes(plan) ?? false);
      await explorer.tree.refresh();
      assert.deepEqual(await redrawn, [plan]);
      assert.equal(explorer.shown(plan), 'plan | paid');
    });

    it('moves rows with their parent when others are added or removed', async () => {
      const app = (id: number) => ({ title: `App ${id}`, link: `/api/v1/apps/${id}` });
      const root = await explorer.serve(
        { apps: { link: '/api/v1/apps' } },
        { '/api/v1/apps': { apps: [app(1), app(2)] } },
      );
      const apps = await explorer.child(root, 'Apps');
      const two = await explorer.child(apps, 'App 2');
      explorer.service.paths.set('/api/v1/apps', { apps: [app(3), app(2)] });
      const drawn = next(explorer.tree.onDidChangeTreeData, (nodes) => nodes?.includes(apps) ?? false);
      await explorer.tree.refresh();
      assert.deepEqual(await drawn, [apps]);
      assert.deepEqual(await explorer.rows(apps), ['App 3 | apps', 'App 2 | apps']);
      assert.equal(await explorer.child(apps, 'App 2'), two);
    });

    it('keeps the rows during a network failure, with the reason above them', async () => {
      const root = await explorer.serve({ plan: 'free' });
      await explorer.tree.getChildren(root);
      await explorer.service.close();
      await explorer.tree.refresh();
      const after = await explorer.tree.getChildren(root);
      assert.equal(after.length, 4);
      assert.equal(explorer.getContext(after[0]), 'failure');
    });
  });
});
