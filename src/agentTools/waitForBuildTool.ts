import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { type App, type PlatformBuild, isUnderWay } from '../apps/model/app.ts';
import { watchRunning } from '../builds/startBuild.ts';
import type { WatchEnd } from '../builds/watching/buildProgress.ts';
import { AgentTool } from './agentTool.ts';
import { buildsReport, DATA_NOTE, pathOfLink } from './report.ts';
import { textOrNumber, toolInput, wholeNumber } from './toolInput.ts';
import { appOf } from './toolSubjects.ts';

const INPUT = toolInput(
  { app: textOrNumber(), seconds: wholeNumber(1, 60) },
  '{"app": "/api/v1/apps/1", "seconds": 30}',
);

/**
 * The tool `appBuild_wait_for_build`: waits until the builds of an app have ended, or for so long. The watcher of builds asks the
 * service, as often as for a user.
 */
export class WaitForBuildTool extends AgentTool<z.infer<typeof INPUT>> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Waiting for the build');

  protected async run({ app: wanted, seconds = 30 }: z.infer<typeof INPUT>, signal: AbortSignal): Promise<object> {
    const account = await this.account(signal);
    const { apps } = account;
    const { watcher } = apps;
    const app = await appOf(wanted, account);
    if (!watcher.isWatching(app.url) && !watchRunning(apps, app)) {
      return this.#report(app, app.builds, true);
    }
    const timeout = AbortSignal.timeout(seconds * 1000);
    let end: WatchEnd;
    try {
      end = await watcher.whenEnded(app.url, AbortSignal.any([signal, timeout]));
    } catch (error) {
      if (!(error instanceof CancelledError) || signal.aborted) {
        throw error;
      }
      const progress = watcher.of(app.url);
      return {
        ...this.#report(app, progress?.builds ?? app.builds, false),
        ...(progress?.trouble !== undefined && {
          last_question_failed: this.asData(this.failureText(progress.trouble)),
        }),
      };
    }
    if (end.kind === 'ended') {
      return this.#report(app, end.progress.builds, true);
    }
    // The answer says why there is no more to wait for, or how the builds stand.
    const { builds } = await appOf(app.url, await this.account(signal));
    return this.#report(app, builds, !builds.some(({ state }) => isUnderWay(state)));
  }

  #report(app: App, builds: readonly PlatformBuild[], isOver: boolean): object {
    return {
      app: pathOfLink(app.url),
      is_over: isOver,
      said_by_service: { builds: buildsReport(builds, this.asData) },
      next: isOver ? nextStep(builds) : 'It is still being built. Call appBuild_wait_for_build again.',
      note: DATA_NOTE,
    };
  }
}

/** The next step of an agent, once builds have ended. */
function nextStep(builds: readonly Pick<PlatformBuild, 'state'>[]): string {
  if (builds.some(({ state }) => state === 'failed')) {
    return 'Call appBuild_explain_failure with this app and the platform that failed.';
  }
  return builds.some(({ state }) => state === 'complete')
    ? 'Call appBuild_download_build with this app and a platform that is complete, if the user wants the file.'
    : 'Call appBuild_build_app to build it.';
}
