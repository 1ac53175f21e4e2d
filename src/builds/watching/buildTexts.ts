import * as vscode from 'vscode';
import { label } from '../../api/hypermedia/label.ts';
import { describe } from '../../workbench/notifications.ts';
import { spokenText, listText } from '../../workbench/texts.ts';
import { isUnderWay, type PlatformBuild } from '../../apps/model/app.ts';
import { platformName, stateText } from '../../apps/rows/rowTexts.ts';
import type { BuildProgress } from './buildProgress.ts';

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

/** The notification of an end. @param problems number of problems that may keep the app from working. */
export function endText(progress: BuildProgress, problems: number): string {
  const { builds } = progress;
  const complete = builds.filter(({ state }) => state === 'complete');
  const failed = builds.filter(({ state }) => state === 'failed');
  const app = nameOf(progress);
  if (failed.length === 0) {
    return successText(progress, complete, problems);
  }
  const reasons = reasonsText(failed);
  if (complete.length > 0) {
    return reasons === ''
      ? vscode.l10n.t('{0} for {1} is ready, but the build for {2} failed.', app, namesOf(complete), namesOf(failed))
      : vscode.l10n.t(
          '{0} for {1} is ready, but the build for {2} failed: {3}',
          ...[app, namesOf(complete), namesOf(failed), reasons],
        );
  }
  return reasons === ''
    ? vscode.l10n.t('The build of {0} for {1} failed.', app, namesOf(failed))
    : vscode.l10n.t('The build of {0} for {1} failed: {2}', app, namesOf(failed), reasons);
}

function successText(progress: BuildProgress, complete: readonly PlatformBuild[], problems: number): string {
  const app = nameOf(progress);
  if (complete.length === 0) {
    return vscode.l10n.t('The build of {0} has ended: {1}', app, platformsText(progress));
  }
  if (problems > 0) {
    return problems === 1
      ? vscode.l10n.t('{0} for {1} is ready, but 1 problem may keep it from working.', app, namesOf(complete))
      : vscode.l10n.t(
          '{0} for {1} is ready, but {2} problems may keep it from working.',
          ...[app, namesOf(complete), problems],
        );
  }
  if (complete.length < progress.builds.length) {
    return vscode.l10n.t('{0} is ready: {1}', app, platformsText(progress));
  }
  return complete.some(({ bundleUrl }) => bundleUrl !== undefined)
    ? vscode.l10n.t('{0} for {1} is ready, with a bundle for Google Play.', app, namesOf(complete))
    : vscode.l10n.t('{0} for {1} is ready.', app, namesOf(complete));
}

/** `Tally 1.0.0` */
function nameOf({ title, version }: BuildProgress): string {
  return version === undefined ? title : `${title} ${version}`;
}

/** `Android, iOS` */
function namesOf(builds: readonly PlatformBuild[]): string {
  return listText(builds.map(({ platform }) => platformName(platform)));
}

function reasonsText(failed: readonly PlatformBuild[]): string {
  return label(spokenText(failed.map(({ error }) => error)));
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
