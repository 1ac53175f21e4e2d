import * as vscode from 'vscode';
import type { BuildServiceClient } from '../../api/client.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import type { Resource } from '../../api/hypermedia/resource.ts';
import type { Connection, Connections } from '../../auth/connection.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { plainText } from '../../workbench/plainText.ts';
import { withProgress } from '../../workbench/progress.ts';
import { accountKey, type RecentResource, type RecentResources } from '../recentResources.ts';
import type { ExpandableNode, GetResource, TreeContext } from './expandableNode.ts';
import { withoutDescendants } from './nodeUpdates.ts';
import type { PresenterChange, PresenterRoots, ResourcePresenter } from './presenter.ts';
import { hasUrl, type TreeNode } from './treeNode.ts';
import type { UserNode } from './userNode.ts';

export const RESOURCES_VIEW_ID = 'appBuild.resources';

/** The modules of the nodes. */
type Nodes = typeof import('./nodes.ts');

type SignedIn = Extract<Connection, { kind: 'signedIn' }>;

interface AccountContextParts extends Pick<TreeContext, 'createChildNodes' | 'presenter' | 'redraw'> {
  readonly connection: SignedIn;
  readonly recent: RecentResources;
}

/** What the nodes of an account share. */
class AccountContext implements TreeContext {
  readonly accountKey: string;
  client: BuildServiceClient;
  readonly createChildNodes: TreeContext['createChildNodes'];
  readonly presenter: TreeContext['presenter'];
  readonly redraw: TreeContext['redraw'];
  readonly #recent: RecentResources;

  constructor({ connection, recent, createChildNodes, presenter, redraw }: AccountContextParts) {
    this.accountKey = accountKey(connection);
    this.client = connection.client;
    this.createChildNodes = createChildNodes;
    this.presenter = presenter;
    this.redraw = redraw;
    this.#recent = recent;
  }

  addRecent(resources: readonly RecentResource[]): void {
    this.#recent.add(this.accountKey, resources);
  }
}

const NO_ROOTS: PresenterRoots = { above: [], below: [] };

interface ResourceTreeParts {
  readonly connections: Connections;
  readonly recent: RecentResources;
  /** Loads the modules of the nodes; called when the tree is shown. */
  readonly loadNodes: () => Promise<Nodes>;
  /** Loads what shows resources of some kinds in rows of its own; called when the tree is shown. */
  readonly loadPresenter: () => Promise<ResourcePresenter>;
}

/**
 * The Resources view: the signed-in user at the root, and below it whatever the service links to; above and beside it the
 * rows of the presenter.
 */
export class ResourceTree extends Disposable implements vscode.TreeDataProvider<TreeNode> {
  readonly #connections: Connections;
  readonly #recent: RecentResources;
  readonly #loadNodes: () => Promise<Nodes>;
  readonly #loadPresenter: () => Promise<ResourcePresenter>;
  readonly #changed = this.register(new vscode.EventEmitter<TreeNode[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<TreeNode>;
  readonly #collapsed = new WeakSet<TreeNode>();
  #roots: Promise<readonly TreeNode[]> | undefined;
  #user: { readonly context: AccountContext; readonly node: UserNode; presented: PresenterRoots } | undefined;
  #presenter: Promise<ResourcePresenter> | undefined;
  /** Counts the loads of the root: a response that a later load has overtaken is dropped. */
  #rootLoads = 0;

  constructor({ connections, recent, loadNodes, loadPresenter }: ResourceTreeParts) {
    super();
    this.#connections = connections;
    this.#recent = recent;
    this.#loadNodes = loadNodes;
    this.#loadPresenter = loadPresenter;
    this.#view = this.register(
      vscode.window.createTreeView(RESOURCES_VIEW_ID, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.register(this.#view.onDidCollapseElement(({ element }) => this.#collapsed.add(element)));
    this.register(this.#view.onDidExpandElement(({ element }) => this.#collapsed.delete(element)));
    this.register(connections.onDidChange(() => void this.refresh()));
  }

  /** Never throws: one odd resource must not take its siblings with it. */
  getTreeItem(node: TreeNode): vscode.TreeItem {
    try {
      return node.toTreeItem();
    } catch {
      const item = new vscode.TreeItem(vscode.l10n.t('This cannot be shown'));
      item.id = node.id;
      item.iconPath = new vscode.ThemeIcon('question');
      return item;
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  /** Never rejects: VS Code would show an empty view, as if nobody were signed in. */
  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    try {
      if (node === undefined) {
        this.#roots ??= this.#loadRoots();
        return [...(await this.#roots)];
      }
      return [...(await node.getChildren())];
    } catch (error) {
      const { FailureNode } = await this.#loadNodes();
      return [new FailureNode(node, error)];
    }
  }

  /** Loads what is expanded below a node again, or the whole tree, and draws only what has changed. */
  async refresh(node?: TreeNode): Promise<void> {
    const roots = this.#roots;
    const refreshed = node === undefined ? await this.#currentUserNode() : await this.#closestResourceNode(node);
    if (refreshed === undefined) {
      // Roots that were requested in the meantime are up to date already.
      if (roots === this.#roots) {
        this.#roots = undefined;
        this.#user = undefined;
        this.#changed.fire(undefined);
      }
      return;
    }
    if (refreshed.content === undefined) {
      // Its first load is under way: signing in changes the connection more than once.
      await refreshed.getChildren();
      return;
    }
    await withProgress({ view: RESOURCES_VIEW_ID }, async () => {
      const presented = refreshed === this.#user?.node ? this.#presentedNodes : [];
      const changed = await Promise.all([refreshed, ...presented].map((each) => this.#reloadExpanded(each)));
      this.#redraw(changed.flat());
      if (refreshed === this.#user?.node) {
        await this.#updatePresentedRoots();
      }
    });
  }

  /** Loads again what failed. The local service is started again for that, if it has ended. */
  async retry(failure: TreeNode): Promise<void> {
    await this.#connections.current();
    await this.refresh(failure.parent);
  }

  /** Shows the next part of a list, in place. */
  async loadMore(list: TreeNode | undefined): Promise<void> {
    const { ExpandableNode } = await this.#loadNodes();
    if (list instanceof ExpandableNode) {
      await withProgress({ view: RESOURCES_VIEW_ID }, async () => {
        this.#redraw(await list.loadMore());
      });
    }
  }

  /** Shows a number on the icon of the view; undefined takes it away. */
  setBadge(badge: { readonly value: number; readonly tooltip: string } | undefined): void {
    this.#view.badge = badge && { value: badge.value, tooltip: plainText(badge.tooltip) };
  }

  /** Selects a resource, if it is somewhere in the tree. */
  async reveal(url: string): Promise<void> {
    const { ResourceNode } = await this.#loadNodes();
    const pending: ExpandableNode[] = this.#user === undefined ? [] : [this.#user.node, ...this.#presentedNodes];
    for (let node = pending.shift(); node !== undefined; node = pending.shift()) {
      if (node instanceof ResourceNode && node.url === url) {
        await this.#view.reveal(node, { select: true, focus: false });
        return;
      }
      pending.push(...node.expandableChildren);
    }
  }

  /** The rows of the presenter at the root that have others below. */
  get #presentedNodes(): readonly ExpandableNode[] {
    const { above, below } = this.#user?.presented ?? NO_ROOTS;
    return [...above, ...below].filter(isExpandable);
  }

  async #follow(change: PresenterChange): Promise<void> {
    switch (change.kind) {
      case 'roots':
        return this.#updatePresentedRoots();
      case 'lists':
        return this.#user === undefined ? undefined : this.refresh();
      case 'rows':
        this.#redraw(this.#nodesOf(change.urls).flatMap((node) => node.showAgain()));
        return undefined;
      case 'resources':
        return this.#reloadResources(change.urls);
    }
  }

  /** Loads what is shown of some addresses again, each address once. One that leads nowhere has left its lists, too. */
  async #reloadResources(urls: readonly string[]): Promise<void> {
    const user = this.#user;
    if (user === undefined) {
      return;
    }
    const nodes = this.#nodesOf(urls);
    const responses = new Map<string, ReturnType<GetResource>>();
    const get: GetResource = (url) => {
      const response = responses.get(url) ?? user.context.client.get(url);
      responses.set(url, response);
      return response;
    };
    const changed = await Promise.all(nodes.map((node) => node.loadAgain(get)));
    this.#redraw(changed.flat());
    if (nodes.some(({ failure }) => failure instanceof ServiceError && [404, 410].includes(failure.status))) {
      await this.refresh();
    }
  }

  /** The nodes of these addresses that have been made. Those below a collapsed one are made again when it is opened. */
  #nodesOf(urls: readonly string[]): readonly ExpandableNode[] {
    const found: ExpandableNode[] = [];
    const visit = (node: ExpandableNode): void => {
      if (hasUrl(node) && urls.includes(node.url)) {
        found.push(node);
      }
      const before = found.length;
      node.expandableChildren.forEach(visit);
      if (found.length > before && this.#collapsed.has(node)) {
        found.length = before;
        node.invalidate();
      }
    };
    if (this.#user !== undefined) {
      [this.#user.node, ...this.#presentedNodes].forEach(visit);
    }
    return found;
  }

  /** Asks the presenter for its rows at the root, keeps those that are there, and loads the others. */
  async #updatePresentedRoots(): Promise<void> {
    const user = this.#user;
    if (user?.context.presenter === undefined || user.node.content?.kind === 'failure') {
      return;
    }
    const [{ updateNodes }, latest] = await Promise.all([
      this.#loadNodes(),
      user.context.presenter.roots(user.context, homeOf(user.node)),
    ]);
    if (user !== this.#user) {
      return;
    }
    const above = updateNodes(user.presented.above, latest.above);
    const below = updateNodes(user.presented.below, latest.below);
    user.presented = { above: above.nodes, below: below.nodes };
    for (const node of this.#presentedNodes) {
      void node.getChildren();
    }
    if (above.sameNodes && below.sameNodes) {
      this.#redraw([...above.changed, ...below.changed]);
    } else {
      this.#roots = Promise.resolve([...above.nodes, user.node, ...below.nodes]);
      this.#changed.fire(undefined);
    }
  }

  /** The root, when the same account is still signed in and its node could be loaded. */
  async #currentUserNode(): Promise<UserNode | undefined> {
    const user = this.#user;
    const connection = await this.#connections.current();
    if (
      user === undefined ||
      user !== this.#user ||
      connection.kind !== 'signedIn' ||
      accountKey(connection) !== user.context.accountKey
    ) {
      return undefined;
    }
    user.context.client = connection.client;
    this.#updateView(connection);
    return user.node.failure === undefined ? user.node : undefined;
  }

  /** What a refresh of a node loads again: the resource that it is part of. */
  async #closestResourceNode(node: TreeNode): Promise<ExpandableNode | undefined> {
    const { ResourceNode, withAncestors } = await this.#loadNodes();
    return [...withAncestors(node)].find((each) => each instanceof ResourceNode);
  }

  /** @returns the nodes that have to be drawn again. */
  async #reloadExpanded(node: ExpandableNode): Promise<readonly TreeNode[]> {
    const changed = [...(await node.reload())];
    const below: Promise<readonly TreeNode[]>[] = [];
    for (const child of node.expandableChildren) {
      if (this.#collapsed.has(child)) {
        child.invalidate();
      } else {
        below.push(this.#reloadExpanded(child));
      }
    }
    return [...changed, ...(await Promise.all(below)).flat()];
  }

  #redraw(changed: readonly TreeNode[]): void {
    if (changed.length > 0) {
      this.#changed.fire([...withoutDescendants(changed)]);
    }
  }

  async #loadRoots(): Promise<readonly TreeNode[]> {
    const load = ++this.#rootLoads;
    const [connection, nodes, presenter] = await Promise.all([
      this.#connections.current(),
      this.#loadNodes(),
      this.#loadedPresenter(),
    ]);
    if (load !== this.#rootLoads) {
      return this.#roots ?? [];
    }
    this.#updateView(connection);
    if (connection.kind === 'signedIn') {
      return this.#loadUser(connection, nodes, presenter);
    }
    this.#user = undefined;
    return connection.kind === 'broken' ? [new nodes.FailureNode(undefined, connection.error)] : [];
  }

  async #loadUser(
    connection: SignedIn,
    { createChildNodes, FailureNode, UserNode }: Nodes,
    presenter: ResourcePresenter,
  ): Promise<readonly TreeNode[]> {
    const context = new AccountContext({
      connection,
      recent: this.#recent,
      createChildNodes,
      presenter,
      redraw: (node) => this.#redraw([node]),
    });
    const node = new UserNode(
      undefined,
      context.accountKey,
      { url: connection.client.homeUrl, label: connection.username, relation: 'user', expanded: true },
      context,
    );
    const user = { context, node, presented: NO_ROOTS };
    this.#user = user;
    await node.getChildren();
    if (node.failure !== undefined) {
      return [new FailureNode(undefined, node.failure)];
    }
    user.presented = await presenter.roots(context, homeOf(node));
    for (const each of [...user.presented.above, ...user.presented.below]) {
      void each.getChildren();
    }
    return [...user.presented.above, node, ...user.presented.below];
  }

  #loadedPresenter(): Promise<ResourcePresenter> {
    this.#presenter ??= this.#loadPresenter().then((presenter) => {
      this.register(presenter.onDidChange((change) => void this.#follow(change)));
      return presenter;
    });
    return this.#presenter;
  }

  /** Has the title and the welcome view follow the connection. */
  #updateView(connection: Connection): void {
    void vscode.commands.executeCommand('setContext', 'appBuild.connection', connection.kind);
    const service = 'service' in connection ? connection.service : undefined;
    void vscode.commands.executeCommand('setContext', 'appBuild.localService', service?.local ?? false);
    const place =
      service === undefined ? '' : service.local ? vscode.l10n.t('Local Service') : new URL(service.url.href).host;
    this.#view.description = plainText(place);
    // VS Code hides the welcome view while there is a message, so there is one only beside the user's resources.
    this.#view.message =
      connection.kind === 'signedIn' && connection.service.local
        ? vscode.l10n.t('The local service, on this machine. Its first apps and keys are demo data.')
        : '';
  }
}

/** What the API's home says; undefined when it is no resource. */
function homeOf({ content }: UserNode): Resource | undefined {
  return content?.kind === 'resource' ? content.paged.resource : undefined;
}

/** The class itself is loaded later, when the tree is shown. */
function isExpandable(node: TreeNode): node is ExpandableNode {
  return 'expandableChildren' in node;
}
