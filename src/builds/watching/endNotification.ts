import * as vscode from 'vscode';
import type { Configuration, Notify } from '../../workbench/configuration.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import type { NotificationButton, Notifications } from '../../workbench/notifications.ts';
import { isForAndroid } from '../../apps/model/app.ts';
import type { BuildCommandId, BuildSubject, RunBuildCommand } from './buildActions.ts';
import type { BuildProgress, WatchEnd } from './buildProgress.ts';
import { endText } from './buildTexts.ts';
import type { BuildWatcher } from './buildWatcher.ts';

interface EndNotificationDependencies {
  readonly watcher: Pick<BuildWatcher, 'onDidEnd' | 'claimEnd' | 'seen'>;
  readonly configuration: Pick<Configuration, 'notify'>;
  readonly notifications: Pick<Notifications, 'information' | 'warning'>;
  readonly runBuildCommand: RunBuildCommand;
  readonly log: Pick<Log, 'error'>;
  readonly isFocused?: () => boolean;
}

/** Notifies once, in one window, that a build has ended, as the setting says. */
export class EndNotification extends Disposable {
  readonly #dependencies: EndNotificationDependencies;
  /** Addresses of apps with a notification in any case. */
  readonly #awaited = new Set<string>();

  constructor(dependencies: EndNotificationDependencies) {
    super();
    this.#dependencies = dependencies;
    this.register(
      dependencies.watcher.onDidEnd(({ end }) => {
        this.#notify(end).catch((error: unknown) => {
          dependencies.log.error('Telling that a build has ended', error);
        });
      }),
    );
  }

  /** Shows the end of the build that is under way whatever the setting says: the person does not know yet where to look for it. */
  notifyAnyway(appUrl: string): void {
    this.#awaited.add(appUrl);
  }

  async #notify(end: WatchEnd): Promise<void> {
    const { watcher, configuration, notifications, isFocused = () => vscode.window.state.focused } = this.#dependencies;
    if ((end.kind !== 'ended' && end.kind !== 'gone') || !(await watcher.claimEnd(end.progress))) {
      return;
    }
    const { progress } = end;
    if (end.kind === 'gone') {
      this.#awaited.delete(progress.appUrl);
      if (configuration.notify !== 'never') {
        notifications.warning(
          vscode.l10n.t(
            '{0} is no longer at the service, or not for your account: its build is not watched.',
            progress.title,
          ),
        );
      }
      return;
    }
    const failed = progress.builds.some(({ state }) => state === 'failed');
    const isAwaited = this.#awaited.delete(progress.appUrl);
    if (!isAwaited && !isWanted(configuration.notify, failed, isFocused())) {
      return;
    }
    if (failed) {
      notifications.warning(endText(progress), ...this.#failureButtons(progress));
    } else {
      notifications.information(endText(progress), ...this.#successButtons(progress));
    }
  }

  #successButtons(progress: BuildProgress): readonly NotificationButton[] {
    const complete = subjectOf(progress, 'complete');
    const { appUrl } = progress;
    const showLog = this.#button(vscode.l10n.t('Show Log'), 'appBuild.showBuildLog', complete ?? { appUrl });
    if (complete === undefined) {
      return [showLog];
    }
    const install = this.#button(vscode.l10n.t('Install on Device'), 'appBuild.installOnDevice', complete);
    const download = this.#button(vscode.l10n.t('Download'), 'appBuild.downloadBuild', complete);
    const forAndroid = progress.builds.find(isForAndroid);
    if (forAndroid === undefined) {
      return [install, download, showLog];
    }
    // A notification has room for three; the log is a click away in the row.
    const { platform } = forAndroid;
    const title = vscode.l10n.t('Install by Cable');
    return [install, this.#button(title, 'appBuild.installOnConnectedDevice', { appUrl, platform }), download];
  }

  #failureButtons(progress: BuildProgress): readonly NotificationButton[] {
    const { appUrl } = progress;
    const failed = subjectOf(progress, 'failed') ?? { appUrl };
    const complete = subjectOf(progress, 'complete');
    return [
      this.#button(vscode.l10n.t('Show Log'), 'appBuild.showBuildLog', failed),
      ...(complete === undefined ? [] : [this.#button(vscode.l10n.t('Download'), 'appBuild.downloadBuild', complete)]),
      this.#button(vscode.l10n.t('Build Again'), 'appBuild.buildAgain', { appUrl }),
    ];
  }

  /** A person who presses a button has seen how the build ended. */
  #button(title: string, command: BuildCommandId, subject: BuildSubject): NotificationButton {
    const { watcher, runBuildCommand } = this.#dependencies;
    return {
      title,
      run: () => {
        watcher.seen(subject.appUrl);
        return runBuildCommand(command, subject);
      },
    };
  }
}

/** The only platform in such a state; all of the app when there are several. */
function subjectOf({ appUrl, builds }: BuildProgress, state: 'complete' | 'failed'): BuildSubject | undefined {
  const [only, ...others] = builds.filter((build) => build.state === state);
  if (only === undefined) {
    return undefined;
  }
  return others.length === 0 ? { appUrl, platform: only.platform } : { appUrl };
}

function isWanted(notify: Notify, failed: boolean, focused: boolean): boolean {
  switch (notify) {
    case 'always':
      return true;
    case 'whenAway':
      return failed || !focused;
    case 'failures':
      return failed;
    case 'never':
      return false;
  }
}
