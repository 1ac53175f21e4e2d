import * as vscode from 'vscode';
import type { Connections } from '../../../auth/connection.ts';
import { StatusBarItem, type StatusBarContent } from '../../../workbench/statusBar.ts';
import type { FolderApps } from '../../folderApps.ts';
import type { BuildProgress } from './buildProgress.ts';
import { isRunning, platformList, progressText, getRunningPlatforms } from './buildTexts.ts';
import type { BuildWatcher } from './buildWatcher.ts';

/** A number on the view's icon, with its tooltip. */
export interface BuildBadge {
  readonly value: number;
  readonly tooltip: string;
}

interface BuildStatusDependencies {
  readonly watcher: Pick<BuildWatcher, 'all' | 'onDidChangeAll'>;
  readonly connections: Pick<Connections, 'current'>;
  readonly folders: Pick<FolderApps, 'all'>;
  readonly setBadge: (badge: BuildBadge | undefined) => void;
}

/** Shows running builds in the status bar and on the view's icon. Ended builds stay visible until the user looks at them. */
export function showBuildStatus({
  watcher,
  connections,
  folders,
  setBadge,
}: BuildStatusDependencies): vscode.Disposable {
  const item = new StatusBarItem('builds', vscode.l10n.t('Application Builds'), 'appBuild.showBuilds');
  const ownApps = async (): Promise<ReadonlySet<string>> => {
    const connection = await connections.current();
    return new Set(connection.kind === 'signedIn' ? folders.all(connection).map(({ app }) => app.url) : []);
  };
  const show = async (): Promise<void> => {
    const own = watcher.all.length > 1 ? await ownApps() : new Set<string>();
    const { all } = watcher;
    void vscode.commands.executeCommand('setContext', 'appBuild.building', all.some(isRunning));
    item.show(statusContent(all, (appUrl) => own.has(appUrl)));
    setBadge(createBadge(all));
  };
  return vscode.Disposable.from(
    item,
    watcher.onDidChangeAll(() => void show()),
    { dispose: () => setBadge(undefined) },
  );
}

/**
 * Returns the content of the status bar item, or undefined to hide it.
 *
 * @param isOwn returns whether a folder of this window is linked to the app.
 */
function statusContent(
  all: readonly BuildProgress[],
  isOwn: (appUrl: string) => boolean,
): StatusBarContent | undefined {
  const running = all.filter(isRunning);
  const ended = all.filter((progress) => !isRunning(progress));
  const ownFirst = (list: readonly BuildProgress[]) => list.find(({ appUrl }) => isOwn(appUrl)) ?? list[0];
  const shown = ownFirst(running) ?? ownFirst(ended.filter(({ state }) => state === 'failed')) ?? ownFirst(ended);
  if (shown === undefined) {
    return undefined;
  }
  const text = shortText(shown, running.length);
  return {
    icon: getBuildIcon(shown),
    text,
    tooltip: [...all.map(progressText), '', vscode.l10n.t('Click for options.')].join('\n'),
    accessibleText: vscode.l10n.t('Application build: {0}', text),
  };
}

function shortText(progress: BuildProgress, running: number): string {
  const { title } = progress;
  if (isRunning(progress)) {
    if (progress.trouble !== undefined) {
      return vscode.l10n.t('{0}: no response', title);
    }
    const platforms = platformList(getRunningPlatforms(progress));
    return running > 1
      ? vscode.l10n.t('{0}: {1} building, {2} more', title, platforms, running - 1)
      : vscode.l10n.t('{0}: {1} building', title, platforms);
  }
  if (progress.state === 'failed') {
    return vscode.l10n.t('{0}: build failed', title);
  }
  return progress.state === 'complete' ? vscode.l10n.t('{0}: built', title) : vscode.l10n.t('{0}: build ended', title);
}

/** Returns the codicon for a build. */
export function getBuildIcon(progress: BuildProgress): string {
  if (isRunning(progress)) {
    return progress.trouble === undefined ? 'sync~spin' : 'debug-disconnect';
  }
  if (progress.state === 'failed') {
    return 'error';
  }
  return progress.state === 'complete' ? 'check' : 'circle-slash';
}

function createBadge(all: readonly BuildProgress[]): BuildBadge | undefined {
  const running = all.filter(isRunning).length;
  if (running === 0) {
    return undefined;
  }
  return {
    value: running,
    tooltip: running === 1 ? vscode.l10n.t('1 build running') : vscode.l10n.t('{0} builds running', running),
  };
}
