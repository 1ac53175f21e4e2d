import * as vscode from 'vscode';

import type { BuildServiceClient } from '../../api/client.ts';
import { NetworkError } from '../../api/errors/connectionErrors.ts';
import type { ServiceResponse } from '../../api/http/response.ts';
import type { Resource } from '../../api/hypermedia/resource.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import { listText } from '../../workbench/texts.ts';
import type { RecentResource } from '../recentResources.ts';
import { updateNodes } from './nodeUpdates.ts';
import { embeddedNode, failureNode } from './leafNodes.ts';
import { type PagedResource, loadNextPage, nextPageUrl } from './paging.ts';
import { TreeNode, hasUrl } from './treeNode.ts';

/** A link, or an embedded resource with a URL of its own. */
export interface LinkedResource {
  /** Absolute, on the service's origin, without credentials. */
  readonly url: string;
  readonly label: string;
  /** Shown beside the label, the most important first. */
  readonly notes?: readonly string[];
  /** The relation that led here; decides the icon. */
  readonly relation: string;
  readonly role?: string | undefined;
  readonly status?: string | undefined;
  readonly deprecated?: boolean;
  /** It only looks like a link. */
  readonly inferred?: boolean;
  /** Id of the icon for a relation that has none of its own. */
  readonly icon?: string;
  readonly expanded?: boolean;
  /** True for what a row above shows: nothing is shown below. */
  readonly isShownAbove?: boolean;
  /** The copy that came with the document: shown when nothing can be shown of its URL. */
  readonly embedded?: Resource;
}

/** A change that a presenter reports, by what the tree does about it. */
export type PresenterChange =
  /** The presenter has other rows at the top of the tree. */
  | { readonly kind: 'roots' }
  /** Resources have changed at the service: what the tree shows of them is loaded again, each with one request. */
  | { readonly kind: 'resources'; readonly urls: readonly string[] }
  /** Something was created or deleted: the lists that are open are loaded again. */
  | { readonly kind: 'lists' }
  /** Rows of resources look different, for a reason that needs no request. */
  | { readonly kind: 'rows'; readonly urls: readonly string[] | 'all' };

/** Makes the rows that every resource has, of a resource or a part of it. */
export type PlainRows = (part: Resource) => readonly TreeNode[];

/** Shows resources of a kind that it knows in rows of its own. The tree knows presenters, not what they know. */
export interface ResourcePresenter {
  readonly onDidChange: vscode.Event<PresenterChange>;

  /** The rows at the top of the tree, that of the signed-in user among them. They are loaded as soon as they are shown. Never rejects. */
  roots(user: ExpandableNode): Promise<readonly TreeNode[]>;

  /** A row for a resource with an address; undefined when it is of no kind that it knows. */
  resourceNode(parent: ExpandableNode, key: string, linked: LinkedResource): TreeNode | undefined;

  /** All rows below a resource of a kind that it knows, in place of those that every resource has; undefined for any other. */
  rowsOf(parent: ExpandableNode, paged: PagedResource, plainRows: PlainRows): readonly TreeNode[] | undefined;
}

export type NodeContent =
  | {
      readonly kind: 'resource';
      readonly paged: PagedResource;
      /** Nodes above those of the resource: why it is not what its address leads to. */
      readonly notes?: readonly TreeNode[];
    }
  /** The response was no resource. */
  | { readonly kind: 'nodes'; readonly nodes: readonly TreeNode[] }
  | {
      readonly kind: 'failure';
      readonly error: unknown;
      /** Nodes below the one that says why. */
      readonly nodes?: readonly TreeNode[];
    };

/** Gets what an address leads to. */
export type GetResource = (url: string) => Promise<ServiceResponse>;

/** What all nodes of one account share. */
export interface TreeContext {
  /** Signed in; replaced when the token changes. */
  readonly client: BuildServiceClient;
  /** Shows resources of the kinds that it knows. */
  readonly presenter: ResourcePresenter;
  /** Draws a node again whose own look has changed while it was loaded. */
  redraw(node: TreeNode): void;
  /** Remembers resources, the most recent last. */
  addRecent(resources: readonly RecentResource[]): void;
  /**
   * Makes the nodes below one that shows a resource.
   *
   * @param limit of nodes that stand for parts of the resource.
   * @param hasMore there are more parts, or another page.
   */
  createChildNodes(parent: ExpandableNode, paged: PagedResource, limit: number, hasMore: boolean): readonly TreeNode[];
}

/** A node with nodes below it, which are made when they are first asked for and kept from then on. */
export abstract class ExpandableNode<Value = unknown> extends TreeNode<Value> {
  readonly context: TreeContext;
  #content: NodeContent | undefined;
  #nodes: readonly TreeNode[] = [];
  /** The load that made `#nodes`, or will; undefined when they have to be loaded. */
  #loading: Promise<unknown> | undefined;
  #limit = MAX_ROWS;
  /** Later pages that are shown, and loaded again with the first one. */
  #pageCount = 0;
  /** The last job of the queue: one at a time, so that responses are applied in the order of their requests. */
  #lastJob: Promise<unknown> = Promise.resolve();

  constructor(parent: TreeNode | undefined, key: string, value: Value, context: TreeContext) {
    super(parent, key, value);
    this.context = context;
  }

  abstract get relation(): string;

  /** Loads what stands below. Never rejects. */
  protected abstract loadContent(get: GetResource): Promise<NodeContent>;

  /** The copy of a resource that came with the document: shown when the load gives none. */
  protected get embedded(): Resource | undefined {
    return undefined;
  }

  get content(): NodeContent | undefined {
    return this.#content;
  }

  /** The resource that was loaded last. */
  get resource(): Resource | undefined {
    return this.#content?.kind === 'resource' ? this.#content.paged.resource : undefined;
  }

  /** Why the last load failed. */
  get failure(): unknown {
    return this.#content?.kind === 'failure' ? this.#content.error : undefined;
  }

  /** The nodes directly below, as far as they have been loaded. */
  get loadedChildren(): readonly TreeNode[] {
    return this.#loading === undefined ? [] : this.#nodes;
  }

  /** Those of {@link loadedChildren} that have others below. */
  get expandableChildren(): readonly ExpandableNode[] {
    return this.loadedChildren.filter((node) => node instanceof ExpandableNode);
  }

  override async getChildren(get?: GetResource): Promise<readonly TreeNode[]> {
    this.#loading ??= this.#enqueue(() => this.#load(get));
    await this.#loading;
    return this.#nodes;
  }

  /**
   * Loads again what has been loaded.
   *
   * @param get shares requests with other nodes; the client's own when absent.
   * @returns the nodes that have to be drawn again.
   */
  async reload(get?: GetResource): Promise<readonly TreeNode[]> {
    if (this.#loading === undefined) {
      return [];
    }
    const changed = await this.#enqueue(() => this.#load(get));
    return this.hasChanged() ? [this] : changed;
  }

  /**
   * Loads expanded rows again. Collapsed ones are loaded when they're opened.
   *
   * @returns the nodes that have to be drawn again.
   */
  async reloadExpanded(isCollapsed: (node: TreeNode) => boolean): Promise<readonly TreeNode[]> {
    const changed = [...(await this.reload())];
    const below: Promise<readonly TreeNode[]>[] = [];
    for (const child of this.expandableChildren) {
      if (isCollapsed(child)) {
        child.invalidate();
      } else {
        below.push(child.reloadExpanded(isCollapsed));
      }
    }
    return [...changed, ...(await Promise.all(below)).flat()];
  }

  /** Loads, also what was not loaded yet: the node's own look depends on it. @returns the nodes to be drawn again. */
  async loadAgain(get: GetResource): Promise<readonly TreeNode[]> {
    if (this.#loading !== undefined) {
      return this.reload(get);
    }
    await this.getChildren(get);
    return [this];
  }

  /** Makes the nodes below again from what was loaded. @returns the nodes that have to be drawn again. */
  showAgain(): readonly TreeNode[] {
    if (this.#loading !== undefined && this.#content?.kind === 'resource') {
      this.#show(this.#content);
    }
    return [this];
  }

  /** Has the nodes loaded again when they are next asked for, also while a load is under way: it may answer what was before. */
  invalidate(): void {
    this.#loading = undefined;
  }

  /**
   * Shows the next nodes of a long list, or loads its next page.
   *
   * @returns the nodes that have to be drawn again.
   * @throws BuildServiceError when the page cannot be loaded.
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

  /** Shows content that needs no loading, unless the node was never opened. */
  protected showContent(content: NodeContent): readonly TreeNode[] {
    return this.#loading === undefined ? [] : this.#show(content);
  }

  async #load(get: GetResource = (url) => this.context.client.get(url)): Promise<readonly TreeNode[]> {
    const loaded = await this.loadContent(get);
    if (loaded.kind === 'failure' && loaded.error instanceof NetworkError && this.#content?.kind === 'resource') {
      // Without a network, what was loaded before is better than nothing.
      const failure = failureNode(this, loaded.error);
      return this.#replaceNodes([failure, ...this.#nodes.filter(({ id }) => id !== failure.id)]);
    }
    const content = this.#orEmbedded(loaded);
    if (content.kind !== 'resource') {
      return this.#show(content);
    }
    return this.#show({ ...content, paged: await this.#withLaterPages(content.paged) });
  }

  /** The copy that came with the document, below the reason, when the load gave no resource. */
  #orEmbedded(loaded: NodeContent): NodeContent {
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

  /** Loads as many later pages as there were. What cannot be loaded is left for *Load More…*. */
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

  /** True when the resource has more parts than are shown. */
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

/** A line of a tooltip: the other relations that lead to a resource. Undefined when there are none. */
export function selfRelationsText(resource: Resource | undefined): string | undefined {
  const relations = resource?.selfRelations;
  return relations && vscode.l10n.t('Also linked as: {0}', listText(relations));
}

/** True for a resource that says nothing but where it is. */
export function isEmpty({ fields, embedded, links, forms }: Resource): boolean {
  return fields.length + embedded.length + links.length + forms.length === 0;
}
