import type * as vscode from 'vscode';

/** One row of the sidebar. The same thing is the same object before and after a refresh. */
export interface Node {
  /** Unique in the tree, and the same after a reload, so that VS Code keeps expansion and selection. */
  readonly id: string;
  readonly parent: Node | undefined;
  item(): vscode.TreeItem;
  /** Takes over what a newer reading of the same thing says; see `Lasting`. */
  adopt(newer: Node): readonly Node[] | undefined;
  /** Absent on a leaf. Never rejects: a failure is a node too. */
  children?(): Promise<readonly Node[]>;
}

/** A node that stands for something the service has a URL for. */
export interface Linked {
  /** Absolute, on the service's origin, without credentials. */
  readonly url: string;
}

/** True for nodes that a link command can act on. */
export function isLinked(value: unknown): value is Linked {
  return typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';
}

/** Levels of the tree. VS Code itself fails at some thousands. */
const deepest = 200;

/** True when nothing may stand below a node. */
export function isTooDeep(node: Node): boolean {
  let depth = 0;
  for (let above: Node | undefined = node; above !== undefined; above = above.parent) {
    depth += 1;
  }
  return depth >= deepest;
}
