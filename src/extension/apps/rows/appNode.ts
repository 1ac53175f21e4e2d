import * as vscode from 'vscode';
import type { Resource } from '../../../service-client/index.ts';
import {
  type GetResource,
  type NodeContent,
  type TreeContext,
  type LinkedResource,
  selfRelationsText,
} from '../../resources/tree/expandableNode.ts';
import { ResourceNode } from '../../resources/tree/resourceNode.ts';
import type { Presentation, TreeNode } from '../../resources/tree/treeNode.ts';
import { toSpokenText } from '../../workbench/texts.ts';
import { LeafNode, noteNode } from '../../resources/tree/leafNodes.ts';
import type { LinkedFolder } from '../folderApps.ts';
import { isGone } from '../appErrors.ts';
import { isApp, isForAndroid, isUnderWay, readApp, getAppState, type App, type PlatformBuild } from '../model/app.ts';
import { readBuilds, type BuildDetails } from '../model/build.ts';
import { linkTo } from '../model/members.ts';
import { findOperation, type OperationName } from '../model/operation.ts';
import { stateText, stateIcon, contextValue, type RowContext, buildSummary, timeAgo } from './rowTexts.ts';
import { platformName } from '../../../web-project/index.ts';

/** An app in the tree. Its children are the builds, keys, and collaborators. */
export class AppNode extends ResourceNode {
  readonly #rows: RowContext;
  #details: readonly BuildDetails[] = [];

  constructor(
    parent: TreeNode | undefined,
    key: string,
    value: LinkedResource,
    context: TreeContext,
    rows: RowContext,
  ) {
    super(parent, key, value, context);
    this.#rows = rows;
  }

  get app(): App | undefined {
    const { latestResource } = this;
    return latestResource && isApp(latestResource) ? readApp(latestResource, this.url) : undefined;
  }

  get details(): readonly BuildDetails[] {
    return this.#details;
  }

  override present(): Presentation {
    const generic = super.present();
    const { app } = this;
    if (app === undefined) {
      return { ...generic, contextValue: contextValue('app', this.linkFlags) };
    }
    const builds = this.#rows.getBuilds(app);
    const flags = { ...this.#flags(app, builds), ...this.linkFlags };
    if (builds.length === 0 && app.version === undefined && this.content === undefined) {
      // In a list, the app may have only a title.
      return { ...generic, contextValue: contextValue('app', flags) };
    }
    const title = app.title === '' ? this.value.label : app.title;
    const [label, version] = this.namesVersion ? [titleWithVersion(title, app), undefined] : [title, app.version];
    const state = getAppState(builds);
    const summary = state === 'none' ? vscode.l10n.t('not built yet') : buildSummary(builds);
    return {
      ...generic,
      label,
      description: [...this.#distinction(), version, summary].filter((part) => part !== undefined).join(' · '),
      tooltip: tooltip(app, builds),
      icon: stateIcon(state, 'package'),
      accessibilityLabel: spoken(title, app, builds, this.#distinction()),
      contextValue: contextValue('app', flags),
    };
  }

  protected override async loadContent(get: GetResource): Promise<NodeContent> {
    const content = await super.loadContent(get);
    if (content.kind === 'resource' && isApp(content.paged.resource)) {
      this.#details = await loadDetails(content.paged.resource, get);
    }
    return content;
  }

  /** True if the label includes the version, as in `Shop 1.0.0`. */
  protected readonly namesVersion: boolean = false;

  /** Flags for the menus: whether a folder is linked to the app, or can be. */
  protected get linkFlags(): Readonly<Record<string, boolean>> {
    const linked = this.#rows.isLinked(this.url);
    return { linked, linkable: !linked && this.#rows.hasFolder };
  }

  #flags(app: App, builds: readonly PlatformBuild[]): Readonly<Record<string, boolean>> {
    // An app in a list has no forms, so prefer the app's own resource.
    const resource = this.resource ?? app.resource;
    const offers = (name: OperationName, platform?: string) =>
      findOperation(resource, name, platform, app.url) !== undefined;
    const isBuilt = builds.some(({ downloadUrl }) => downloadUrl !== undefined);
    return {
      build: offers('build'),
      update: offers('update'),
      upload: offers('upload'),
      pull: offers('pull'),
      icon: offers('upload-icon'),
      delete: offers('delete'),
      addCollaborator: offers('add-collaborator'),
      download: isBuilt,
      log: builds.some(({ logUrl }) => logUrl !== undefined),
      android: builds.some(isForAndroid),
      installsBuilds: this.#rows.installsBuilds(app.url),
      shared: this.#rows.isShared(app.url),
      cancel: builds.some(({ platform, state }) => isUnderWay(state) && offers('cancel', platform)),
      watched: this.#rows.isWatched(app.url),
    };
  }

  /** Notes that distinguish apps with the same title. The relation doesn't distinguish them. */
  #distinction(): readonly string[] {
    const { notes = [], relation } = this.value;
    return notes.filter((note) => note !== relation);
  }
}

/** Loads times and builders if the app has a build. Without them, the row shows less. */
async function loadDetails(resource: Resource, get: GetResource): Promise<readonly BuildDetails[]> {
  const url = linkTo(resource, 'builds');
  if (url === undefined || getAppState(readApp(resource, url).builds) === 'none') {
    return [];
  }
  try {
    const { body } = await get(url);
    return body.kind === 'json' ? readBuilds(body.resource, url) : [];
  } catch {
    return [];
  }
}

function titleWithVersion(title: string, { version }: App): string {
  return version === undefined ? title : `${title} ${version}`;
}

function tooltip(app: App, builds: readonly PlatformBuild[]): string {
  const { title, version, packageId, lastBuild, role, repository, url, resource } = app;
  return [
    version === undefined ? title : vscode.l10n.t('{0}, version {1}', title, version),
    packageId && vscode.l10n.t('Package: {0}', packageId),
    lastBuild && vscode.l10n.t('Last build: {0}', timeAgo(lastBuild, new Date(), vscode.env.language)),
    ...builds.map((build) => vscode.l10n.t('{0}: {1}', platformName(build.platform), build.error ?? stateText(build))),
    role && vscode.l10n.t('Your role: {0}', role),
    repository && vscode.l10n.t('Repository: {0}', repository),
    url,
    selfRelationsText(resource),
  ]
    .filter(Boolean)
    .join('\n');
}

function spoken(
  title: string,
  { version }: App,
  builds: readonly PlatformBuild[],
  distinction: readonly string[],
): string {
  return toSpokenText([
    version === undefined ? title : vscode.l10n.t('{0}, version {1}', title, version),
    ...distinction,
    stateText({ state: getAppState(builds), status: null }),
    ...builds.map((build) => vscode.l10n.t('{0}: {1}', platformName(build.platform), stateText(build))),
  ]);
}

/** Creates the row for a folder that isn't linked to an app. Building the folder creates the app. */
export function unbuiltFolderNode({ name, uri }: vscode.WorkspaceFolder): LeafNode {
  const shown: Presentation = {
    label: name,
    description: vscode.l10n.t('not built yet'),
    tooltip: vscode.l10n.t('Build the folder to create its app.'),
    icon: new vscode.ThemeIcon('package'),
    contextValue: contextValue('folder', { folder: true }),
  };
  return new LeafNode(undefined, `folder ${uri.toString()}`, { shown, uri });
}

/** A folder of this window, shown as the app that it's linked to. */
export class FolderNode extends AppNode {
  readonly folder: vscode.WorkspaceFolder;

  constructor(
    { folder, app, expanded }: LinkedFolder & { readonly expanded: boolean },
    context: TreeContext,
    rows: RowContext,
  ) {
    const linked = { url: app.url, label: app.title, relation: 'app', expanded };
    super(undefined, `folder ${folder.uri.toString()} ${app.url}`, linked, context, rows);
    this.folder = folder;
  }

  get uri(): vscode.Uri {
    return this.folder.uri;
  }

  override present(): Presentation {
    const { name } = this.folder;
    const app = super.present();
    if (isGone(this.failure)) {
      return {
        ...app,
        label: name,
        description: vscode.l10n.t('“{0}” no longer exists', this.value.label),
        tooltip: vscode.l10n.t('This folder’s app “{0}” isn’t at the service.', this.value.label),
        accessibilityLabel: undefined,
        icon: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
        contextValue: contextValue('app', { folder: true, linked: true }),
      };
    }
    return {
      ...app,
      description: [app.description, ...(isOnlyFolder() ? [] : [name])].filter(Boolean).join(' · '),
      tooltip: [vscode.l10n.t('Folder: {0}', name), app.tooltip].join('\n'),
      accessibilityLabel: vscode.l10n.t('{0}, folder {1}', app.accessibilityLabel ?? app.label, name),
    };
  }

  protected override readonly namesVersion = true;

  protected override get linkFlags(): Readonly<Record<string, boolean>> {
    return { folder: true, linked: true };
  }

  protected override async loadContent(get: GetResource): Promise<NodeContent> {
    const content = await super.loadContent(get);
    if (content.kind === 'failure' && isGone(content.error)) {
      const text = vscode.l10n.t('The service no longer has this app');
      const description = vscode.l10n.t('Select to unlink the folder');
      const note = { text, description, icon: 'link', command: 'appBuild.unlinkFolder' } as const;
      return { ...content, nodes: [noteNode(this, '=gone', note, this.uri)] };
    }
    return content;
  }
}

function isOnlyFolder(): boolean {
  return vscode.workspace.workspaceFolders?.length === 1;
}
