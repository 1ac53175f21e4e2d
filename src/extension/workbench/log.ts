import * as vscode from 'vscode';
import { BuildServiceError, CancelledError } from '../../errors/index.ts';
import type { LoggedExchange, Redactor } from '../../service-client/index.ts';
import { Disposable } from './disposable.ts';
import { MAX_NAMED } from './limits.ts';

/** Log entry with its time in ms since the epoch. */
export type LogEntry<T> = T & { readonly time: number };

/** Logged failure. It isn't redacted. */
export interface LoggedFailure {
  /** The failed action: a command ID or a few fixed words. */
  readonly doing: string;
  readonly error: unknown;
}

/** Output channel of the extension. Secrets are redacted from all messages. */
export class Log extends Disposable {
  readonly #redactor: Redactor;
  readonly #channel = this.register(vscode.window.createOutputChannel('Application Build Service', { log: true }));
  #recentFailures: readonly LogEntry<LoggedFailure>[] = [];

  constructor(redactor: Redactor) {
    super();
    this.#redactor = redactor;
  }

  /** Latest failures, oldest first. */
  get recentFailures(): readonly LogEntry<LoggedFailure>[] {
    return this.#recentFailures;
  }

  info(message: string): void {
    this.#channel.info(this.#redactor.redact(message));
  }

  warn(message: string): void {
    this.#channel.warn(this.#redactor.redact(message));
  }

  /**
   * Logs a failure: an expected one as one line, any other one with its stack for a bug report. Cancellations are
   * ignored.
   *
   * @param doing the failed action.
   */
  error(doing: string, error: unknown): void {
    if (error instanceof CancelledError) {
      return;
    }
    this.#recentFailures = [...this.#recentFailures, { doing, error, time: Date.now() }].slice(-MAX_NAMED);
    const detail =
      error instanceof BuildServiceError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    this.#channel.error(this.#redactor.redact(`${doing}: ${detail}`));
  }

  /** Logs a request in one line: method, path without query values, status, and duration in ms. */
  exchange({ method, path, status, milliseconds, error }: LoggedExchange): void {
    const line = `${method} ${path} → ${status ?? error?.message ?? ''} (${Math.round(milliseconds)} ms)`;
    if (status === undefined || status >= 400) {
      this.#channel.warn(this.#redactor.redact(line));
    } else {
      this.#channel.info(this.#redactor.redact(line));
    }
  }

  show(): void {
    this.#channel.show(true);
  }
}
