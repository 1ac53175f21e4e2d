import assert from 'node:assert/strict';

import fc from 'fast-check';
import * as vscode from 'vscode';

import type { TreeNode } from '../../../../../src/extension/resources/tree/treeNode.ts';
import { deep, document, mediaType } from '../../../../fuzz/documents.ts';
import { holds } from '../../../../fuzz/property.ts';
import { startOddService, type OddService } from '../../../../support/oddService.ts';
import { ExplorerInNode } from '../../../../support/explorerInNode.ts';
import { spokenRow } from '../../../../integration/support/spokenRow.ts';

/** Maximum number of nodes of one document to check. */
const MAX_NODES = 150;

describe('the tree of any document', () => {
  let explorer: ExplorerInNode;
  let elsewhere: OddService;

  before(async () => {
    [explorer, elsewhere] = [await ExplorerInNode.open(), await startOddService()];
    explorer.service.paths.set('/api/v1', {
      username: 'odd',
      any: { link: '/api/v1/any' },
      elsewhere: { link: `${elsewhere.url}/api/v1` },
    });
  });

  after(() => Promise.all([explorer.close(), elsewhere.close()]));

  function check(node: TreeNode): void {
    const item = explorer.tree.getTreeItem(node);
    assert.ok(typeof item.label === 'string' && item.label !== '' && item.label.length < 1000, item.id);
    assert.doesNotMatch(item.label, /\n/);
    for (const text of [item.label, item.description, item.tooltip]) {
      assert.ok(text === undefined || typeof text === 'string', 'the text must be plain');
      assert.doesNotMatch(text?.replaceAll('\n', ' ') ?? '', /[\p{Cc}\p{Bidi_Control}]/u);
    }
    assert.ok(item.command === undefined || item.command.command.startsWith('appBuild.'));
    spokenRow(item);
    const url: unknown = 'url' in node ? node.url : undefined;
    if (url !== undefined) {
      assert.ok(typeof url === 'string' && /^https?:/.test(url) && !/s3cret|user:pw/.test(url), item.label);
    }
  }

  holds(
    'gives every row a unique name, after any other document',
    fc.tuple(
      fc.oneof(
        document.map((value) => JSON.stringify(value)),
        deep,
      ),
      mediaType,
      fc.stringMatching(/^[ -~]{0,40}$/),
    ),
    async ([body, type, link]) => {
      explorer.service.paths.set('/api/v1/any', { body, headers: { 'content-type': type, link } });
      await explorer.tree.refresh();
      const [root] = await explorer.tree.getChildren();
      const any = (await explorer.tree.getChildren(root)).find(
        (node) => explorer.tree.getTreeItem(node).label === 'any',
      );
      assert.ok(any);
      let nodeCount = 0;
      for (const pending = [any]; pending.length > 0 && nodeCount < MAX_NODES;) {
        const [node] = pending.splice(0, 1);
        const children = await explorer.tree.getChildren(node);
        assert.ok(children.length <= 1001);
        assert.equal(new Set(children.map(({ id }) => id)).size, children.length, 'two rows have one id');
        children.forEach(check);
        nodeCount += children.length;
        const open = children.filter(
          (child) => explorer.tree.getTreeItem(child).collapsibleState !== vscode.TreeItemCollapsibleState.None,
        );
        pending.push(...open);
      }
      assert.deepEqual(elsewhere.requests, []);
    },
    10,
  );
});
