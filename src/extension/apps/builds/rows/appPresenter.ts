import * as vscode from 'vscode';
import type { Resource } from '../../../../service-client/index.ts';
import type { Connections, SignedInConnection } from '../../../auth/connection.ts';
import type { AppCalls } from '../../calls/appCalls.ts';
import type {
  ExpandableNode,
  LinkedResource,
  TreeContext,
  PlainRows,
  PresenterChange,
  ResourcePresenter,
} from '../../../resources/tree/expandableNode.ts';
import { limitedNode } from '../../../resources/tree/leafNodes.ts';
import type { PagedResource } from '../../../resources/tree/paging.ts';
import { UserNode } from '../../../resources/tree/resourceNode.ts';
import { hasUrl, type TreeNode } from '../../../resources/tree/treeNode.ts';
import { Disposable } from '../../../workbench/disposable.ts';
import { loadOnce } from '../../../workbench/loadOnce.ts';
import type { FolderApps } from '../../folderApps.ts';
import { isApp, isUnderWay, readApp, type App, type PlatformBuild } from '../../model/app.ts';
import { MAX_ROWS } from '../../../workbench/limits.ts';
import { linkTo } from '../../model/members.ts';
import { isSigningKey } from '../../model/signingKey.ts';
import type { BuildProgress } from '../watching/buildProgress.ts';
import type { BuildWatcher } from '../watching/buildWatcher.ts';
import type { EachBuild } from '../watching/eachBuild.ts';
import { AppNode, FolderNode, unbuiltFolderNode } from '../../rows/appNode.ts';
import { BuilderNode } from '../../rows/builderNode.ts';
import { ChosenKeysNode, KeyNode, type KnownKeys } from '../../rows/keyNode.ts';
import { CollaboratorsNode } from '../../rows/collaboratorsNode.ts';
import {
  AppsNode,
  KeysNode,
  isMore,
  createAppMoreNode,
  getAppsRows,
  getKeyRows,
  getUserRows,
  webPageNode,
} from '../../rows/listNodes.ts';
import { BundleNode, PlatformNode } from './platformNode.ts';
import type { RowContext } from '../../rows/rowTexts.ts';
import { type BuilderSupport, isAvailable } from '../../../../web-project/index.ts';

interface AppPresenterDependencies extends KnownKeys {
  readonly connections: Connections;
  readonly folders: FolderApps;
  readonly watcher: BuildWatcher;
  readonly eachBuild: Pick<EachBuild, 'includes' | 'onDidChange'>;
  readonly createCalls: (connection: SignedInConnection) => AppCalls;
}

/** Presents apps, builds, keys, and collaborators in their own rows. */
export class AppPresenter extends Disposable implements ResourcePresenter, RowContext {
  readonly #dependencies: AppPresenterDependencies;
  readonly #changed = this.register(new vscode.EventEmitter<PresenterChange>());
  readonly onDidChange = this.#changed.event;
  #linkedUrls: ReadonlySet<string> = new Set();
  #sharedUrls: ReadonlySet<string> = new Set();
  /** Platforms that the service can't build for. The resource `current_support` contains the reasons. */
  #unavailable: ReadonlySet<string> = new Set();
  /** True if the service has a single user. */
  #isLocal = false;
  /** The visible account's tree. */
  #shown: TreeContext | undefined;
  /**
   * Loads the service's platforms, once. For a remote service, this happens when the first app is expanded, so that the tree initially
   * makes a single request.
   */
  #loadSupport: (() => Promise<void>) | undefined;

  constructor(dependencies: AppPresenterDependencies) {
    super();
    this.#dependencies = dependencies;
    const { folders, watcher, eachBuild } = dependencies;
    const rootsChanged = () => this.#changed.fire({ kind: 'roots' });
    this.register(
      folders.onDidChange(() => {
        rootsChanged();
        // The list may be outdated for an app that was shown above it.
        this.refreshLists();
      }),
    );
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(rootsChanged));
    this.register(watcher.onDidChange(({ appUrl }) => this.#changed.fire({ kind: 'rows', urls: [appUrl] })));
    this.register(eachBuild.onDidChange((appUrl) => this.#changed.fire({ kind: 'rows', urls: [appUrl] })));
    this.register(
      watcher.onDidEnd(({ appUrl, end }) => {
        if (end.kind === 'gone') {
          this.refreshLists();
        } else if (end.kind !== 'signedOut') {
          this.changed(appUrl);
        }
      }),
    );
  }

  /** Reloads the rows of an app, a key, or a list that has changed at the service. Rows that aren't visible cause no request. */
  changed(url: string): void {
    this.#changed.fire({ kind: 'resources', urls: [url] });
  }

  /** Reloads the lists in the tree after an app, a key, or a collaborator was added or deleted. */
  refreshLists(): void {
    this.#changed.fire({ kind: 'lists' });
  }

  /** Marks exactly these apps as shared on the network. */
  showShared(urls: readonly string[]): void {
    const changed = differences(this.#sharedUrls, new Set(urls));
    this.#sharedUrls = new Set(urls);
    if (changed.length > 0) {
      this.#changed.fire({ kind: 'rows', urls: changed });
    }
  }

  /** Returns the top-level rows: folders, the user, and for the local service the builder. */
  async roots(user: ExpandableNode): Promise<readonly TreeNode[]> {
    const connection = await this.#dependencies.connections.current();
    // Check this after the `await`: a call from before the user was loaded must not overwrite a later one.
    const { context, resource: home } = user;
    if (connection.kind !== 'signedIn') {
      return [user];
    }
    const linked = this.#dependencies.folders.all(connection);
    this.#setLinked(linked.map(({ app }) => app.url));
    const supportUrl = home && linkTo(home, 'current_support');
    if (context !== this.#shown) {
      this.#shown = context;
      this.#setSupport(undefined);
    }
    this.#loadSupport =
      supportUrl === undefined ? undefined : loadOnce(() => this.#askForSupport(connection, supportUrl, context));
    const isLocal = connection.service.local;
    if (isLocal) {
      void this.#loadSupport?.();
    }
    const builder = { url: supportUrl ?? '', label: '', relation: 'current_support' };
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder, index) => {
      const app = linked.find((each) => each.folder === folder)?.app;
      return app === undefined
        ? unbuiltFolderNode(folder)
        : new FolderNode({ folder, app, expanded: index === 0 }, context, this);
    });
    this.#isLocal = isLocal;
    return [
      ...folders,
      user,
      ...(isLocal && supportUrl !== undefined ? [new BuilderNode(undefined, 'builder', builder, context)] : []),
    ];
  }

  /** Returns the row for a linked resource, or undefined if it isn't one of the known kinds. */
  resourceNode(parent: ExpandableNode, key: string, linked: LinkedResource): TreeNode | undefined {
    const { context } = parent;
    const { relation, embedded } = linked;
    if (parent instanceof UserNode && relation === 'apps') {
      return new AppsNode(parent, key, { ...linked, expanded: true }, context);
    }
    // The list of all keys contains one list per platform.
    const isKeyList = parent instanceof KeysNode && parent.platform === undefined;
    if ((parent instanceof UserNode && relation === 'keys') || isKeyList) {
      return new KeysNode(parent, key, linked, context);
    }
    if (relation === 'install' && isMore(parent)) {
      return webPageNode(parent, key, vscode.l10n.t('Install page'), linked.url);
    }
    if (embedded === undefined) {
      return undefined;
    }
    if (isSigningKey(embedded)) {
      return new KeyNode(this.#dependencies, parent, key, linked, context);
    }
    return isApp(embedded) ? new AppNode(parent, key, linked, context, this) : undefined;
  }

  /** Returns the children of a row, or undefined to use the default rows. */
  getRows(parent: ExpandableNode, { resource }: PagedResource, plainRows: PlainRows): readonly TreeNode[] | undefined {
    if (parent instanceof BuilderNode) {
      return parent.rows;
    }
    if (parent instanceof UserNode) {
      return getUserRows(parent, resource, plainRows);
    }
    if (parent instanceof AppsNode) {
      const isAbove = (node: TreeNode) => node instanceof AppNode && this.isLinked(node.url);
      return getAppsRows(parent, resource, plainRows, { isAbove, hasFolder: this.hasFolder });
    }
    if (parent instanceof KeyNode) {
      return getKeyRows(parent, resource, plainRows);
    }
    // Parts of an app without an address use the default rows.
    return hasUrl(parent) && isApp(resource) ? this.#getAppRows(parent, resource) : undefined;
  }

  isWatched(appUrl: string): boolean {
    return this.#watched(appUrl) !== undefined;
  }

  getBuilds(app: App): readonly PlatformBuild[] {
    const { builds = [] } = this.#watched(app.url) ?? {};
    const platforms = new Set(app.builds.map(({ platform }) => platform));
    const all = [
      ...app.builds.map((build) => {
        const watched = builds.find(({ platform }) => platform === build.platform);
        return watched === undefined ? build : { ...watched, logUrl: watched.logUrl ?? build.logUrl };
      }),
      ...builds.filter(({ platform }) => !platforms.has(platform)),
    ];
    // Running and complete builds are always visible, even if the builder doesn't support the platform.
    return all.filter(
      ({ platform, state }) => isUnderWay(state) || state === 'complete' || !this.#unavailable.has(platform),
    );
  }

  installsBuilds(appUrl: string): boolean {
    return this.#dependencies.eachBuild.includes(appUrl);
  }

  isShared(appUrl: string): boolean {
    return this.#sharedUrls.has(appUrl);
  }

  isLinked(appUrl: string): boolean {
    return this.#linkedUrls.has(appUrl);
  }

  get hasFolder(): boolean {
    return (vscode.workspace.workspaceFolders ?? []).length > 0;
  }

  #getAppRows(parent: ExpandableNode & { readonly url: string }, resource: Resource): readonly TreeNode[] {
    void this.#loadSupport?.();
    const app = readApp(resource, parent.url);
    const details = parent instanceof AppNode ? parent.details : [];
    const hasTimes = details.some(({ finishedAt }) => finishedAt !== undefined);
    const watched = this.#watched(app.url)?.builds.map(({ platform }) => platform) ?? [];
    const builds = this.getBuilds(app);
    const platforms = builds.flatMap((build) => {
      const { platform, state, bundleUrl } = build;
      const buildDetails = details.find((each) => each.platform === platform);
      const hasEnded = state === 'complete' || state === 'failed';
      const node = new PlatformNode(parent, `=platform ${platform}`, {
        appUrl: app.url,
        appTitle: app.title,
        resource,
        build,
        details: buildDetails,
        // If the service doesn't report times per build, use the app's.
        finishedAt: hasEnded ? (hasTimes ? buildDetails?.finishedAt : app.lastBuild) : undefined,
        watched: watched.includes(platform),
        installsBuilds: platform === 'android' && this.installsBuilds(app.url),
        shared: platform === 'android' && this.isShared(app.url),
        linked: this.isLinked(app.url),
      });
      const bundle = new BundleNode(parent, `=bundle ${platform}`, { appUrl: app.url, platform });
      return bundleUrl === undefined ? [node] : [node, bundle];
    });
    return [
      ...platforms,
      ...(builds.length < MAX_ROWS ? [] : [limitedNode(parent, MAX_ROWS)]),
      ...[
        ChosenKeysNode.of(parent, app, this.#dependencies),
        CollaboratorsNode.of(parent, app, { alone: !this.#isLocal }),
      ].filter((node) => node !== undefined),
      createAppMoreNode(
        parent,
        resource,
        builds.some(({ bundleUrl }) => bundleUrl !== undefined),
      ),
    ];
  }

  /** Asks the service for its platforms. If that fails, all platforms stay visible. */
  async #askForSupport(connection: SignedInConnection, supportUrl: string, context: TreeContext): Promise<void> {
    const support = await this.#dependencies
      .createCalls(connection)
      .support({}, { supportUrl })
      .catch(() => undefined);
    if (context === this.#shown) {
      this.#setSupport(support);
    }
  }

  /**
   * Hides the platforms that the service can't build for. If it can't build for any, all of them stay visible, because the rows of failed
   * builds contain the reason.
   */
  #setSupport({ platforms }: Pick<BuilderSupport, 'platforms'> = { platforms: [] }): void {
    const refused = platforms.some(isAvailable) ? platforms.filter((each) => !isAvailable(each)) : [];
    const unavailable = refused.map(({ platform }) => platform);
    if (unavailable.join('\n') !== [...this.#unavailable].join('\n')) {
      this.#unavailable = new Set(unavailable);
      this.#changed.fire({ kind: 'rows', urls: 'all' });
    }
  }

  #watched(appUrl: string): BuildProgress | undefined {
    const progress = this.#dependencies.watcher.get(appUrl);
    return progress?.endedAt === undefined ? progress : undefined;
  }

  /** Updates the apps that are linked to folders. The list of apps leaves them out. */
  #setLinked(urls: readonly string[]): void {
    const changed = differences(this.#linkedUrls, new Set(urls));
    this.#linkedUrls = new Set(urls);
    if (changed.length > 0) {
      this.#changed.fire({ kind: 'rows', urls: 'all' });
    }
  }
}

/** Returns the values that are in exactly one of the sets. */
function differences(left: ReadonlySet<string>, right: ReadonlySet<string>): readonly string[] {
  return [...left, ...right].filter((value) => !left.has(value) || !right.has(value));
}
