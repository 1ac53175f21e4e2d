import type * as vscode from 'vscode';
import type { Resource } from '../../api/hypermedia/resource.ts';
import type { ExpandableNode, TreeContext } from './expandableNode.ts';
import type { PagedResource } from './paging.ts';
import type { LinkedResource, ResourceNode } from './resourceNode.ts';
import type { TreeNode } from './treeNode.ts';

/** Shows resources of a kind that it knows in rows of its own. The tree knows presenters, not what they know. */
export interface ResourcePresenter {
  /** Fires with the addresses of resources that have changed at the service; undefined for the rows of {@link roots}. */
  readonly onDidChange: vscode.Event<readonly string[] | undefined>;

  /** Rows above and below that of the signed-in user. Never rejects. */
  roots(context: TreeContext): Promise<{ readonly above: readonly TreeNode[]; readonly below: readonly TreeNode[] }>;

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
  ): ResourceNode | undefined;

  /** The rows below a resource of a kind that it knows, before those that every resource has; undefined for any other. */
  rowsOf(parent: ExpandableNode, paged: PagedResource): OwnRows | undefined;
}

/** Rows in place of a part of the resource. */
export interface OwnRows {
  readonly nodes: readonly TreeNode[];
  /** The resource without what these rows show. */
  readonly rest: Resource;
}
