import * as vscode from 'vscode';
import { InvalidInputError, sentence } from '../../errors/index.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import { type App, isForAndroid, isUnderWay, type PlatformBuild } from '../apps/model/app.ts';
import { findOperation } from '../apps/model/operation.ts';
import { AppNode } from '../apps/rows/appNode.ts';
import { PlatformNode } from '../apps/builds/rows/platformNode.ts';
import type { BuildCommandId, BuildProgress } from '../apps/builds/watching/buildProgress.ts';
import { getBuildIcon } from '../apps/builds/watching/buildStatus.ts';
import { isRunning, platformList, platformsText, getRunningPlatforms } from '../apps/builds/watching/buildTexts.ts';
import type { CommandDependencies } from './dependencies.ts';
import { type SelectedRows, runEach, selectedRows, showNothingToDo, showOutcome } from './severalRows.ts';
import { getArgumentAddress, askForApp } from './wizard/subject.ts';
import type { TreeNode } from '../resources/tree/treeNode.ts';
import type { Input, PickItem } from '../workbench/input.ts';
import { withCallProgress } from '../workbench/progress.ts';
import { listText } from '../workbench/texts.ts';
import { platformName } from '../../web-project/index.ts';

interface BuildAction extends PickItem {
  readonly run: () => unknown;
}

/** Lists the watched builds, and the actions for the selected one. */
export async function showBuilds(dependencies: CommandDependencies): Promise<void> {
  const { apps, input, notifications } = dependencies;
  const { watcher } = apps;
  if (watcher.all.length === 0) {
    notifications.information(vscode.l10n.t('No builds are being watched. Start a build first.'));
    return;
  }
  const title = vscode.l10n.t('Builds');
  const progress = await pickBuild(watcher.all, input, title, vscode.l10n.t('Which build?'));
  if (!isRunning(progress)) {
    watcher.seen(progress.appUrl);
  }
  const chosen = await input.pick(actionsFor(progress, dependencies), {
    title: progress.title,
    placeholder: platformsText(progress),
  });
  await chosen.run();
}

function actionsFor(progress: BuildProgress, dependencies: CommandDependencies): readonly BuildAction[] {
  const { apps, tree } = dependencies;
  const { runBuildCommand } = apps;
  const { appUrl, builds } = progress;
  const action = (icon: string, label: string, command: BuildCommandId, { platform }: PlatformBuild) => ({
    ...{ icon, label, description: platformName(platform) },
    run: () => runBuildCommand(command, { appUrl, platform }),
  });
  const complete = builds.filter(({ state }) => state === 'complete');
  const perPlatform: readonly BuildAction[] = [
    ...complete
      .filter(isForAndroid)
      .map((build) => action('device-mobile', vscode.l10n.t('Install'), 'appBuild.install', build)),
    ...complete.map((build) => action('cloud-download', vscode.l10n.t('Download'), 'appBuild.downloadBuild', build)),
    ...builds.map((build) => ({
      ...action('output', vscode.l10n.t('Show Log'), 'appBuild.showBuildLog', build),
      ...(build.error !== undefined && { detail: build.error }),
    })),
  ];
  const rest: readonly BuildAction[] = isRunning(progress)
    ? [
        {
          icon: 'debug-stop',
          label: vscode.l10n.t('Cancel Build'),
          description: platformList(getRunningPlatforms(progress)),
          run: () => runBuildCommand('appBuild.cancelBuild', { appUrl }),
        },
        {
          icon: 'eye-closed',
          label: vscode.l10n.t('Stop Watching'),
          detail: vscode.l10n.t('The service continues building.'),
          run: () => stopWatch(progress, dependencies),
        },
      ]
    : [
        {
          icon: 'debug-restart',
          label: vscode.l10n.t('Build Again'),
          run: () => runBuildCommand('appBuild.buildAgain', { appUrl }),
        },
      ];
  const reveal: BuildAction = {
    icon: 'list-tree',
    label: vscode.l10n.t('Show in the App Build View'),
    run: () => tree.reveal(appUrl),
  };
  return [...perPlatform, ...rest, reveal];
}

/** Stops watching the build of the app specified by the argument. Without an argument, the user picks one. */
export async function stopWatching(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, input } = dependencies;
  const running = apps.watcher.all.filter(isRunning);
  const url = getArgumentAddress(argument);
  const requested = argument === undefined ? running : running.filter(({ appUrl }) => appUrl === url);
  if (requested.length === 0) {
    throw new InvalidInputError(sentence('No matching build is being watched.'), undefined, 'none');
  }
  const title = vscode.l10n.t('Stop Watching Build');
  const chosen = await pickBuild(
    requested,
    input,
    title,
    vscode.l10n.t('Which build? The service will keep building it.'),
  );
  stopWatch(chosen, dependencies);
}

function stopWatch({ appUrl, title }: BuildProgress, { apps, notifications }: CommandDependencies): void {
  apps.watcher.stop(appUrl);
  notifications.done(vscode.l10n.t('{0} is no longer watched. The service continues building it.', title));
}

async function pickBuild(
  builds: readonly BuildProgress[],
  input: Input,
  title: string,
  placeholder: string,
): Promise<BuildProgress> {
  const items = builds.map((progress) => ({
    icon: getBuildIcon(progress),
    label: progress.title,
    description: platformsText(progress),
    progress,
  }));
  return (await input.pickUnlessOne(items, { title, placeholder })).progress;
}

/** An app's builds to cancel. Without a platform, all running builds are canceled. */
interface CancelledBuild {
  readonly url: string;
  readonly title: string;
  readonly platform: string | undefined;
}

/**
 * Cancels the builds of an app, of one platform, or of the selected rows. If the service can't cancel them, shows a notification
 * and offers to stop watching.
 */
export async function cancelBuilds(
  dependencies: CommandDependencies,
  argument: unknown,
  selected?: unknown,
): Promise<void> {
  const selection = selectedRows(argument, selected, /^(app|platform);(.*;)?cancel;/);
  if (selection !== undefined) {
    await cancelSelectedBuilds(dependencies, selection);
    return;
  }
  const { apps, notifications } = dependencies;
  const { app, calls, platform } = await askForApp(dependencies, argument, vscode.l10n.t('Cancel Build'));
  const cancelled = await withCallProgress(vscode.l10n.t('Canceling the build of “{0}”', app.title), (signal) =>
    cancel(calls, app, platform, signal),
  );
  if (cancelled.length === 0) {
    const isWatched = apps.watcher.get(app.url) !== undefined;
    const stop = { title: vscode.l10n.t('Stop Watching'), run: () => apps.watcher.stop(app.url) };
    notifications.information(
      vscode.l10n.t('The service can’t cancel the build of “{0}”. It continues until it ends.', app.title),
      ...(isWatched ? [stop] : []),
    );
    return;
  }
  apps.presenter.changed(app.url);
  notifications.done(vscode.l10n.t('The build of “{0}” for {1} was canceled.', app.title, listText(cancelled)));
}

async function cancelSelectedBuilds(dependencies: CommandDependencies, { rows, leftOut }: SelectedRows): Promise<void> {
  const { connections, apps } = dependencies;
  const calls = apps.createCalls(await connections.requireSignedIn());
  const chosen = withoutRepeated(rows.flatMap(toCancelledBuilds));
  if (chosen.length === 0) {
    showNothingToDo(dependencies);
    return;
  }
  const tasks = chosen.map(({ url, title, platform }) => ({
    name: platform === undefined ? title : vscode.l10n.t('{0} for {1}', title, platformName(platform)),
    run: async (signal: AbortSignal) => {
      const app = await calls.get(url, { signal });
      if ((await cancel(calls, app, platform, signal)).length === 0) {
        throw new InvalidInputError(
          sentence('The service can’t cancel the build of “{0}”. It continues until it ends.', app.title),
        );
      }
      return url;
    },
  }));
  const outcome = await runEach(vscode.l10n.t('Canceling builds'), tasks);
  for (const url of new Set(outcome.results)) {
    apps.presenter.changed(url);
  }
  const text = vscode.l10n.t('Builds canceled: {0} of {1}.', outcome.results.length, outcome.total);
  showOutcome(dependencies, outcome, { text, leftOut });
}

/**
 * Cancels the running builds of an app that the service can cancel.
 *
 * @param requested a single platform, or undefined for all platforms.
 * @returns the platforms whose builds were canceled.
 */
async function cancel(
  calls: AppCalls,
  app: App,
  requested: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const running = app.builds
    .filter(({ state, platform }) => isUnderWay(state) && (requested === undefined || platform === requested))
    .map(({ platform }) => platform);
  if (running.length === 0) {
    throw new InvalidInputError(sentence('“{0}” isn’t building.', app.title), undefined, 'refresh');
  }
  const cancellable = running.filter((each) => findOperation(app.resource, 'cancel', each, app.url) !== undefined);
  let latest = app;
  for (const platform of cancellable) {
    latest = await calls.cancel(latest, platform, { signal });
  }
  return cancellable;
}

function toCancelledBuilds(row: TreeNode): readonly CancelledBuild[] {
  if (row instanceof PlatformNode) {
    return [{ url: row.appUrl, title: row.value.appTitle, platform: row.platform }];
  }
  return row instanceof AppNode
    ? [{ url: row.url, title: row.app?.title ?? row.value.label, platform: undefined }]
    : [];
}

/** Removes duplicates, and platforms of apps whose builds will all be canceled. */
function withoutRepeated(all: readonly CancelledBuild[]): readonly CancelledBuild[] {
  const whole = new Set(all.flatMap(({ url, platform }) => (platform === undefined ? [url] : [])));
  const each = all.filter(({ url, platform }) => platform === undefined || !whole.has(url));
  return [...new Map(each.map((one) => [JSON.stringify([one.url, one.platform]), one])).values()];
}
