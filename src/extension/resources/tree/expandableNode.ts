import * as vscode from 'vscode';

import {
  type BuildServiceClient,
  NetworkError,
  type Resource,
  type ServiceResponse,
} from '../../../service-client/index.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import { listText } from '../../workbench/texts.ts';
import type { RecentResource } from '../recentResources.ts';
import { updateNodes } from './nodeUpdates.ts';
import { embeddedNode, failureNode } from './leafNodes.ts';
import { type PagedResource, loadNextPage, nextPageUrl } from './paging.ts';
import { TreeNode, hasUrl } from './treeNode.ts';

/** Resource that has its own URL: the target of a link, or an embedded resource. */
export interface LinkedResource {
  /** Absolute URL on the service's origin, without credentials. */
  readonly url: string;
  readonly label: string;
  /** Notes after the label, most important first. */
  readonly notes?: readonly string[];
  /** Relation that led to the resource. Determines the icon. */
  readonly relation: string;
  readonly role?: string | undefined;
  readonly status?: string | undefined;
  readonly deprecated?: boolean;
  /** Whether the link was guessed from a value. */
  readonly inferred?: boolean;
  /** Icon ID for a relation without its own icon. */
  readonly icon?: string;
  readonly expanded?: boolean;
  /** Whether an ancestor row shows this resource. If so, the row has no children. */
  readonly isShownAbove?: boolean;
  /** Copy from the enclosing document, shown when the resource's own URL can't be. */
  readonly embedded?: Resource;
}

/** Change that a presenter reports. The kind determines how the tree reacts. */
export type PresenterChange =
  /** The presenter's rows at the top of the tree have changed. */
  | { readonly kind: 'roots' }
  /** Resources have changed on the service. The tree reloads them with one request each. */
  | { readonly kind: 'resources'; readonly urls: readonly string[] }
  /** An object was created or deleted. The tree reloads the open lists. */
  | { readonly kind: 'lists' }
  /** Rows must be redrawn for a reason that doesn't require a request. */
  | { readonly kind: 'rows'; readonly urls: readonly string[] | 'all' };

/** Creates the generic rows for a resource or a part of it. */
export type PlainRows = (part: Resource) => readonly TreeNode[];

/** Shows specific kinds of resources in its own rows. The tree depends only on this interface, not on the kinds. */
export interface ResourcePresenter {
  readonly onDidChange: vscode.Event<PresenterChange>;

  /**
   * Returns the rows at the top of the tree, including the signed-in user. They're loaded as soon as they're shown.
   * Never rejects.
   */
  roots(user: ExpandableNode): Promise<readonly TreeNode[]>;

  /** Creates the row for a resource with a URL. Returns undefined for an unknown kind of resource. */
  resourceNode(parent: ExpandableNode, key: string, linked: LinkedResource): TreeNode | undefined;

  /**
   * Creates all rows under a known kind of resource, in place of the generic rows. Returns undefined for any other
   * kind.
   */
  getRows(parent: ExpandableNode, paged: PagedResource, plainRows: PlainRows): readonly TreeNode[] | undefined;
}

/** Loaded content of a node. */
export type NodeContent =
  | {
      readonly kind: 'resource';
      readonly paged: PagedResource;
      /** Nodes shown above the resource's own. They explain why the resource isn't the content of its URL. */
      readonly notes?: readonly TreeNode[];
    }
  /** Nodes for a response that isn't a resource. */
  | { readonly kind: 'nodes'; readonly nodes: readonly TreeNode[] }
  | {
      readonly kind: 'failure';
      readonly error: unknown;
      /** Nodes under the failure node. */
      readonly nodes?: readonly TreeNode[];
    };

/** Requests a URL. */
export type GetResource = (url: string) => Promise<ServiceResponse>;

/** State shared by all nodes of one account. */
export interface TreeContext {
  /** Client of the signed-in account. Replaced when the token changes. */
  readonly client: BuildServiceClient;
  /** Presenter for the kinds of resources that have their own rows. */
  readonly presenter: ResourcePresenter;
  /** Redraws a node whose appearance changed while it was being loaded. */
  redraw(node: TreeNode): void;
  /** Records viewed resources, most recent last. */
  addRecent(resources: readonly RecentResource[]): void;
  /**
   * Creates the child nodes for a resource.
   *
   * @param limit maximum number of nodes for parts of the resource.
   * @param hasMore whether more parts or another page exist.
   */
  createChildNodes(parent: ExpandableNode, paged: PagedResource, limit: number, hasMore: boolean): readonly TreeNode[];
}

/** Node with child nodes, which are created on first request and then kept. */
export abstract class ExpandableNode<Value = unknown> extends TreeNode<Value> {
  readonly context: TreeContext;
  #content: NodeContent | undefined;
  #nodes: readonly TreeNode[] = [];
  /** Pending or completed load of `#nodes`. Undefined if the nodes must be loaded. */
  #loading: Promise<unknown> | undefined;
  #limit = MAX_ROWS;
  /** Number of visible later pages, which are reloaded with the first page. */
  #pageCount = 0;
  /** Last job in the queue. Jobs run one at a time, so that responses are applied in request order. */
  #lastJob: Promise<unknown> = Promise.resolve();

  constructor(parent: TreeNode | undefined, key: string, value: Value, context: TreeContext) {
    super(parent, key, value);
    this.context = context;
  }

  abstract get relation(): string;

  /** Loads the content. Never rejects. */
  protected abstract loadContent(get: GetResource): Promise<NodeContent>;

  /** Copy of the resource from the enclosing document, shown when loading doesn't return a resource. */
  protected get embedded(): Resource | undefined {
    return undefined;
  }

  /** Most recently loaded content, which may be a failure. */
  get content(): NodeContent | undefined {
    return this.#content;
  }

  /** Most recently loaded resource. */
  get resource(): Resource | undefined {
    return this.#content?.kind === 'resource' ? this.#content.paged.resource : undefined;
  }

  /** Error of the last load, if it failed. */
  get failure(): unknown {
    return this.#content?.kind === 'failure' ? this.#content.error : undefined;
  }

  /** Direct child nodes that have been loaded. */
  get loadedChildren(): readonly TreeNode[] {
    return this.#loading === undefined ? [] : this.#nodes;
  }

  /** The {@link loadedChildren} that can have children. */
  get expandableChildren(): readonly ExpandableNode[] {
    return this.loadedChildren.filter((node) => node instanceof ExpandableNode);
  }

  override async getChildren(get?: GetResource): Promise<readonly TreeNode[]> {
    this.#loading ??= this.#enqueue(() => this.#load(get));
    await this.#loading;
    return this.#nodes;
  }

  /**
   * Reloads the content if it was loaded before.
   *
   * @param get shares requests with other nodes. Defaults to the client's `get`.
   * @returns the nodes to redraw.
   */
  async reload(get?: GetResource): Promise<readonly TreeNode[]> {
    if (this.#loading === undefined) {
      return [];
    }
    const changed = await this.#enqueue(() => this.#load(get));
    return this.hasChanged() ? [this] : changed;
  }

  /** Reloads expanded rows. Collapsed rows are reloaded when they're expanded. @returns the nodes to redraw. */
  async reloadExpanded(isCollapsed: (node: TreeNode) => boolean): Promise<readonly TreeNode[]> {
    const changed = [...(await this.reload())];
    const descendants: Promise<readonly TreeNode[]>[] = [];
    for (const child of this.expandableChildren) {
      if (isCollapsed(child)) {
        child.invalidate();
      } else {
        descendants.push(child.reloadExpanded(isCollapsed));
      }
    }
    return [...changed, ...(await Promise.all(descendants)).flat()];
  }

  /**
   * Loads the content even if it wasn't loaded before, because the node's appearance depends on it.
   *
   * @returns the nodes to redraw.
   */
  async loadAgain(get: GetResource): Promise<readonly TreeNode[]> {
    if (this.#loading !== undefined) {
      return this.reload(get);
    }
    await this.getChildren(get);
    return [this];
  }

  /** Recreates the child nodes from the loaded content. @returns the nodes to redraw. */
  showAgain(): readonly TreeNode[] {
    if (this.#loading !== undefined && this.#content?.kind === 'resource') {
      this.#show(this.#content);
    }
    return [this];
  }

  /**
   * Makes the next request for child nodes reload them. A pending load doesn't count, because its response may be
   * outdated.
   */
  invalidate(): void {
    this.#loading = undefined;
  }

  /**
   * Shows the next nodes of a long list or loads its next page.
   *
   * @returns the nodes to redraw.
   * @throws {@link BuildServiceError} when the page can't be loaded.
   */
  override async loadMore(): Promise<readonly TreeNode[]> {
    return this.#enqueue(async () => {
      const content = this.#content;
      if (content?.kind !== 'resource') {
        return [];
      }
      const url = this.#isCut(content.paged) ? undefined : this.#nextPageUrl(content.paged);
      const paged = url === undefined ? content.paged : await loadNextPage(content.paged, url, this.context.client);
      this.#limit += MAX_ROWS;
      this.#pageCount = paged.laterPages.length;
      return this.#show({ ...content, paged });
    });
  }

  /** Shows content that doesn't need to be loaded, unless the node was never expanded. */
  protected showContent(content: NodeContent): readonly TreeNode[] {
    return this.#loading === undefined ? [] : this.#show(content);
  }

  async #load(get: GetResource = (url) => this.context.client.get(url)): Promise<readonly TreeNode[]> {
    const loaded = await this.loadContent(get);
    if (loaded.kind === 'failure' && loaded.error instanceof NetworkError && this.#content?.kind === 'resource') {
      // Without a network connection, keep the content that was loaded before.
      const failure = failureNode(this, loaded.error);
      return this.#replaceNodes([failure, ...this.#nodes.filter(({ id }) => id !== failure.id)]);
    }
    const content = this.#withEmbeddedCopy(loaded);
    if (content.kind !== 'resource') {
      return this.#show(content);
    }
    return this.#show({ ...content, paged: await this.#withLaterPages(content.paged) });
  }

  /** Replaces failed content with the embedded copy, after nodes that explain the reason. */
  #withEmbeddedCopy(loaded: NodeContent): NodeContent {
    const { embedded } = this;
    if (loaded.kind === 'resource' || embedded === undefined || isEmpty(embedded)) {
      return loaded;
    }
    const reasons = loaded.kind === 'failure' ? [failureNode(this, loaded.error)] : loaded.nodes;
    return {
      kind: 'resource',
      paged: { resource: embedded, laterPages: [] },
      notes: [...reasons, embeddedNode(this)],
    };
  }

  /**
   * Loads the same number of later pages as before. Pages that can't be loaded remain available through *Load More…*.
   */
  async #withLaterPages(firstPage: PagedResource): Promise<PagedResource> {
    let paged = firstPage;
    let url = this.#nextPageUrl(paged);
    while (url !== undefined && paged.laterPages.length < this.#pageCount) {
      try {
        paged = await loadNextPage(paged, url, this.context.client);
      } catch {
        break;
      }
      url = this.#nextPageUrl(paged);
    }
    return paged;
  }

  #show(content: NodeContent): readonly TreeNode[] {
    this.#content = content;
    switch (content.kind) {
      case 'resource': {
        const { paged, notes = [] } = content;
        const hasMore = this.#isCut(paged) || this.#nextPageUrl(paged) !== undefined;
        const nodes = this.context.createChildNodes(this, paged, this.#limit, hasMore);
        const resources = nodes.flatMap((node) =>
          node instanceof ExpandableNode && hasUrl(node) ? [{ url: node.url, title: node.present().label }] : [],
        );
        this.context.addRecent(resources.reverse());
        return this.#replaceNodes([...notes, ...nodes]);
      }
      case 'nodes':
        return this.#replaceNodes(content.nodes);
      case 'failure':
        return this.#replaceNodes([failureNode(this, content.error), ...(content.nodes ?? [])]);
    }
  }

  #replaceNodes(latest: readonly TreeNode[]): readonly TreeNode[] {
    const { nodes, sameNodes, changed } = updateNodes(this.#nodes, latest);
    this.#nodes = nodes;
    return sameNodes ? changed : [this];
  }

  /** Reports whether the resource has more parts than are shown. */
  #isCut({ resource }: PagedResource): boolean {
    const { fields, embedded, links, forms } = resource;
    return fields.length + embedded.length + links.length + forms.length > this.#limit;
  }

  #nextPageUrl(paged: PagedResource): string | undefined {
    return nextPageUrl(paged, hasUrl(this) ? this.url : undefined);
  }

  async #enqueue<Result>(job: () => Promise<Result>): Promise<Result> {
    const result = this.#lastJob.then(job);
    this.#lastJob = result.catch(() => undefined);
    return result;
  }
}

/** Returns a tooltip line with the other relations that lead to a resource, or undefined if there are none. */
export function selfRelationsText(resource: Resource | undefined): string | undefined {
  const relations = resource?.selfRelations;
  return relations && vscode.l10n.t('Also linked as: {0}', listText(relations));
}

/** Reports whether a resource contains only its address. */
export function isEmpty({ fields, embedded, links, forms }: Resource): boolean {
  return fields.length + embedded.length + links.length + forms.length === 0;
}
