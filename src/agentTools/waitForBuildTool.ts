import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { type App, type PlatformBuild, isUnderWay } from '../apps/model/app.ts';
import { watchRunning } from '../builds/startBuild.ts';
import type { WatchEnd } from '../builds/watching/buildProgress.ts';
import type { BuildWatcher } from '../builds/watching/buildWatcher.ts';
import { AgentTool } from './agentTool.ts';
import { appOf } from './toolSubjects.ts';
import { buildsReport, nextOf, DATA_NOTE, pathOfLink } from './report.ts';
import { argumentsOf, numberOf, textOrNumberOf } from './toolInput.ts';

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 60;

/**
 * The tool `appBuild_wait_for_build`: waits until the builds of an app have ended, or for so long. The service is asked by the
 * watcher of builds, as often as for a person.
 */
export class WaitForBuildTool extends AgentTool {
  protected get invocationMessage(): string {
    return vscode.l10n.t('Waiting for the build');
  }

  protected async run(input: unknown, signal: AbortSignal): Promise<object> {
    const values = argumentsOf(input, '{"app": "/api/v1/apps/1", "seconds": 30}');
    const wanted = textOrNumberOf(values, 'app');
    const seconds = numberOf(values, 'seconds', { min: 1, max: MAX_SECONDS }) ?? DEFAULT_SECONDS;
    const account = await this.account(signal);
    const { apps } = account;
    const { watcher } = apps;
    const app = await appOf(wanted, account);
    if (!watcher.isWatching(app.url) && !watchRunning(apps, app)) {
      return this.#report(app, app.builds, true);
    }
    const end = await endOf(watcher, app.url, seconds * 1000, signal);
    switch (end?.kind) {
      case 'ended':
        return this.#report(app, end.progress.builds, true);
      case 'gone':
      case 'signedOut':
      case 'stopped': {
        // The answer says why there is no more to wait for, or how the builds stand.
        const { builds } = await appOf(app.url, await this.account(signal));
        return this.#report(app, builds, !builds.some(({ state }) => isUnderWay(state)));
      }
      case undefined: {
        const progress = watcher.of(app.url);
        return {
          ...this.#report(app, progress?.builds ?? app.builds, false),
          ...(progress?.trouble !== undefined && {
            last_question_failed: this.asData(this.failureText(progress.trouble)),
          }),
        };
      }
    }
  }

  #report(app: App, builds: readonly PlatformBuild[], isOver: boolean): object {
    return {
      app: pathOfLink(app.url),
      is_over: isOver,
      said_by_service: { builds: buildsReport(builds, this.asData) },
      next: isOver ? nextOf(builds) : 'It is still being built. Call appBuild_wait_for_build again.',
      note: DATA_NOTE,
    };
  }
}

/** How the watch of an app has ended; undefined when it has not within that time. @throws CancelledError when the signal aborts */
async function endOf(
  watcher: BuildWatcher,
  url: string,
  milliseconds: number,
  signal: AbortSignal,
): Promise<WatchEnd | undefined> {
  const timeout = AbortSignal.timeout(milliseconds);
  try {
    return await watcher.whenEnded(url, AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (error instanceof CancelledError && timeout.aborted && !signal.aborted) {
      return undefined;
    }
    throw error;
  }
}
