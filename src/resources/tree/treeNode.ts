import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import { type Presentation, rowId, treeItem } from '../../workbench/treeItem.ts';

import { MAX_TREE_DEPTH } from '../limits.ts';

export type { Presentation };

/**
 * One element of the tree, which shows a value. The same thing keeps its node across refreshes, so that VS Code keeps
 * its expansion and selection.
 */
export abstract class TreeNode<Value = unknown> {
  /** Unique in the tree, and the same after a refresh. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  #value: Value;
  #drawn: Presentation | undefined;

  /** @param key unique among the siblings. */
  constructor(parent: TreeNode | undefined, key: string, value: Value) {
    this.id = rowId(parent?.id, key);
    this.parent = parent;
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  abstract present(): Presentation;

  /** The nodes below; none on a leaf. Never rejects: a failure is a node too. */
  getChildren(): Promise<readonly TreeNode[]> {
    return Promise.resolve([]);
  }

  toTreeItem(): vscode.TreeItem {
    this.#drawn = this.present();
    return treeItem(this.id, this.#drawn, [this]);
  }

  /** True for a row that shows something else by now than what was drawn. */
  hasChanged(): boolean {
    return this.#drawn !== undefined && !isDeepStrictEqual(this.present(), this.#drawn);
  }

  /**
   * Takes the value of `other`, a node with the same id from a later response.
   *
   * @returns the nodes that have to be drawn again: itself, some below it, or none. Undefined when `other` is of another
   * class and has to replace this one.
   */
  updateFrom(other: TreeNode): readonly TreeNode[] | undefined {
    if (other.constructor !== this.constructor) {
      return undefined;
    }
    // The same class shows the same kind of value.
    this.#value = (other as TreeNode<Value>).value;
    return this.hasChanged() ? [this] : [];
  }
}

/** A node that stands for something the service has a URL for. */
export interface LinkedNode {
  /** Absolute, on the service's origin, without credentials. */
  readonly url: string;
}

/** True for nodes, and other arguments of commands, that have a URL to act on. */
export function hasUrl(value: unknown): value is LinkedNode {
  return typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';
}

/** A node, its parent, and so on up to the root. */
export function* withAncestors(node: TreeNode | undefined): Generator<TreeNode> {
  for (let current = node; current !== undefined; current = current.parent) {
    yield current;
  }
}

/** True when a node is so deep in the tree that nothing may stand below it. */
export function isAtMaxDepth(node: TreeNode): boolean {
  return [...withAncestors(node)].length >= MAX_TREE_DEPTH;
}
