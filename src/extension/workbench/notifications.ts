import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';

import { BuildServiceError, CancelledError, formatValue, type Remedy, type Sentence } from '../../errors/index.ts';
import { redact, type Redactor } from '../../service-client/index.ts';
import type { Log } from './log.ts';
import { DONE_MESSAGE_MS, MAX_LINE_LENGTH, MESSAGE_DELAY_MS } from './limits.ts';
import { paragraph, toPlainText } from './texts.ts';

/** Action of a button in a failure notification. */
type RemedyAction =
  | Exclude<Remedy, 'none' | 'showLog' | 'firstBuild' | 'findAdb'>
  | 'buildFolder'
  | 'createSample'
  | 'getAdb'
  | 'setAdbPath'
  | 'installOverWifi';

/** Actions by button. A button without an action isn't shown. */
export type RemedyActions = Readonly<Partial<Record<RemedyAction, () => unknown>>>;

type Severity = 'information' | 'warning' | 'error';

/** Button in a notification. */
export interface NotificationButton {
  readonly title: string;
  readonly run: () => unknown;
}

/** Translates a sentence from code that doesn't depend on VS Code. */
export function localize({ template, args }: Sentence): string {
  return vscode.l10n.t(template, ...args.map((value) => formatValue(value, vscode.env.language)));
}

/** Returns the text of a failure for the user: what happened and what to do next. */
export function describeFailure(error: unknown): string {
  if (error instanceof BuildServiceError) {
    return redact(paragraph([error.what, error.next].filter((part) => part !== undefined).map(localize)));
  }
  return vscode.l10n.t('Something went wrong. See the log for details.');
}

/**
 * Shows failures and messages. No other code does so. The methods don't wait for the user, because a notification stays until it's
 * dismissed.
 */
export class Notifications {
  readonly #log: Log;
  readonly #redactor: Redactor;
  readonly #actions: RemedyActions;
  /** Visible failures. The same failure isn't shown twice at the same time. */
  readonly #showing = new Set<string>();

  /** @param actions default actions of the buttons. */
  constructor(log: Log, redactor: Redactor, actions: RemedyActions) {
    this.#log = log;
    this.#redactor = redactor;
    this.#actions = actions;
  }

  /** Shows information, with buttons for the next step. */
  information(text: string, ...buttons: readonly NotificationButton[]): void {
    void this.#show('information', text, buttons);
  }

  /** Shows a warning that isn't a failure of the extension, with buttons for the next step. */
  warning(text: string, ...buttons: readonly NotificationButton[]): void {
    void this.#show('warning', text, buttons);
  }

  /** Briefly shows in the status bar that an action is done. */
  done(text: string): void {
    vscode.window.setStatusBarMessage(toPlainText(text), DONE_MESSAGE_MS);
  }

  /**
   * Shows a failure with a suitable button. Cancellations aren't shown.
   *
   * @param doing the failed action, for the log.
   * @param actions actions that override the defaults.
   */
  failure(doing: string, error: unknown, actions: RemedyActions = {}): void {
    if (error instanceof CancelledError || isRefusedConsent(error)) {
      return;
    }
    this.#log.error(doing, error);
    const text = this.#redactor.redact(describeFailure(error));
    // When a lost session causes several calls to fail, the user is asked to sign in only once.
    const key = error instanceof BuildServiceError && error.kind === 'unauthorized' ? error.kind : text;
    if (this.#showing.has(key)) {
      return;
    }
    this.#showing.add(key);
    const calm = error instanceof BuildServiceError && error.calm;
    const remedy = error instanceof BuildServiceError ? error.remedy : 'showLog';
    const offers = error instanceof BuildServiceError ? error.offers : [];
    const helpful = offers.length > 0 ? offers : this.#buttonsFor(remedy, calm, { ...this.#actions, ...actions });
    // Without a button, VS Code shows only the first line.
    const buttons = helpful.length > 0 || text.length <= MAX_LINE_LENGTH ? helpful : [this.#showLog];
    void this.#show(calm ? 'information' : 'error', text, buttons, () => this.#showing.delete(key));
  }

  /**
   * Runs an action that the user requested. Shows its failure, with a *Retry* button that runs it again.
   *
   * @param doing the action, for the log.
   * @param actionsFor returns the actions of other buttons for a failure.
   * @returns the result of `action`, or undefined when it failed.
   */
  async run<T>(
    doing: string,
    action: () => T | Promise<T>,
    actionsFor: (error: unknown) => RemedyActions = () => ({}),
  ): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      this.failure(doing, error, { retry: () => this.run(doing, action, actionsFor), ...actionsFor(error) });
      return undefined;
    }
  }

  #buttonsFor(remedy: Remedy, calm: boolean, actions: RemedyActions): readonly NotificationButton[] {
    const titles: Readonly<Record<RemedyAction, string>> = {
      signIn: vscode.l10n.t('Sign In Again'),
      changeRegistration: vscode.l10n.t('Change Registration…'),
      retry: vscode.l10n.t('Retry'),
      refresh: vscode.l10n.t('Refresh'),
      connect: vscode.l10n.t('Connect to a Service…'),
      download: vscode.l10n.t('Download…'),
      getAdb: vscode.l10n.t('Get Platform-Tools'),
      setAdbPath: vscode.l10n.t('Set Path…'),
      installOverWifi: vscode.l10n.t('Install over Wi-Fi…'),
      openFolder: vscode.l10n.t('Open Folder…'),
      createSample: vscode.l10n.t('Create Sample Project…'),
      buildFolder: vscode.l10n.t('Build App'),
    };
    if (remedy === 'none') {
      return [];
    }
    const offered = getRemedyActions(remedy).flatMap((each) => {
      const run = actions[each];
      return run === undefined ? [] : [{ title: titles[each], run }];
    });
    return calm || KNOWN.includes(remedy) ? offered : [...offered, this.#showLog];
  }

  get #showLog(): NotificationButton {
    return { title: vscode.l10n.t('Show Log'), run: () => this.#log.show() };
  }

  async #show(
    severity: Severity,
    text: string,
    buttons: readonly NotificationButton[],
    onAnswered: () => void = () => undefined,
  ): Promise<void> {
    const titles = buttons.map(({ title }) => toPlainText(title));
    const chosen = await open(severity, toPlainText(text), titles);
    onAnswered();
    const button = chosen === undefined ? undefined : buttons[titles.indexOf(chosen)];
    if (button !== undefined) {
      await this.run(button.title, button.run);
    }
  }
}

/** Remedies of failures for which the log has no further details. */
const KNOWN: readonly Remedy[] = ['openFolder', 'firstBuild', 'findAdb'];

/** Returns the actions that a remedy offers, best first. */
function getRemedyActions(remedy: Exclude<Remedy, 'none'>): readonly RemedyAction[] {
  if (remedy === 'firstBuild') {
    return vscode.workspace.workspaceFolders?.[0] !== undefined
      ? ['buildFolder', 'connect']
      : ['createSample', 'openFolder', 'connect'];
  }
  if (remedy === 'findAdb') {
    return ['getAdb', 'setAdbPath', 'installOverWifi'];
  }
  if (remedy === 'openFolder') {
    return [remedy, 'createSample'];
  }
  // Either the registration or the user's input may be wrong.
  return remedy === 'changeRegistration' ? [remedy, 'retry'] : remedy === 'showLog' ? [] : [remedy];
}

/**
 * Shows immediately that a command is running: in the progress bar of the Resources view, or in the status bar while
 * the view is hidden. VS Code's own status bar progress appears late.
 */
export async function withCommandProgress<T>(
  title: string,
  view: Pick<vscode.TreeView<unknown>, 'visible'>,
  task: () => Promise<T>,
): Promise<T> {
  if (view.visible) {
    return vscode.window.withProgress({ location: { viewId: 'appBuild.resources' } }, task);
  }
  // VS Code sends the message a few turns of the event loop later. Loading the commands first would block the process.
  const running = setTimeout(MESSAGE_DELAY_MS).then(task);
  vscode.window.setStatusBarMessage(`$(loading~spin) ${toPlainText(title)}`, running);
  return running;
}

function open(severity: Severity, text: string, buttons: readonly string[]): Thenable<string | undefined> {
  switch (severity) {
    case 'information':
      return vscode.window.showInformationMessage(text, ...buttons);
    case 'warning':
      return vscode.window.showWarningMessage(text, ...buttons);
    case 'error':
      return vscode.window.showErrorMessage(text, ...buttons);
  }
}

/**
 * Reports whether the user refused VS Code's consent dialog. VS Code rejects with this plain error, which counts as a
 * cancellation.
 */
function isRefusedConsent(error: unknown): boolean {
  return error instanceof Error && error.message === 'User did not consent to login.';
}
