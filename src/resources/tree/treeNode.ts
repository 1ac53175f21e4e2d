import type * as vscode from 'vscode';
import { rowId, treeItem } from '../../workbench/treeItem.ts';
import type { Entry } from './arrangement.ts';

/** What a tree item shows. Its texts may come from the service: {@link TreeNode.toTreeItem} makes them harmless. */
export interface Presentation {
  readonly label: string;
  readonly description?: string | undefined;
  /** The label when absent. */
  readonly tooltip?: string | undefined;
  readonly icon: vscode.ThemeIcon;
  /** A leaf when absent. */
  readonly collapsibleState?: 'collapsed' | 'expanded';
  /** What a screen reader says; label and description when absent. */
  readonly accessibilityLabel?: string | undefined;
  /** `viewItem` in the conditions of menus. */
  readonly contextValue: string;
  /** What a click runs; the command gets the node. */
  readonly command?: `appBuild.${string}` | undefined;
}

/** VS Code itself fails at some thousands of levels. */
const MAX_TREE_DEPTH = 200;

/**
 * One element of the tree, which shows a value. The same thing keeps its node across refreshes, so that VS Code keeps
 * its expansion and selection.
 */
export abstract class TreeNode<Value = unknown> {
  /** Unique in the tree, and the same after a refresh. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  #value: Value;

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

  /** What its list sorts it by; undefined for a row that is no entry of a list. */
  get entry(): Entry | undefined {
    return undefined;
  }

  /** What a filter compares: what the row says, and what a screen reader says. Empty where that would fit too much. */
  get searchText(): string {
    const { label, description, accessibilityLabel } = this.present();
    return [label, description, accessibilityLabel].filter(Boolean).join('\n');
  }

  /** True for a row that no filter hides. */
  staysVisible(): boolean {
    return false;
  }

  /** The nodes below; none on a leaf. Never rejects: a failure is a node too. */
  getChildren(): Promise<readonly TreeNode[]> {
    return Promise.resolve([]);
  }

  toTreeItem(): vscode.TreeItem {
    const { command, ...shown } = this.present();
    return treeItem({ id: this.id, ...shown, command: command && { command, arguments: [this] } });
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
    const before = JSON.stringify(this.present());
    // The same class shows the same kind of value.
    this.#value = (other as TreeNode<Value>).value;
    return JSON.stringify(this.present()) === before ? [] : [this];
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
