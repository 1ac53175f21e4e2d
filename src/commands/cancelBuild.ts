import * as vscode from 'vscode';
import { InvalidInputError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import { isUnderWay, type App } from '../apps/model/app.ts';
import { findOperation } from '../apps/model/operation.ts';
import { AppNode } from '../apps/rows/appNode.ts';
import { PlatformNode } from '../builds/rows/platformNode.ts';
import type { TreeNode } from '../resources/tree/treeNode.ts';
import { withCallProgress } from '../workbench/progress.ts';
import { listText } from '../workbench/texts.ts';
import type { CommandDependencies } from './dependencies.ts';
import { runEach, selectedRows, showNothingToDo, showOutcome, type SelectedRows } from './severalRows.ts';
import { askForApp } from './wizard/appSubject.ts';

/** What is cancelled of an app: all that is being built when there is no platform. */
interface CancelledBuild {
  readonly url: string;
  readonly title: string;
  readonly platform: string | undefined;
}

/**
 * Ends what is being built of an app, of one platform, or of several rows, where the service can. Where it cannot, shows that, and
 * offers to stop watching.
 */
export async function cancelBuilds(
  dependencies: CommandDependencies,
  argument: unknown,
  selected?: unknown,
): Promise<void> {
  const selection = selectedRows(argument, selected, /^(app|platform);(.*;)?cancel;/);
  if (selection !== undefined) {
    await cancelBuildsOfRows(dependencies, selection);
    return;
  }
  const { apps, notifications } = dependencies;
  const { app, calls, platform } = await askForApp(dependencies, argument, vscode.l10n.t('Cancel Build'));
  const cancellable = cancellablePlatforms(app, platform);
  if (cancellable.length === 0) {
    const isWatched = apps.watcher.of(app.url) !== undefined;
    const stop = { title: vscode.l10n.t('Stop Watching'), run: () => apps.watcher.stop(app.url) };
    notifications.information(
      vscode.l10n.t('The service cannot cancel the build of “{0}”: it goes on until it ends.', app.title),
      ...(isWatched ? [stop] : []),
    );
    return;
  }
  await withCallProgress(vscode.l10n.t('Cancelling the build of “{0}”', app.title), (signal) =>
    cancelPlatforms(calls, app, cancellable, signal),
  );
  apps.presenter.changed(app.url);
  notifications.done(vscode.l10n.t('The build of “{0}” for {1} is cancelled.', app.title, listText(cancellable)));
}

async function cancelBuildsOfRows(dependencies: CommandDependencies, { rows, leftOut }: SelectedRows): Promise<void> {
  const { connections, apps } = dependencies;
  const calls = apps.callsOf(await connections.requireSignedIn());
  const chosen = withoutRepeated(rows.flatMap(cancelledBuildOf));
  if (chosen.length === 0) {
    showNothingToDo(dependencies);
    return;
  }
  const tasks = chosen.map(({ url, title, platform }) => ({
    name: platform === undefined ? title : vscode.l10n.t('{0} for {1}', title, platform),
    run: async (signal: AbortSignal) => {
      const app = await calls.get(url, { signal });
      const cancellable = cancellablePlatforms(app, platform);
      if (cancellable.length === 0) {
        throw new InvalidInputError(
          sentence('The service cannot cancel the build of “{0}”: it goes on until it ends.', app.title),
        );
      }
      await cancelPlatforms(calls, app, cancellable, signal);
      return url;
    },
  }));
  const outcome = await runEach(vscode.l10n.t('Cancelling builds'), tasks);
  for (const url of new Set(outcome.results)) {
    apps.presenter.changed(url);
  }
  const text = vscode.l10n.t('Builds cancelled: {0} of {1}.', outcome.results.length, outcome.total);
  showOutcome(dependencies, outcome, { text, leftOut });
}

/**
 * The platforms of an app that are being built, as far as the service can cancel that.
 *
 * @param platform the only one that is meant; all when undefined.
 */
function cancellablePlatforms({ title, builds, resource, url }: App, platform: string | undefined): readonly string[] {
  const underWay = builds
    .filter((build) => isUnderWay(build.state) && (platform === undefined || build.platform === platform))
    .map((build) => build.platform);
  if (underWay.length === 0) {
    throw new InvalidInputError(sentence('Nothing of “{0}” is being built.', title), undefined, 'refresh');
  }
  return underWay.filter((each) => findOperation(resource, 'cancel', each, url) !== undefined);
}

async function cancelPlatforms(
  calls: AppCalls,
  app: App,
  platforms: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  let latest = app;
  for (const platform of platforms) {
    latest = await calls.cancel(latest, platform, { signal });
  }
}

function cancelledBuildOf(row: TreeNode): readonly CancelledBuild[] {
  if (row instanceof PlatformNode) {
    return [{ url: row.appUrl, title: row.value.appTitle, platform: row.platform }];
  }
  return row instanceof AppNode
    ? [{ url: row.url, title: row.app?.title ?? row.value.label, platform: undefined }]
    : [];
}

/** Each once, and no platform of an app whose builds are all cancelled. */
function withoutRepeated(all: readonly CancelledBuild[]): readonly CancelledBuild[] {
  const whole = new Set(all.flatMap(({ url, platform }) => (platform === undefined ? [url] : [])));
  const each = all.filter(({ url, platform }) => platform === undefined || !whole.has(url));
  return [...new Map(each.map((one) => [JSON.stringify([one.url, one.platform]), one])).values()];
}
