import { type BuildServiceClient, ServiceError } from '../../../service-client/index.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import { accountKey, type RecentResource, type RecentResources } from '../recentResources.ts';
import { createChildNodes } from './childNodes.ts';
import { ExpandableNode, type GetResource, type ResourcePresenter, type TreeContext } from './expandableNode.ts';
import { updateNodes } from './nodeUpdates.ts';
import { ResourceNode, UserNode } from './resourceNode.ts';
import { hasUrl, type TreeNode } from './treeNode.ts';

/** Root nodes of the tree for a signed-in account: the user, and the presenter's rows before and after it. */
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

  /** The {@link nodes} that can have children. */
  get expandableNodes(): readonly ExpandableNode[] {
    return this.nodes.filter((node) => node instanceof ExpandableNode);
  }

  addRecent(resources: readonly RecentResource[]): void {
    this.#recent.add(this.accountKey, resources);
  }

  /**
   * Updates the presenter's rows. Existing rows are kept. New rows start loading and show their state.
   *
   * @returns the nodes to redraw, or undefined when the root nodes have changed.
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
   * Returns the existing nodes for these URLs. Descendants of a collapsed node are omitted. They're recreated when the
   * node is expanded.
   */
  getNodes(urls: readonly string[] | 'all', isCollapsed: (node: TreeNode) => boolean): readonly ExpandableNode[] {
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

  /** Returns the resource that contains a node, or the node itself. A refresh reloads this resource. */
  closestResource(node: TreeNode): ExpandableNode | undefined {
    let closest: TreeNode | undefined = node;
    while (closest !== undefined && !(closest instanceof ResourceNode)) {
      closest = closest.parent;
    }
    return closest;
  }

  /** Finds the loaded node for a URL. */
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

  /** Reloads the nodes for some URLs, with one request per URL. @returns the nodes to redraw, and whether a URL no longer exists. */
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
    const nodes = this.getNodes(urls, isCollapsed);
    const changed = await Promise.all(nodes.map((node) => node.loadAgain(get)));
    const isGone = nodes.some(({ failure }) => failure instanceof ServiceError && [404, 410].includes(failure.status));
    return { changed: changed.flat(), isGone };
  }
}
