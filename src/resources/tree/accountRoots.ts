import type { BuildServiceClient } from '../../api/client.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import { accountKey, type RecentResource, type RecentResources } from '../recentResources.ts';
import { createChildNodes } from './childNodes.ts';
import { ExpandableNode, type GetResource, type ResourcePresenter, type TreeContext } from './expandableNode.ts';
import { updateNodes } from './nodeUpdates.ts';
import { ResourceNode, UserNode } from './resourceNode.ts';
import { hasUrl, type TreeNode } from './treeNode.ts';

/** The top of the tree of a signed-in account: the user, and the presenter's rows above and below. */
export class AccountRoots implements TreeContext {
  readonly accountKey: string;
  readonly presenter: ResourcePresenter;
  readonly redraw: TreeContext['redraw'];
  readonly createChildNodes = createChildNodes;
  readonly user: UserNode;
  nodes: readonly TreeNode[];
  client: BuildServiceClient;
  readonly #recent: RecentResources;

  constructor(
    connection: SignedInConnection,
    recent: RecentResources,
    presenter: ResourcePresenter,
    redraw: TreeContext['redraw'],
  ) {
    const { client, username } = connection;
    this.accountKey = accountKey(connection);
    this.client = client;
    this.presenter = presenter;
    this.redraw = redraw;
    this.#recent = recent;
    const home = { url: client.homeUrl, label: username, relation: 'user', expanded: true };
    this.user = new UserNode(undefined, this.accountKey, home, this);
    this.nodes = [this.user];
  }

  /** Those of {@link nodes} that have others below. */
  get expandableNodes(): readonly ExpandableNode[] {
    return this.nodes.filter((node) => node instanceof ExpandableNode);
  }

  addRecent(resources: readonly RecentResource[]): void {
    this.#recent.add(this.accountKey, resources);
  }

  /**
   * Asks the presenter for its rows, keeps those that are there, and has the others loaded: they show their state.
   *
   * @returns the nodes that have to be drawn again; undefined when there are others at the root.
   */
  async updateNodes(): Promise<readonly TreeNode[] | undefined> {
    const latest = await this.presenter.roots(this.user);
    const { nodes, sameNodes, changed } = updateNodes(this.nodes, latest);
    this.nodes = nodes;
    for (const node of this.expandableNodes) {
      void node.getChildren();
    }
    return sameNodes ? changed : undefined;
  }

  /**
   * The nodes of these addresses that have been made. Those below a collapsed one are left out, and made again when it is
   * opened.
   */
  nodesOf(urls: readonly string[] | 'all', isCollapsed: (node: TreeNode) => boolean): readonly ExpandableNode[] {
    const below = (node: ExpandableNode): readonly ExpandableNode[] => {
      const found = node.expandableChildren.flatMap(below);
      const own = hasUrl(node) && (urls === 'all' || urls.includes(node.url)) ? [node] : [];
      if (found.length > 0 && isCollapsed(node)) {
        node.invalidate();
        return own;
      }
      return [...own, ...found];
    };
    return this.expandableNodes.flatMap(below);
  }

  /** The resource that a node is, or is part of: a refresh loads it again. */
  closestResource(node: TreeNode): ExpandableNode | undefined {
    let closest: TreeNode | undefined = node;
    while (closest !== undefined && !(closest instanceof ResourceNode)) {
      closest = closest.parent;
    }
    return closest;
  }

  find(url: string): ResourceNode | undefined {
    const pending = [...this.expandableNodes];
    for (let node = pending.shift(); node !== undefined; node = pending.shift()) {
      if (node instanceof ResourceNode && node.url === url) {
        return node;
      }
      pending.push(...node.expandableChildren);
    }
    return undefined;
  }

  /**
   * Loads what is shown of some addresses again, each address once.
   *
   * @returns the nodes that have to be drawn again, and whether an address leads nowhere any more.
   */
  async reload(
    urls: readonly string[],
    isCollapsed: (node: TreeNode) => boolean,
  ): Promise<{ readonly changed: readonly TreeNode[]; readonly isGone: boolean }> {
    const responses = new Map<string, ReturnType<GetResource>>();
    const get: GetResource = (url) => {
      const response = responses.get(url) ?? this.client.get(url);
      responses.set(url, response);
      return response;
    };
    const nodes = this.nodesOf(urls, isCollapsed);
    const changed = await Promise.all(nodes.map((node) => node.loadAgain(get)));
    const isGone = nodes.some(({ failure }) => failure instanceof ServiceError && [404, 410].includes(failure.status));
    return { changed: changed.flat(), isGone };
  }
}
