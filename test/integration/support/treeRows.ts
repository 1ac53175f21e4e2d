import assert from 'node:assert/strict';
import type { TreeNode } from '../../../src/extension/resources/tree/treeNode.ts';
import type { ResourceTree } from '../../../src/extension/resources/tree/resourceTree.ts';
import type { OddService } from '../../support/oddService.ts';
import { spokenRow } from './spokenRow.ts';

/** A tree as the user reads it. */
export class TreeRows {
  readonly tree: ResourceTree;

  constructor(tree: ResourceTree) {
    this.tree = tree;
  }

  /** Returns the rows under a node, or at the top level. */
  async rows(node?: TreeNode): Promise<string[]> {
    return (await this.tree.getChildren(node)).map((row) => this.shown(row));
  }

  /** Returns the visible text of a row in one line. @throws AssertionError if a screen reader's text differs */
  shown(node: TreeNode): string {
    const item = this.tree.getTreeItem(node);
    spokenRow(item);
    const { label, description } = item;
    assert.ok(typeof label === 'string');
    return typeof description === 'string' && description !== '' ? `${label} | ${description}` : label;
  }

  async child(node: TreeNode | undefined, label: string): Promise<TreeNode> {
    const nodes = await this.tree.getChildren(node);
    const found = nodes.find((one) => this.tree.getTreeItem(one).label === label);
    assert.ok(found, `${label} is not among ${nodes.map((one) => this.shown(one)).join(', ')}`);
    return found;
  }

  /** Returns the row at this path of labels, starting at the account's row. */
  async at(...labels: readonly string[]): Promise<TreeNode> {
    const roots = await this.tree.getChildren();
    let node = roots.find((root) => this.shown(root).includes('@example.com'));
    assert.ok(node, 'there is no account');
    for (const label of labels) {
      node = await this.child(node, label);
    }
    return node;
  }

  getContext(node: TreeNode | undefined): string | undefined {
    return node === undefined ? undefined : this.tree.getTreeItem(node).contextValue;
  }
}

/** The tree at a service with the test's responses. */
export class ServedRows extends TreeRows {
  readonly service: OddService;

  constructor(tree: ResourceTree, service: OddService) {
    super(tree);
    this.service = service;
  }

  /** Serves a home resource and other paths, starting with an empty tree. */
  async serve(user: object, paths: Readonly<Record<string, unknown>> = {}): Promise<TreeNode> {
    this.service.paths.clear();
    for (const [path, value] of Object.entries({ '/api/v1': home(user), ...paths })) {
      this.service.paths.set(path, value);
    }
    await this.tree.refresh();
    const root = await this.at();
    this.service.requests.length = 0;
    return root;
  }
}

/** Returns the home resource of the service's user. */
export function home(more: object): object {
  return { username: 'odd', email: 'odd@example.com', ...more };
}

/** Returns a response with any body. */
export function text(body: string | Buffer, type = 'application/json'): object {
  return { body, headers: { 'content-type': type } };
}
