import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import { type Presentation, rowId, treeItem } from '../../workbench/treeItem.ts';

export type { Presentation };

/**
 * Element of the tree, which shows a value. A value keeps its node across refreshes, so that VS Code preserves the
 * node's expansion and selection.
 */
export abstract class TreeNode<Value = unknown> {
  /** ID that is unique in the tree and stable across refreshes. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  #value: Value;
  #drawn: Presentation | undefined;

  /** @param key key that is unique among the siblings. */
  constructor(parent: TreeNode | undefined, key: string, value: Value) {
    this.id = rowId(parent?.id, key);
    this.parent = parent;
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  abstract present(): Presentation;

  /** Returns the child nodes. A leaf has none. Never rejects, because a failure is also a node. */
  getChildren(): Promise<readonly TreeNode[]> {
    return Promise.resolve([]);
  }

  /** Shows more of a long list. @returns the nodes to redraw. */
  loadMore(): Promise<readonly TreeNode[]> {
    return Promise.resolve([]);
  }

  toTreeItem(): vscode.TreeItem {
    this.#drawn = this.present();
    return treeItem(this.id, this.#drawn, [this]);
  }

  /** Reports whether the row would look different from how it was drawn. */
  hasChanged(): boolean {
    return this.#drawn !== undefined && !isDeepStrictEqual(this.present(), this.#drawn);
  }

  /**
   * Adopts the value of `other`, a node with the same ID from a later response.
   *
   * @returns the nodes to redraw: this node, some descendants, or none; undefined if `other` is of another class and must replace this
   * node.
   */
  updateFrom(other: TreeNode): readonly TreeNode[] | undefined {
    if (other.constructor !== this.constructor) {
      return undefined;
    }
    // A node of the same class has the same type of value.
    this.#value = (other as TreeNode<Value>).value;
    const descendants = this.followValue();
    return this.hasChanged() ? [this, ...descendants] : descendants;
  }

  /** Applies a new value. @returns the descendants to redraw. */
  protected followValue(): readonly TreeNode[] {
    return [];
  }
}

/** Reports whether a value has a URL to act on. Nodes and other command arguments may have one. */
export function hasUrl(value: unknown): value is { readonly url: string } {
  return typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';
}
