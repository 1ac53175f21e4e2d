import * as vscode from 'vscode';
import { describe } from '../../workbench/notifications.ts';
import { spokenText } from '../../workbench/texts.ts';
import { listText } from '../../workbench/values.ts';
import { isUnderWay, type PlatformBuild } from '../../apps/model/app.ts';
import { stateText } from '../../apps/rows/buildState.ts';
import type { BuildProgress } from './buildProgress.ts';

/** Characters of an error that a notification has room for. */
const MAX_ERROR_LENGTH = 200;

/** `android, ios` */
export function platformList(builds: readonly PlatformBuild[]): string {
  return listText(builds.map(({ platform }) => platform));
}

/** The state of each platform, in a line: `android building, ios complete`. */
export function platformsText({ builds }: BuildProgress): string {
  return listText(builds.map((build) => vscode.l10n.t('{0} {1}', build.platform, stateText(build))));
}

/** The state of a build, in a line or two. */
export function progressText(progress: BuildProgress): string {
  const { title, trouble, endedAt } = progress;
  const state = vscode.l10n.t('{0}: {1}', title, platformsText(progress));
  return trouble === undefined || endedAt !== undefined
    ? state
    : `${state}\n${vscode.l10n.t('No answer from the service, which is asked again: {0}', describe(trouble))}`;
}

/** The notification of an end. */
export function endText(progress: BuildProgress): string {
  const { title, builds } = progress;
  const complete = builds.filter(({ state }) => state === 'complete');
  const failed = builds.filter(({ state }) => state === 'failed');
  if (failed.length === 0) {
    return successText(progress, complete);
  }
  const reasons = reasonsText(failed);
  if (complete.length > 0) {
    return reasons === ''
      ? vscode.l10n.t('{0} is built for {1}, but not for {2}.', title, platformList(complete), platformList(failed))
      : vscode.l10n.t(
          '{0} is built for {1}, but not for {2}: {3}',
          ...[title, platformList(complete), platformList(failed), reasons],
        );
  }
  return reasons === ''
    ? vscode.l10n.t('The build of {0} for {1} failed.', title, platformList(failed))
    : vscode.l10n.t('The build of {0} for {1} failed: {2}', title, platformList(failed), reasons);
}

function successText(progress: BuildProgress, complete: readonly PlatformBuild[]): string {
  const { title, builds } = progress;
  if (complete.length === 0) {
    return vscode.l10n.t('The build of {0} has ended: {1}', title, platformsText(progress));
  }
  return complete.length === builds.length
    ? vscode.l10n.t('{0} is built for {1}.', title, platformList(complete))
    : vscode.l10n.t('{0} is built: {1}', title, platformsText(progress));
}

function reasonsText(failed: readonly PlatformBuild[]): string {
  const text = spokenText(failed.map(({ error }) => error));
  return text.length > MAX_ERROR_LENGTH ? `${text.slice(0, MAX_ERROR_LENGTH - 1)}…` : text;
}

/** True while a build runs. */
export function isRunning({ endedAt }: BuildProgress): boolean {
  return endedAt === undefined;
}

/** The platforms that are being built; all that are watched before the first answer. */
export function underWay({ builds }: BuildProgress): readonly PlatformBuild[] {
  const running = builds.filter(({ state }) => isUnderWay(state));
  return running.length > 0 ? running : builds;
}
