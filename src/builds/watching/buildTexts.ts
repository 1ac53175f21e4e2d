import * as vscode from 'vscode';
import { label } from '../../api/hypermedia/label.ts';
import { describe } from '../../workbench/notifications.ts';
import { lineOf, listText, shortened, sizeText, spokenText } from '../../workbench/texts.ts';
import { isUnderWay, type PlatformBuild, platformName } from '../../apps/model/app.ts';
import { stateText } from '../../apps/rows/rowTexts.ts';
import type { BuildProgress } from './buildProgress.ts';

/** The state of each platform, in a line: `Android building, iOS complete`. */
export function platformsText({ builds }: BuildProgress): string {
  return listText(builds.map((build) => vscode.l10n.t('{0} {1}', platformName(build.platform), stateText(build))));
}

/** The state of a build, in a line or two. */
export function progressText(progress: BuildProgress): string {
  const { title, trouble, endedAt } = progress;
  const state = vscode.l10n.t('{0}: {1}', title, platformsText(progress));
  return trouble === undefined || endedAt !== undefined
    ? state
    : `${state}\n${vscode.l10n.t('No answer from the service, which is asked again: {0}', describe(trouble))}`;
}

/** The notification of an end, in one line. @param problems number of problems that may keep the app from working. */
export function endText(progress: BuildProgress, problems: number): string {
  const app = nameOf(progress);
  const complete = progress.builds.filter(({ state }) => state === 'complete');
  const failed = progress.builds.filter(({ state }) => state === 'failed');
  const [ready, unready] = [platformList(complete), platformList(failed)];
  if (failed.length > 0) {
    const reason = label(spokenText(failed.map(({ error }) => error)));
    return complete.length > 0
      ? lineOf(
          vscode.l10n.t('{0} is ready for {1}, but failed for {2}.', app, ready, unready),
          vscode.l10n.t('The build of {0} failed.', app),
        )
      : lineOf(
          ...(reason === '' ? [] : [vscode.l10n.t('The build of {0} for {1} failed: {2}', app, unready, reason)]),
          vscode.l10n.t('The build of {0} for {1} failed.', app, unready),
          vscode.l10n.t('The build of {0} failed.', app),
        );
  }
  if (complete.length === 0) {
    return lineOf(
      vscode.l10n.t('The build of {0} has ended: {1}', app, platformsText(progress)),
      vscode.l10n.t('The build of {0} has ended.', app),
    );
  }
  if (problems > 0) {
    return problems === 1
      ? vscode.l10n.t('{0} is ready, with 1 problem.', app)
      : vscode.l10n.t('{0} is ready, with {1} problems.', app, problems);
  }
  const size = complete.length === 1 ? complete[0]?.size : undefined;
  return lineOf(
    ...(size === undefined ? [] : [vscode.l10n.t('{0} for {1} is ready ({2}).', app, ready, sizeText(size))]),
    vscode.l10n.t('{0} for {1} is ready.', app, ready),
    vscode.l10n.t('{0} is ready.', app),
  );
}

/** The notification when an app was deleted, or taken from the account, while it was built. */
export function goneText(progress: BuildProgress): string {
  return vscode.l10n.t('{0} is no longer at the service.', nameOf(progress));
}

/** `Tally 1.0.0`. A long title is cut, so that there is room for the rest of the line. */
function nameOf({ title, version }: BuildProgress): string {
  const short = shortened(title, MAX_TITLE_LENGTH);
  return version === undefined ? short : `${short} ${version}`;
}

const MAX_TITLE_LENGTH = 24;

/** `Android, iOS` */
export function platformList(builds: readonly PlatformBuild[]): string {
  return listText(builds.map(({ platform }) => platformName(platform)));
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
