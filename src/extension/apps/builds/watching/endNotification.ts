import * as vscode from 'vscode';
import type { Configuration, NotifySetting } from '../../../workbench/configuration.ts';
import { Disposable } from '../../../workbench/disposable.ts';
import type { NotificationButton, Notifications } from '../../../workbench/notifications.ts';
import { isForAndroid } from '../../model/app.ts';
import { appProblems, findBuildProblem } from '../../../../web-project/index.ts';
import { findingsAbout } from '../../../preflight/failedBuild.ts';
import type { RemedyButtons } from '../buildDecisions.ts';
import type { BuildCommandId, BuildSubject, RunBuildCommand } from './buildProgress.ts';
import type { BuildProgress, WatchEnd } from './buildProgress.ts';
import { endText, formatGoneApp } from './buildTexts.ts';
import type { BuildWatcher } from './buildWatcher.ts';
import type { Finding } from '../../../preflight/finding.ts';

interface EndNotificationDependencies {
  readonly watcher: Pick<BuildWatcher, 'onDidEnd' | 'seen'>;
  readonly configuration: Pick<Configuration, 'notify'>;
  readonly notifications: Pick<Notifications, 'information' | 'warning'>;
  readonly runBuildCommand: RunBuildCommand;
}

/** Information about a running build for the notification that it has ended. */
export interface ExpectedEnd {
  /** Whether to ignore the setting, because the user doesn't yet know where else to look. */
  readonly always: boolean;
  /** Findings about the uploaded package. */
  readonly findings: readonly Finding[];
  readonly show: () => unknown;
  readonly remedies: RemedyButtons;
}

/** Notifies the user when one of this window's builds has ended, depending on the setting. */
export class EndNotification extends Disposable {
  readonly #dependencies: EndNotificationDependencies;
  /** Running builds, by app address. */
  readonly #expected = new Map<string, ExpectedEnd>();
  /** Problems in the last notification, by app address. The same problems don't cause another notification. */
  readonly #notified = new Map<string, string>();

  constructor(dependencies: EndNotificationDependencies) {
    super();
    this.#dependencies = dependencies;
    this.register(dependencies.watcher.onDidEnd(({ appUrl, end }) => this.#notify(appUrl, end)));
  }

  /** Registers a build that has started. */
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
        notifications.warning(formatGoneApp(progress));
      }
      return;
    }
    const failed = progress.builds.some(({ state }) => state === 'failed');
    const problems = expected === undefined ? [] : appProblems(expected.findings);
    const texts = JSON.stringify(problems.map(({ message }) => message));
    const isNews = problems.length > 0 && this.#notified.get(appUrl) !== texts;
    if (
      expected?.always !== true &&
      !shouldNotify(configuration.notify, failed || isNews, vscode.window.state.focused)
    ) {
      return;
    }
    this.#notified.set(appUrl, texts);
    const text = endText(progress, problems.length);
    if (failed) {
      notifications.warning(text, ...this.#failureButtons(progress, expected));
    } else if (problems.length > 0 && expected !== undefined) {
      notifications.warning(text, showProblems(expected), ...this.#successButtons(progress, true).slice(0, 2));
    } else {
      notifications.information(text, ...this.#successButtons(progress, expected !== undefined));
    }
  }

  /** @param isFolderBuild true if a folder of this window was built, so that its pages can be previewed. */
  #successButtons(progress: BuildProgress, isFolderBuild: boolean): readonly NotificationButton[] {
    const { appUrl } = progress;
    const complete = findSubject(progress, 'complete');
    if (complete === undefined) {
      return [this.#button(vscode.l10n.t('Show Log'), 'appBuild.showBuildLog', { appUrl })];
    }
    const forAndroid = progress.builds.find(isForAndroid);
    const subject = forAndroid && { appUrl, platform: forAndroid.platform };
    return [
      ...(subject === undefined ? [] : [this.#button(vscode.l10n.t('Install'), 'appBuild.install', subject)]),
      ...(isFolderBuild ? [this.#button(vscode.l10n.t('Preview'), 'appBuild.preview', { appUrl })] : []),
      this.#button(vscode.l10n.t('Download'), 'appBuild.downloadBuild', complete),
    ];
  }

  /**
   * Returns the buttons for failed builds. Offers to build again only if the reason is unknown. Otherwise, the next build would just fail
   * again.
   */
  #failureButtons(progress: BuildProgress, expected: ExpectedEnd | undefined): readonly NotificationButton[] {
    const { appUrl } = progress;
    const failed = findSubject(progress, 'failed') ?? { appUrl };
    const complete = findSubject(progress, 'complete');
    const about = progress.builds.flatMap((build) =>
      build.state === 'failed' ? findingsAbout(expected?.findings ?? [], build) : [],
    );
    const remedies = about.length === 0 ? [] : (expected?.remedies(about) ?? []);
    const isFound = expected?.findings.some(({ verdict }) => verdict !== 'fine') === true;
    const isKnown = progress.builds.some(
      ({ state, error }) => state === 'failed' && findBuildProblem(error ?? '') !== undefined,
    );
    return [
      // Notifications have room for three buttons. A remedy helps more than the list of findings.
      ...remedies.slice(0, complete === undefined ? 2 : 1),
      ...(expected !== undefined && isFound && isKnown && remedies.length === 0 ? [showProblems(expected)] : []),
      this.#button(vscode.l10n.t('Show Log'), 'appBuild.showBuildLog', failed),
      ...(complete === undefined ? [] : [this.#button(vscode.l10n.t('Download'), 'appBuild.downloadBuild', complete)]),
      ...(isKnown ? [] : [this.#button(vscode.l10n.t('Build Again'), 'appBuild.buildAgain', { appUrl })]),
    ];
  }

  /** Creates a button that also marks the build as seen. */
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

/** Returns the only build in a state, or the whole app if several builds are in it. */
function findSubject({ appUrl, builds }: BuildProgress, state: 'complete' | 'failed'): BuildSubject | undefined {
  const [only, ...others] = builds.filter((build) => build.state === state);
  if (only === undefined) {
    return undefined;
  }
  return others.length === 0 ? { appUrl, platform: only.platform } : { appUrl };
}

function shouldNotify(notify: NotifySetting, failed: boolean, focused: boolean): boolean {
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
