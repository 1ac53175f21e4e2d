import type * as vscode from 'vscode';
import type { Resource } from '../../api/hypermedia/resource.ts';
import type { ExpandableNode, TreeContext } from './expandableNode.ts';
import type { PagedResource } from './paging.ts';
import type { LinkedResource } from './resourceNode.ts';
import type { TreeNode } from './treeNode.ts';

/** What the tree does about a change that a presenter tells of. */
export type PresenterChange =
  /** The presenter has other {@link PresenterRoots}. */
  | { readonly kind: 'roots' }
  /** Resources have changed at the service: what the tree shows of them is loaded again, each with one request. */
  | { readonly kind: 'resources'; readonly urls: readonly string[] }
  /** Something was created or deleted: the lists that are open are loaded again. */
  | { readonly kind: 'lists' }
  /** Rows of resources look different, for a reason that needs no request. */
  | { readonly kind: 'rows'; readonly urls: readonly string[] };

/** Rows at the top of the tree. */
export interface PresenterRoots {
  /** Before that of the signed-in user. */
  readonly above: readonly TreeNode[];
  /** After it. */
  readonly below: readonly TreeNode[];
}

/** Makes the rows that every resource has, of a resource or a part of it. */
export type PlainRows = (part: Resource) => readonly TreeNode[];

/** Shows resources of a kind that it knows in rows of its own. The tree knows presenters, not what they know. */
export interface ResourcePresenter {
  readonly onDidChange: vscode.Event<PresenterChange>;

  /**
   * Rows above and below that of the signed-in user. They are loaded as soon as they are shown. Never rejects.
   *
   * @param home what the API's home says; undefined when it is no resource.
   */
  roots(context: TreeContext, home: Resource | undefined): Promise<PresenterRoots>;

  /**
   * A row for a resource with an address; undefined when it is of no kind that it knows.
   *
   * @param embedded what the document says of it; undefined for a link.
   */
  resourceNode(
    parent: ExpandableNode,
    key: string,
    linked: LinkedResource,
    embedded: Resource | undefined,
  ): TreeNode | undefined;

  /**
   * All rows below a resource of a kind that it knows, in place of those that every resource has; undefined for any other.
   */
  rowsOf(parent: ExpandableNode, paged: PagedResource, plainRows: PlainRows): readonly TreeNode[] | undefined;
}
