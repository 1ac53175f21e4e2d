import * as vscode from 'vscode';
import { label } from '../../../../service-client/index.ts';
import { describeFailure } from '../../../workbench/notifications.ts';
import { chooseLine, listText, shortened, sizeText, toSpokenText } from '../../../workbench/texts.ts';
import { isUnderWay, type PlatformBuild } from '../../model/app.ts';
import { stateText } from '../../rows/rowTexts.ts';
import type { BuildProgress } from './buildProgress.ts';
import { platformName } from '../../../../web-project/index.ts';

/** Returns the state of each platform on one line, such as `Android building, iOS complete`. */
export function platformsText({ builds }: BuildProgress): string {
  return listText(builds.map((build) => vscode.l10n.t('{0} {1}', platformName(build.platform), stateText(build))));
}

/** Returns the state of a build on one or two lines. */
export function progressText(progress: BuildProgress): string {
  const { title, trouble, endedAt } = progress;
  const state = vscode.l10n.t('{0}: {1}', title, platformsText(progress));
  return trouble === undefined || endedAt !== undefined
    ? state
    : `${state}\n${vscode.l10n.t('No response from the service. Retrying: {0}', describeFailure(trouble))}`;
}

/**
 * Returns the one-line text of the notification that a build has ended.
 *
 * @param problems number of problems that may keep the app from working.
 */
export function endText(progress: BuildProgress, problems: number): string {
  const app = getBuildName(progress);
  const complete = progress.builds.filter(({ state }) => state === 'complete');
  const failed = progress.builds.filter(({ state }) => state === 'failed');
  const [ready, unready] = [platformList(complete), platformList(failed)];
  if (failed.length > 0) {
    const reason = label(toSpokenText(failed.map(({ error }) => error)));
    return complete.length > 0
      ? chooseLine(
          vscode.l10n.t('{0} is ready for {1}, but failed for {2}.', app, ready, unready),
          vscode.l10n.t('The build of {0} failed.', app),
        )
      : chooseLine(
          ...(reason === '' ? [] : [vscode.l10n.t('The build of {0} for {1} failed: {2}', app, unready, reason)]),
          vscode.l10n.t('The build of {0} for {1} failed.', app, unready),
          vscode.l10n.t('The build of {0} failed.', app),
        );
  }
  if (complete.length === 0) {
    return chooseLine(
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
  return chooseLine(
    ...(size === undefined ? [] : [vscode.l10n.t('{0} for {1} is ready ({2}).', app, ready, sizeText(size))]),
    vscode.l10n.t('{0} for {1} is ready.', app, ready),
    vscode.l10n.t('{0} is ready.', app),
  );
}

/** Returns the notification for an app that was deleted, or removed from the account, during its build. */
export function formatGoneApp(progress: BuildProgress): string {
  return vscode.l10n.t('{0} no longer exists at the service.', getBuildName(progress));
}

/** Returns the app's title and version, such as `Tally 1.0.0`. Shortens a long title to leave room for the rest of the line. */
function getBuildName({ title, version }: BuildProgress): string {
  const short = shortened(title, MAX_TITLE_LENGTH);
  return version === undefined ? short : `${short} ${version}`;
}

const MAX_TITLE_LENGTH = 24;

/** Returns the names of the platforms, such as `Android, iOS`. */
export function platformList(builds: readonly PlatformBuild[]): string {
  return listText(builds.map(({ platform }) => platformName(platform)));
}

/** Reports whether a build is running. */
export function isRunning({ endedAt }: BuildProgress): boolean {
  return endedAt === undefined;
}

/** Returns the platforms that are being built, or all watched platforms before the first response. */
export function getRunningPlatforms({ builds }: BuildProgress): readonly PlatformBuild[] {
  const running = builds.filter(({ state }) => isUnderWay(state));
  return running.length > 0 ? running : builds;
}
