import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { BuildServiceError, type Remedy } from '../api/errors/buildServiceError.ts';
import type { Sentence } from '../api/errors/sentence.ts';
import { redact, type Redactor } from '../api/redaction.ts';
import { withoutLinks } from './inert.ts';
import type { Log } from './log.ts';

/** What a button of an error notification does; a remedy without an action shows no button. */
export type RemedyActions = Partial<Record<Exclude<Remedy, 'none' | 'showLog'>, () => unknown>>;

/** Translates a sentence that a room without VS Code made. */
export function localised({ template, args }: Sentence): string {
  return vscode.l10n.t(template, ...args);
}

/** What happened and what to do next, in one text for a person. */
export function describe(error: unknown): string {
  if (error instanceof BuildServiceError) {
    return redact(
      [error.what, error.next]
        .filter((part) => part !== undefined)
        .map(localised)
        .map(ended)
        .join(' '),
    );
  }
  return vscode.l10n.t('Something unexpected went wrong. The log has the details.');
}

/** A service's own words often lack the full stop that sets them off from what follows. */
function ended(text: string): string {
  return /[.!?…”]$/.test(text) ? text : `${text}.`;
}

/** The one place that shows a failure to a person. */
export class Notifications {
  readonly #log: Log;
  readonly #redactor: Redactor;
  readonly #actions: RemedyActions;
  /** Texts on screen: the same failure is not shown twice at once. */
  readonly #showing = new Set<string>();

  /** `actions` are what the buttons do when a call names none of its own. */
  constructor(log: Log, redactor: Redactor, actions: RemedyActions) {
    this.#log = log;
    this.#redactor = redactor;
    this.#actions = actions;
  }

  /**
   * Shows one notification for a failure, with the button that helps. A cancellation is silent. Does not wait for the
   * person: the notification stays until it is dismissed.
   */
  failure(doing: string, error: unknown, actions: RemedyActions = {}): void {
    if (error instanceof CancelledError || isRefusedConsent(error)) {
      return;
    }
    this.#log.error(doing, error);
    // A service's words are no links: VS Code would run a command for one.
    const text = withoutLinks(this.#redactor.redact(describe(error)));
    // However many calls a lost session fails, a person is asked once to sign in again.
    const key = error instanceof BuildServiceError && error.kind === 'unauthorized' ? error.kind : text;
    if (this.#showing.has(key)) {
      return;
    }
    this.#showing.add(key);
    const remedy = error instanceof BuildServiceError ? error.remedy : 'showLog';
    const calm = error instanceof BuildServiceError && error.calm;
    void this.#show(text, remedy, calm, { ...this.#actions, ...actions }).finally(() => this.#showing.delete(key));
  }

  async #show(text: string, remedy: Remedy, calm: boolean, actions: RemedyActions): Promise<void> {
    const showLog = vscode.l10n.t('Show Log');
    const titles: Record<keyof RemedyActions, string> = {
      signIn: vscode.l10n.t('Sign In Again'),
      retry: vscode.l10n.t('Retry'),
      refresh: vscode.l10n.t('Refresh'),
      connect: vscode.l10n.t('Connect to a Service…'),
      download: vscode.l10n.t('Download…'),
    };
    const button = remedy === 'none' || remedy === 'showLog' ? undefined : remedy;
    const action = button && actions[button];
    const buttons = [
      ...(action !== undefined && button !== undefined ? [titles[button]] : []),
      ...(remedy === 'none' || calm ? [] : [showLog]),
    ];
    const chosen = await (calm
      ? vscode.window.showInformationMessage(text, ...buttons)
      : vscode.window.showErrorMessage(text, ...buttons));
    if (chosen === showLog) {
      this.#log.show();
    } else if (chosen !== undefined) {
      await action?.();
    }
  }
}

/** VS Code rejects with this plain error when a person refuses its consent dialog: a cancellation. */
function isRefusedConsent(error: unknown): boolean {
  return error instanceof Error && error.message === 'User did not consent to login.';
}
