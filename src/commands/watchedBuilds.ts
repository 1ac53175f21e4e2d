import * as vscode from 'vscode';
import { InvalidInputError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { stateText } from '../apps/rows/buildState.ts';
import type { BuildProgress } from '../builds/watching/buildProgress.ts';
import { iconOf } from '../builds/watching/buildStatus.ts';
import { isRunning, platformList, platformsText, underWay } from '../builds/watching/buildTexts.ts';
import type { Input, PickItem } from '../workbench/input.ts';
import type { CommandDependencies } from './dependencies.ts';
import { addressOfArgument } from './wizard/appSubject.ts';

interface Action extends PickItem {
  readonly run: () => unknown;
}

/** Lists the builds that are watched, or have ended unseen, and what can be done with one. */
export async function showBuilds(dependencies: CommandDependencies): Promise<void> {
  const { apps, input, notifications } = dependencies;
  const { watcher } = apps;
  if (watcher.all.length === 0) {
    notifications.information(vscode.l10n.t('No build is being watched. One that you start shows here.'));
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

function actionsFor(progress: BuildProgress, dependencies: CommandDependencies): readonly Action[] {
  const { apps, tree } = dependencies;
  const { runBuildCommand } = apps;
  const { appUrl, builds } = progress;
  const complete = builds.filter(({ state }) => state === 'complete');
  const downloads = complete.map(({ platform }) => ({
    icon: 'cloud-download',
    label: vscode.l10n.t('Download'),
    description: platform,
    run: () => runBuildCommand('appBuild.downloadBuild', { appUrl, platform }),
  }));
  const installs = complete.map(({ platform }) => ({
    icon: 'device-mobile',
    label: vscode.l10n.t('Install on Device'),
    description: platform,
    run: () => runBuildCommand('appBuild.installOnDevice', { appUrl, platform }),
  }));
  const logs = builds.map((build) => ({
    icon: 'output',
    label: vscode.l10n.t('Show Log'),
    description: build.platform,
    detail: build.error ?? stateText(build),
    run: () => runBuildCommand('appBuild.showBuildLog', { appUrl, platform: build.platform }),
  }));
  const rest: readonly Action[] = isRunning(progress)
    ? [
        {
          icon: 'debug-stop',
          label: vscode.l10n.t('Cancel Build'),
          description: platformList(underWay(progress)),
          run: () => runBuildCommand('appBuild.cancelBuild', { appUrl }),
        },
        {
          icon: 'eye-closed',
          label: vscode.l10n.t('Stop Watching'),
          detail: vscode.l10n.t('The service goes on building.'),
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
  const reveal: Action = {
    icon: 'list-tree',
    label: vscode.l10n.t('Show in the Resources View'),
    run: () => tree.reveal(appUrl),
  };
  return [...downloads, ...installs, ...logs, ...rest, reveal];
}

/** Stops watching the build of the app that a command's argument names, else of the app that the user picks. */
export async function stopWatching(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, input } = dependencies;
  const running = apps.watcher.all.filter(isRunning);
  const url = addressOfArgument(argument);
  const wanted = argument === undefined ? running : running.filter(({ appUrl }) => appUrl === url);
  if (wanted.length === 0) {
    throw new InvalidInputError(sentence('No build of this kind is being watched.'), undefined, 'none');
  }
  const title = vscode.l10n.t('Stop Watching Build');
  const chosen = await pickBuild(wanted, input, title, vscode.l10n.t('Which build? The service goes on.'));
  stopWatch(chosen, dependencies);
}

function stopWatch({ appUrl, title }: BuildProgress, { apps, notifications }: CommandDependencies): void {
  apps.watcher.stop(appUrl);
  notifications.done(vscode.l10n.t('{0} is no longer watched; the service goes on building.', title));
}

async function pickBuild(
  builds: readonly BuildProgress[],
  input: Input,
  title: string,
  placeholder: string,
): Promise<BuildProgress> {
  const [only, ...others] = builds;
  if (only !== undefined && others.length === 0) {
    return only;
  }
  const items = builds.map((progress) => ({
    icon: iconOf(progress),
    label: progress.title,
    description: platformsText(progress),
    progress,
  }));
  return (await input.pick(items, { title, placeholder })).progress;
}
