import * as vscode from 'vscode';
import type { AuthenticationProvider } from '../../auth/authenticationProvider.ts';
import type { Connection, Connections, SignedInConnection } from '../../auth/connection.ts';
import type { Service } from '../../auth/serviceSelection.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { loadOnce } from '../../workbench/loadOnce.ts';
import { toPlainText, viewBadge } from '../../workbench/texts.ts';
import { accountKey, type RecentResources } from '../recentResources.ts';
import type { AccountRoots } from './accountRoots.ts';
import type { PresenterChange, ResourcePresenter } from './expandableNode.ts';
import type { failureNode } from './leafNodes.ts';
import { withoutDescendants } from './nodeUpdates.ts';
import type { TreeNode } from './treeNode.ts';
import type { UserNode } from './resourceNode.ts';

/** ID of the Resources view. */
export const RESOURCES_VIEW_ID = 'appBuild.resources';

interface NodeModules {
  readonly AccountRoots: typeof AccountRoots;
  readonly failureNode: typeof failureNode;
}

interface ResourceTreeDependencies {
  readonly connections: Connections;
  readonly signIns: Pick<AuthenticationProvider, 'isBusy' | 'onDidEndSignIn'>;
  readonly recent: RecentResources;
  /** Loads the modules for the nodes. Called when the tree is shown. */
  readonly loadNodes: () => Promise<NodeModules>;
  /** Loads the presenter for specific kinds of resources. Called when the tree is shown. */
  readonly loadPresenter: () => Promise<ResourcePresenter>;
}

/**
 * Resources view: the signed-in user at the root with everything that the service links to, and the presenter's rows.
 */
export class ResourceTree extends Disposable implements vscode.TreeDataProvider<TreeNode> {
  readonly #parts: ResourceTreeDependencies;
  readonly #loadPresenter: () => Promise<ResourcePresenter>;
  readonly #changed = this.register(new vscode.EventEmitter<TreeNode[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly view: vscode.TreeView<TreeNode>;
  /** Number of connection requests so far. */
  #questions = 0;
  readonly #collapsed = new WeakSet<TreeNode>();
  readonly #isCollapsed = (node: TreeNode) => this.#collapsed.has(node);
  #roots: Promise<readonly TreeNode[]> | undefined;
  #account: AccountRoots | undefined;
  /** Number of root loads so far. A response is discarded if a later load has started. */
  #rootLoads = 0;

  constructor(parts: ResourceTreeDependencies) {
    super();
    this.#parts = parts;
    this.#loadPresenter = loadOnce(async () => {
      const presenter = await parts.loadPresenter();
      this.register(presenter.onDidChange((change) => void this.#follow(change)));
      return presenter;
    });
    this.view = this.register(
      vscode.window.createTreeView(RESOURCES_VIEW_ID, {
        treeDataProvider: this,
        showCollapseAll: true,
        canSelectMany: true,
      }),
    );
    this.register(parts.signIns.onDidEndSignIn(() => void this.#currentConnection()));
    this.register(this.view.onDidCollapseElement(({ element }) => this.#collapsed.add(element)));
    this.register(this.view.onDidExpandElement(({ element }) => this.#collapsed.delete(element)));
    this.register(parts.connections.onDidChange(() => void this.refresh()));
  }

  /** Returns the item for a node. Never throws, because one invalid resource must not hide its siblings. */
  getTreeItem(node: TreeNode): vscode.TreeItem {
    try {
      return node.toTreeItem();
    } catch {
      const item = new vscode.TreeItem(vscode.l10n.t('This can’t be shown'));
      item.id = node.id;
      item.iconPath = new vscode.ThemeIcon('question');
      return item;
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  /** Returns the child nodes. Never rejects, because VS Code would show an empty view, as it does when signed out. */
  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    try {
      if (node === undefined) {
        this.#roots ??= this.#loadRoots();
        return [...(await this.#roots)];
      }
      return [...(await node.getChildren())];
    } catch (error) {
      const { failureNode } = await this.#parts.loadNodes();
      return [failureNode(node, error)];
    }
  }

  /** Reloads the expanded rows under a node, or the whole tree, and redraws only changed rows. */
  async refresh(node?: TreeNode): Promise<void> {
    const roots = this.#roots;
    const refreshed = node === undefined ? await this.#currentUserNode() : this.#account?.closestResource(node);
    if (refreshed === undefined) {
      // Roots that were requested in the meantime are already up to date.
      if (roots === this.#roots) {
        this.#roots = undefined;
        this.#account = undefined;
        this.#changed.fire(undefined);
      }
      return;
    }
    if (refreshed.content === undefined) {
      // The first load is still pending, because signing in changes the connection more than once. Don't start another
      // one.
      await refreshed.getChildren();
      return;
    }
    await this.#whileLoading(async () => {
      const account = refreshed === this.#account?.user ? this.#account : undefined;
      const nodes = account?.expandableNodes ?? [refreshed];
      const changed = await Promise.all(nodes.map((each) => each.reloadExpanded(this.#isCollapsed)));
      this.#redraw(changed.flat());
      if (account !== undefined) {
        await this.#updatePresentedRoots();
      }
    });
  }

  /** Reloads failed content. Restarts the local service first if it has stopped. */
  async retry(failure: TreeNode): Promise<void> {
    await this.#parts.connections.current();
    await this.refresh(failure.parent);
  }

  async loadMore(list: TreeNode | undefined): Promise<void> {
    await this.#whileLoading(async () => this.#redraw((await list?.loadMore()) ?? []));
  }

  /** Shows a number on the view's icon. Undefined removes it. */
  setBadge(badge: { readonly value: number; readonly tooltip: string } | undefined): void {
    this.view.badge = badge && viewBadge(badge.value, badge.tooltip);
  }

  /** Selects a resource if the tree contains it. */
  async reveal(url: string): Promise<void> {
    const node = this.#account?.find(url);
    if (node !== undefined) {
      await this.view.reveal(node, { select: true, focus: false });
    }
  }

  async #follow(change: PresenterChange): Promise<void> {
    switch (change.kind) {
      case 'roots':
        return this.#updatePresentedRoots();
      case 'lists':
        return this.#account === undefined ? undefined : this.refresh();
      case 'rows':
        this.#redraw(this.#account?.getNodes(change.urls, this.#isCollapsed).flatMap((node) => node.showAgain()) ?? []);
        return undefined;
      case 'resources':
        return this.#reloadResources(change.urls);
    }
  }

  /**
   * Reloads the rows for some URLs, with one request per URL. If a URL no longer exists, the whole tree is reloaded,
   * because lists no longer contain it.
   */
  async #reloadResources(urls: readonly string[]): Promise<void> {
    const { changed = [], isGone = false } = (await this.#account?.reload(urls, this.#isCollapsed)) ?? {};
    this.#redraw(changed);
    if (isGone) {
      await this.refresh();
    }
  }

  async #updatePresentedRoots(): Promise<void> {
    const account = this.#account;
    // An account's first load updates its rows when it finishes.
    if (account?.user.content === undefined || account.user.failure !== undefined) {
      return;
    }
    const changed = await account.updateNodes();
    if (account !== this.#account) {
      return;
    }
    if (changed === undefined) {
      this.#roots = Promise.resolve(account.nodes);
      this.#changed.fire(undefined);
    } else {
      this.#redraw(changed);
    }
  }

  /** Returns the user node if the same account is still signed in and its node could be loaded. */
  async #currentUserNode(): Promise<UserNode | undefined> {
    const account = this.#account;
    const connection = await this.#currentConnection();
    if (
      account === undefined ||
      account !== this.#account ||
      connection.kind !== 'signedIn' ||
      accountKey(connection) !== account.accountKey
    ) {
      return undefined;
    }
    account.client = connection.client;
    return account.user.failure === undefined ? account.user : undefined;
  }

  /**
   * Returns the current connection and updates the view's text, unless a later call has started. Hidden views are
   * updated as well, because the walkthrough depends on their context keys.
   */
  async #currentConnection(): Promise<Connection> {
    const question = ++this.#questions;
    const connection = await this.#parts.connections.current();
    if (question === this.#questions) {
      this.#showConnection(connection);
    }
    return connection;
  }

  #showConnection(connection: Connection, failure?: unknown): void {
    showConnection(this.view, connection, this.#parts.signIns.isBusy, failure);
  }

  #redraw(changed: readonly TreeNode[]): void {
    if (changed.length > 0) {
      this.#changed.fire([...withoutDescendants(changed)]);
    }
  }

  async #loadRoots(): Promise<readonly TreeNode[]> {
    const load = ++this.#rootLoads;
    const [connection, nodes, presenter] = await Promise.all([
      this.#currentConnection(),
      this.#parts.loadNodes(),
      this.#loadPresenter(),
    ]);
    if (load !== this.#rootLoads) {
      return this.#roots ?? [];
    }
    if (connection.kind === 'signedIn') {
      return this.#loadAccount(connection, nodes, presenter);
    }
    this.#account = undefined;
    return connection.kind === 'broken' ? [nodes.failureNode(undefined, connection.error)] : [];
  }

  async #loadAccount(
    connection: SignedInConnection,
    { AccountRoots, failureNode }: NodeModules,
    presenter: ResourcePresenter,
  ): Promise<readonly TreeNode[]> {
    const account: AccountRoots = new AccountRoots(connection, this.#parts.recent, presenter, (node) =>
      // A row may finish loading after the tree has switched to another account.
      this.#redraw(account === this.#account ? [node] : []),
    );
    this.#account = account;
    await account.user.getChildren();
    if (account.user.failure !== undefined) {
      this.#showConnection(connection, account.user.failure);
      return [failureNode(undefined, account.user.failure)];
    }
    await account.updateNodes();
    return account.nodes;
  }

  #whileLoading(task: () => Promise<void>): Thenable<void> {
    return vscode.window.withProgress({ location: { viewId: RESOURCES_VIEW_ID } }, task);
  }
}

/**
 * Updates the view's title, message, and welcome text for a connection.
 *
 * @param isSigningIn whether a sign-in is running.
 * @param failure reason why the account can't be shown. The view's only row shows this reason.
 */
export function showConnection(
  view: Pick<vscode.TreeView<unknown>, 'title' | 'message'>,
  connection: Connection,
  isSigningIn: boolean,
  failure?: unknown,
): void {
  if (connection.kind === 'signedOut' && connection.service.local && isSigningIn) {
    // The window signs in automatically. A Sign In button would disappear before the user can click it.
    return;
  }
  // Commands stay enabled for a broken connection, because they explain the problem.
  const isUnconfigured = connection.kind === 'unconfigured';
  const isSignedOut = isUnconfigured || connection.kind === 'signedOut';
  const service = 'service' in connection ? connection.service : undefined;
  void vscode.commands.executeCommand('setContext', 'appBuild.signedOut', isSignedOut);
  void vscode.commands.executeCommand('setContext', 'appBuild.unconfigured', isUnconfigured);
  void vscode.commands.executeCommand('setContext', 'appBuild.localService', service?.local ?? false);
  // VS Code doesn't show a description while the view is the only one in its container.
  view.title = toPlainText(titleFor(service));
  // VS Code hides the welcome view while a message is set, so a message is set only if the view has rows.
  view.message = toPlainText(messageFor(connection, failure));
}

function titleFor(service: Service | undefined): string {
  if (service === undefined) {
    return vscode.l10n.t('Resources');
  }
  return service.demo === true ? vscode.l10n.t('Demo Data') : getServiceLabel(service);
}

function getServiceLabel({ local, url }: Service): string {
  return local ? vscode.l10n.t('Local Service') : url.host;
}

function messageFor(connection: Connection, failure: unknown): string {
  return connection.kind === 'signedIn' && failure !== undefined
    ? vscode.l10n.t('Can’t reach {0}.', getServiceLabel(connection.service))
    : '';
}
