import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';

import { BuildServiceError, type Remedy } from '../api/errors/buildServiceError.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { type Sentence, valueText } from '../api/errors/sentence.ts';
import { redact, type Redactor } from '../api/redaction.ts';
import type { Log } from './log.ts';
import { DONE_MESSAGE_MS, MAX_LINE_LENGTH, MESSAGE_DELAY_MS } from './limits.ts';
import { paragraph, plainText } from './texts.ts';

/** The action of a button for a failure. */
type RemedyAction =
  | Exclude<Remedy, 'none' | 'showLog' | 'firstBuild' | 'findAdb'>
  | 'buildFolder'
  | 'createSample'
  | 'getAdb'
  | 'setAdbPath'
  | 'installOverWifi';

/** The action of each button; one without an action isn't shown. */
export type RemedyActions = Readonly<Partial<Record<RemedyAction, () => unknown>>>;

type Severity = 'information' | 'warning' | 'error';

export interface NotificationButton {
  readonly title: string;
  readonly run: () => unknown;
}

/** Translates a sentence that was made by a room that does not know VS Code. */
export function localised({ template, args }: Sentence): string {
  return vscode.l10n.t(template, ...args.map((value) => valueText(value, vscode.env.language)));
}

/** What happened and what to do next, in one text for a person. */
export function describe(error: unknown): string {
  if (error instanceof BuildServiceError) {
    return redact(paragraph([error.what, error.next].filter((part) => part !== undefined).map(localised)));
  }
  return vscode.l10n.t('Something unexpected went wrong. The log has the details.');
}

/**
 * The one place that shows failures and messages. None of its methods waits for the person: a notification stays until it is
 * dismissed.
 */
export class Notifications {
  readonly #log: Log;
  readonly #redactor: Redactor;
  readonly #actions: RemedyActions;
  /** Failures on screen: the same one is not shown twice at once. */
  readonly #showing = new Set<string>();

  /** @param actions what the buttons do when a call names no action of its own. */
  constructor(log: Log, redactor: Redactor, actions: RemedyActions) {
    this.#log = log;
    this.#redactor = redactor;
    this.#actions = actions;
  }

  information(text: string, ...buttons: readonly NotificationButton[]): void {
    void this.#show('information', text, buttons);
  }

  /** Shows a warning that is no failure of ours, with buttons for what one does next. */
  warning(text: string, ...buttons: readonly NotificationButton[]): void {
    void this.#show('warning', text, buttons);
  }

  /** Shows in the status bar, for a moment, that something is done. */
  done(text: string): void {
    vscode.window.setStatusBarMessage(plainText(text), DONE_MESSAGE_MS);
  }

  /**
   * Shows a failure, with the button that helps. A cancellation is silent.
   *
   * @param doing what failed, for the log.
   */
  failure(doing: string, error: unknown, actions: RemedyActions = {}): void {
    if (error instanceof CancelledError || isRefusedConsent(error)) {
      return;
    }
    this.#log.error(doing, error);
    const text = this.#redactor.redact(describe(error));
    // However many calls a lost session fails, a person is asked once to sign in again.
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
   * Runs what a person asked for. A failure is shown; its *Retry* runs it again.
   *
   * @param doing what is done, for the log.
   * @param actionsFor what other buttons do for a failure.
   * @returns what `action` returned; undefined when it failed.
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
    const offered = actionsOf(remedy).flatMap((each) => {
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
    const titles = buttons.map(({ title }) => plainText(title));
    const chosen = await open(severity, plainText(text), titles);
    onAnswered();
    const button = chosen === undefined ? undefined : buttons[titles.indexOf(chosen)];
    if (button !== undefined) {
      await this.run(button.title, button.run);
    }
  }
}

/** Remedies of failures that the log tells nothing more about. */
const KNOWN: readonly Remedy[] = ['openFolder', 'firstBuild', 'findAdb'];

/** The actions that a remedy offers, the best first. */
function actionsOf(remedy: Exclude<Remedy, 'none'>): readonly RemedyAction[] {
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
  // Either the registration or the text that the user typed can be wrong.
  return remedy === 'changeRegistration' ? [remedy, 'retry'] : remedy === 'showLog' ? [] : [remedy];
}

/**
 * Shows at once that a command runs: in the bar of the Resources view, or in the status bar while the view is hidden. VS Code's own
 * progress there is late.
 */
export async function withCommandProgress<T>(
  title: string,
  view: Pick<vscode.TreeView<unknown>, 'visible'>,
  task: () => Promise<T>,
): Promise<T> {
  if (view.visible) {
    return vscode.window.withProgress({ location: { viewId: 'appBuild.resources' } }, task);
  }
  // VS Code sends the message some turns later. Loading the commands would keep the process busy before that.
  const running = setTimeout(MESSAGE_DELAY_MS).then(task);
  vscode.window.setStatusBarMessage(`$(loading~spin) ${plainText(title)}`, running);
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

/** VS Code rejects with this plain error when a person refuses its consent dialog: a cancellation. */
function isRefusedConsent(error: unknown): boolean {
  return error instanceof Error && error.message === 'User did not consent to login.';
}
