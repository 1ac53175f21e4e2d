import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import { type Presentation, rowId, treeItem } from '../../workbench/treeItem.ts';

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

  /** Shows more of a long list. @returns the nodes that have to be drawn again. */
  loadMore(): Promise<readonly TreeNode[]> {
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
    const below = this.followValue();
    return this.hasChanged() ? [this, ...below] : below;
  }

  /** Follows a new value. @returns the nodes below that have to be drawn again. */
  protected followValue(): readonly TreeNode[] {
    return [];
  }
}

/** True for nodes, and other arguments of commands, that have a URL to act on. */
export function hasUrl(value: unknown): value is { readonly url: string } {
  return typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';
}
