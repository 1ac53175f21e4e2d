import * as vscode from 'vscode';
import type { Configuration, Notify } from '../../workbench/configuration.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { NotificationButton, Notifications } from '../../workbench/notifications.ts';
import { isForAndroid } from '../../apps/model/app.ts';
import { problemOf } from '../../projects/preflight/buildFailure.ts';
import { appProblems, type Finding } from '../../projects/preflight/finding.ts';
import type { BuildCommandId, BuildSubject, RunBuildCommand } from './buildProgress.ts';
import type { BuildProgress, WatchEnd } from './buildProgress.ts';
import { endText } from './buildTexts.ts';
import type { BuildWatcher } from './buildWatcher.ts';

interface EndNotificationDependencies {
  readonly watcher: Pick<BuildWatcher, 'onDidEnd' | 'seen'>;
  readonly configuration: Pick<Configuration, 'notify'>;
  readonly notifications: Pick<Notifications, 'information' | 'warning'>;
  readonly runBuildCommand: RunBuildCommand;
}

/** What the notification of a build's end needs to know before it ends. */
export interface ExpectedEnd {
  /** Ignores the setting: the user doesn't know yet where else to look. */
  readonly always: boolean;
  /** Findings about the package that was sent. */
  readonly findings: readonly Finding[];
  /** Shows these findings. */
  readonly show: () => unknown;
}

/** Notifies once that a build of this window has ended, depending on the setting. */
export class EndNotification extends Disposable {
  readonly #dependencies: EndNotificationDependencies;
  /** For the build that is under way, by the address of the app. */
  readonly #expected = new Map<string, ExpectedEnd>();
  /** The problems in the last notification, by the address of the app. They don't cause another one on their own. */
  readonly #notified = new Map<string, string>();

  constructor(dependencies: EndNotificationDependencies) {
    super();
    this.#dependencies = dependencies;
    this.register(dependencies.watcher.onDidEnd(({ appUrl, end }) => this.#notify(appUrl, end)));
  }

  /** Called when the build has started. */
  expect(appUrl: string, expected: ExpectedEnd): void {
    this.#expected.set(appUrl, expected);
  }

  #notify(appUrl: string, end: WatchEnd): void {
    const { configuration, notifications } = this.#dependencies;
    const expected = this.#expected.get(appUrl);
    this.#expected.delete(appUrl);
    if (end.kind === 'signedOut' || end.kind === 'stopped') {
      return;
    }
    const { progress } = end;
    if (end.kind === 'gone') {
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
    const problems = expected === undefined ? [] : appProblems(expected.findings);
    const texts = JSON.stringify(problems.map(({ message }) => message));
    const isNews = problems.length > 0 && this.#notified.get(appUrl) !== texts;
    if (expected?.always !== true && !isWanted(configuration.notify, failed || isNews, vscode.window.state.focused)) {
      return;
    }
    this.#notified.set(appUrl, texts);
    const text = endText(progress, problems.length);
    if (failed) {
      notifications.warning(text, ...this.#failureButtons(progress, expected));
    } else if (problems.length > 0 && expected !== undefined) {
      notifications.warning(text, showProblems(expected), ...this.#successButtons(progress).slice(0, 2));
    } else {
      notifications.information(text, ...this.#successButtons(progress));
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

  /** Offers another build only if the reason is unknown: otherwise it fails again until the reason is gone. */
  #failureButtons(progress: BuildProgress, expected: ExpectedEnd | undefined): readonly NotificationButton[] {
    const { appUrl } = progress;
    const failed = subjectOf(progress, 'failed') ?? { appUrl };
    const complete = subjectOf(progress, 'complete');
    const isFound = expected?.findings.some(({ verdict }) => verdict !== 'fine') === true;
    const isKnown = progress.builds.some(
      ({ state, error }) => state === 'failed' && problemOf(error ?? '') !== undefined,
    );
    return [
      ...(expected !== undefined && isFound && isKnown ? [showProblems(expected)] : []),
      this.#button(vscode.l10n.t('Show Log'), 'appBuild.showBuildLog', failed),
      ...(complete === undefined ? [] : [this.#button(vscode.l10n.t('Download'), 'appBuild.downloadBuild', complete)]),
      ...(isKnown ? [] : [this.#button(vscode.l10n.t('Build Again'), 'appBuild.buildAgain', { appUrl })]),
    ];
  }

  /** Who presses a button has seen how the build ended. */
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

function showProblems({ show }: ExpectedEnd): NotificationButton {
  return { title: vscode.l10n.t('Show Problems'), run: show };
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
