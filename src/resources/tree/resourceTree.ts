import * as vscode from 'vscode';
import type { BuildServiceClient } from '../../api/client.ts';
import type { Connection, Connections } from '../../auth/connection.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { withProgress } from '../../workbench/progress.ts';
import type { Branch } from './branch.ts';
import type { Node } from './node.ts';
import type { Scope } from './scope.ts';
import type { UserNode } from './userNode.ts';
import { outermost } from './reconcile.ts';
import { accountKey, type SeenResource, type SeenResources } from '../seenResources.ts';

export const viewId = 'appBuild.resources';

/** The kinds of rows. */
type Nodes = typeof import('./nodes.ts');

type SignedIn = Extract<Connection, { kind: 'signedIn' }>;

/** What the rows of an account share. */
class AccountScope implements Scope {
  readonly key: string;
  client: BuildServiceClient;
  readonly #seen: SeenResources;

  constructor(connection: SignedIn, seen: SeenResources) {
    this.key = accountKey(connection);
    this.client = connection.client;
    this.#seen = seen;
  }

  seen(resources: readonly SeenResource[]): void {
    this.#seen.add(this.key, resources);
  }
}

/** The sidebar: the signed-in user at the root, and below whatever the service links to. */
export class ResourceTree extends Disposable implements vscode.TreeDataProvider<Node> {
  readonly #connections: Connections;
  readonly #seen: SeenResources;
  readonly #loadNodes: () => Promise<Nodes>;
  readonly #changed = this.register(new vscode.EventEmitter<Node[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;
  readonly #collapsed = new WeakSet<Node>();
  #root: Promise<readonly Node[]> | undefined;
  #user: { readonly scope: AccountScope; readonly node: UserNode } | undefined;
  /** Counts the loads of the root: an answer that a later load has overtaken is dropped. */
  #generation = 0;

  /** @param loadNodes loads the kinds of rows; called when the tree is shown. */
  constructor(connections: Connections, seen: SeenResources, loadNodes: () => Promise<Nodes>) {
    super();
    this.#connections = connections;
    this.#loadNodes = loadNodes;
    this.#seen = seen;
    this.#view = this.register(vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true }));
    this.register(this.#view.onDidCollapseElement(({ element }) => this.#collapsed.add(element)));
    this.register(this.#view.onDidExpandElement(({ element }) => this.#collapsed.delete(element)));
    this.register(connections.onDidChange(() => void this.refresh()));
  }

  /** Never throws: one odd resource must not take its siblings with it. */
  getTreeItem(node: Node): vscode.TreeItem {
    try {
      return node.item();
    } catch {
      const item = new vscode.TreeItem(vscode.l10n.t('This cannot be shown'));
      item.id = node.id;
      item.iconPath = new vscode.ThemeIcon('question');
      return item;
    }
  }

  getParent(node: Node): Node | undefined {
    return node.parent;
  }

  /** Never rejects: a root that throws would look like being signed out. */
  async getChildren(node?: Node): Promise<Node[]> {
    try {
      if (node === undefined) {
        this.#root ??= this.#loadRoot();
        return [...(await this.#root)];
      }
      return [...((await node.children?.()) ?? [])];
    } catch (error) {
      const { FailureNode } = await this.#loadNodes();
      return [new FailureNode(node, error)];
    }
  }

  /** Loads what is open below a node again, or the whole tree, and draws only what has changed. */
  async refresh(node?: Node): Promise<void> {
    const root = this.#root;
    const branch = node === undefined ? await this.#sameUser() : await this.#branchOf(node);
    if (branch === undefined) {
      // A root that somebody else has asked for since knows all that this refresh is about.
      if (root === this.#root) {
        this.#root = undefined;
        this.#user = undefined;
        this.#changed.fire(undefined);
      }
      return;
    }
    if (branch.content === undefined) {
      // Its first load is under way: signing in changes the connection more than once.
      await branch.children();
      return;
    }
    await withProgress({ view: viewId }, async () => {
      this.#draw(await this.#reload(branch));
    });
  }

  /** Loads again what a failure stands for. The local service starts again for that, if it has ended. */
  async retry(failure: Node): Promise<void> {
    await this.#connections.current();
    await this.refresh(failure.parent);
  }

  /** Shows the next part of a list, in place. */
  async loadMore(list: Node | undefined): Promise<void> {
    const { Branch } = await this.#loadNodes();
    if (list instanceof Branch) {
      await withProgress({ view: viewId }, async () => {
        this.#draw(await list.loadMore());
      });
    }
  }

  /** Selects a resource where it is shown already. */
  async show(url: string): Promise<void> {
    const { ResourceNode } = await this.#loadNodes();
    for (const open = this.#user === undefined ? [] : [this.#user.node as Branch<unknown>]; ;) {
      const branch = open.shift();
      if (branch === undefined) {
        return;
      }
      if (branch instanceof ResourceNode && branch.url === url) {
        await this.#view.reveal(branch, { select: true, focus: false });
        return;
      }
      open.push(...branch.openable);
    }
  }

  /** The root, when the same account is still signed in and is shown. */
  async #sameUser(): Promise<UserNode | undefined> {
    const user = this.#user;
    const connection = await this.#connections.current();
    if (
      user === undefined ||
      user !== this.#user ||
      connection.kind !== 'signedIn' ||
      accountKey(connection) !== user.scope.key
    ) {
      return undefined;
    }
    user.scope.client = connection.client;
    this.#present(connection);
    return user.node.failure === undefined ? user.node : undefined;
  }

  /** @returns what has to be drawn again. */
  async #reload(branch: Branch<unknown>): Promise<readonly Node[]> {
    const changed = await branch.reload();
    const open = branch.openable.filter((child) => !this.#collapsed.has(child));
    for (const child of branch.openable.filter((each) => !open.includes(each))) {
      child.forget();
    }
    return [...changed, ...(await Promise.all(open.map((child) => this.#reload(child)))).flat()];
  }

  #draw(changed: readonly Node[]): void {
    if (changed.length > 0) {
      this.#changed.fire([...outermost(changed)]);
    }
  }

  async #loadRoot(): Promise<readonly Node[]> {
    const generation = ++this.#generation;
    const [connection, kinds] = await Promise.all([this.#connections.current(), this.#loadNodes()]);
    if (generation !== this.#generation) {
      return this.#root ?? [];
    }
    this.#present(connection);
    if (connection.kind !== 'signedIn') {
      this.#user = undefined;
      return connection.kind === 'broken' ? [new kinds.FailureNode(undefined, connection.error)] : [];
    }
    return this.#loadUser(connection, kinds);
  }

  async #loadUser(connection: SignedIn, { FailureNode, UserNode }: Nodes): Promise<readonly Node[]> {
    const scope = new AccountScope(connection, this.#seen);
    const node = new UserNode(
      undefined,
      scope.key,
      { url: connection.client.homeUrl, label: connection.username, relation: 'user', expanded: true },
      scope,
    );
    this.#user = { scope, node };
    await node.children();
    return node.failure === undefined ? [node] : [new FailureNode(undefined, node.failure)];
  }

  /** The welcome view and the title follow the connection. */
  #present(connection: Connection): void {
    void vscode.commands.executeCommand('setContext', 'appBuild.connection', connection.kind);
    const service = 'service' in connection ? connection.service : undefined;
    void vscode.commands.executeCommand('setContext', 'appBuild.localService', service?.local ?? false);
    this.#view.description =
      service === undefined ? '' : service.local ? vscode.l10n.t('Local Service') : new URL(service.url.href).host;
    // VS Code hides the welcome view while there is a message, so there is one only beside the user's resources.
    const local = connection.kind === 'signedIn' && service?.local;
    this.#view.message = local
      ? vscode.l10n.t('This is the local service with demo data, running on this machine.')
      : '';
  }

  /** What a refresh of a row loads again: a leaf is part of what is above it. */
  async #branchOf(node: Node): Promise<Branch<unknown> | undefined> {
    const { ResourceNode } = await this.#loadNodes();
    for (let current: Node | undefined = node; current !== undefined; current = current.parent) {
      if (current instanceof ResourceNode) {
        return current;
      }
    }
    return undefined;
  }
}
