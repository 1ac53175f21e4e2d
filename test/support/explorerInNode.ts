import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { BuildServiceClient } from '../../src/service-client/client.ts';
import { Transport } from '../../src/service-client/http/transport.ts';
import { parseServiceUrl } from '../../src/service-client/serviceUrl.ts';
import type { Connections, SignedInConnection } from '../../src/extension/auth/connection.ts';
import type { AppCalls } from '../../src/extension/apps/calls/appCalls.ts';
import { FolderApps } from '../../src/extension/apps/folderApps.ts';
import type { KnownKeys } from '../../src/extension/apps/rows/keyNode.ts';
import { AppPresenter } from '../../src/extension/apps/builds/rows/appPresenter.ts';
import type { BuildWatcher } from '../../src/extension/apps/builds/watching/buildWatcher.ts';
import { RecentResources } from '../../src/extension/resources/recentResources.ts';
import { AccountRoots } from '../../src/extension/resources/tree/accountRoots.ts';
import { failureNode } from '../../src/extension/resources/tree/leafNodes.ts';
import { ResourceTree } from '../../src/extension/resources/tree/resourceTree.ts';
import { ServedRows } from '../integration/support/treeRows.ts';
import { MapMemento } from './mapMemento.ts';
import { oddToken, startOddService, type OddService } from './oddService.ts';

/** An event that never fires. */
const onDidChange = () => ({ dispose: () => undefined });

/** The resource explorer in Node, signed in to a service with the test's responses. */
export class ExplorerInNode extends ServedRows {
  readonly #account: Account;
  readonly #folders: FolderApps;

  private constructor(tree: ResourceTree, service: OddService, account: Account, folders: FolderApps) {
    super(tree, service);
    this.#account = account;
    this.#folders = folders;
  }

  /**
   * Creates one explorer for the tests of a `describe` and signs in again for each test. @param take receives it before
   * the first test
   */
  static forTests(take: (explorer: ExplorerInNode) => void): void {
    let explorer: ExplorerInNode;
    before(async () => {
      explorer = await ExplorerInNode.open();
      take(explorer);
    });
    beforeEach(() => explorer.signIn());
    after(() => explorer.close());
  }

  static async open(): Promise<ExplorerInNode> {
    const service = await startOddService();
    const account = new Account(service);
    // A tree uses only the current connection.
    const connections = account as unknown as Connections;
    const unknownKeys = { complete: (key: unknown) => key, find: () => undefined, read: () => undefined };
    const folders = new FolderApps(new MapMemento());
    // A tree uses only these parts of an account's state. No app is watched or remembered.
    const presenter = new AppPresenter({
      connections,
      folders,
      watcher: UNWATCHED as BuildWatcher,
      eachBuild: { includes: () => false, onDidChange },
      createCalls: () => (account.isLocal ? NO_SUPPORT : assert.fail('a tree calls nothing')),
      ...({ keyFacts: unknownKeys, keyExpiry: unknownKeys } as unknown as KnownKeys),
    });
    const tree = new ResourceTree({
      connections,
      signIns: { isBusy: false, onDidEndSignIn: onDidChange },
      recent: new RecentResources(),
      loadNodes: () => Promise.resolve({ AccountRoots, failureNode }),
      loadPresenter: () => Promise.resolve(presenter),
    });
    return new ExplorerInNode(tree, service, account, folders);
  }

  /** Signs in with another account, so the tree restarts. @param isLocal whether the service is the local service */
  signIn(isLocal = false): void {
    this.#account.number += 1;
    this.#account.isLocal = isLocal;
  }

  /** Opens a folder in the window, or none. */
  openFolder(uri: vscode.Uri | undefined): void {
    Object.assign(vscode.workspace, { workspaceFolders: uri && [{ uri, name: 'folder', index: 0 }] });
  }

  /** Links a folder to an app. @param path the path of the app at the service */
  async linkFolder(uri: vscode.Uri, path: string, title: string): Promise<void> {
    const connection = await this.#account.current();
    await this.#folders.set(uri, connection, { url: `${this.service.url}${path}`, title, project: '' });
  }

  async close(): Promise<void> {
    this.tree.dispose();
    await this.#account.transport.dispose();
    await this.service.close();
  }
}

/** A build watcher that doesn't watch any app. */
const UNWATCHED: Pick<BuildWatcher, 'get' | 'onDidChange' | 'onDidEnd'> = {
  get: () => undefined,
  onDidChange,
  onDidEnd: onDidChange,
};

/** Calls of a service that doesn't describe its platforms. */
const NO_SUPPORT = { support: () => Promise.resolve(undefined) } as unknown as AppCalls;

/** The signed-in account. */
class Account implements Pick<Connections, 'current' | 'onDidChange'> {
  readonly transport = new Transport({ retries: { limit: 0 } });
  readonly onDidChange = onDidChange;
  readonly #service: OddService;
  number = 0;
  isLocal = false;

  constructor(service: OddService) {
    this.#service = service;
  }

  current(): Promise<SignedInConnection> {
    const url = parseServiceUrl(this.#service.url);
    const credentials = { type: 'authToken', authToken: oddToken } as const;
    return Promise.resolve({
      kind: 'signedIn',
      service: {
        url,
        local: this.isLocal,
        ready: () => Promise.resolve(),
        registration: () => Promise.resolve(undefined),
      },
      account: { id: `odd ${this.number}`, label: 'odd' },
      username: 'odd',
      client: new BuildServiceClient({ service: url, credentials, transport: this.transport }),
    });
  }
}
