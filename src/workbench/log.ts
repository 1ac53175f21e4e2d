import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { Exchange } from '../api/http/requestPipeline.ts';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import type { Redactor } from '../api/redaction.ts';
import { Disposable } from './disposable.ts';
import { MAX_NAMED } from './limits.ts';

/** Something that was logged, and when: milliseconds since the epoch. */
export type Recent<T> = T & { readonly time: number };

/** A failure as it was handed over: nothing in it is redacted. */
export interface Failure {
  /** What failed: the ID of a command, or a few words of ours. */
  readonly doing: string;
  readonly error: unknown;
}

/** The extension's output channel. Secrets are redacted in everything that is written. */
export class Log extends Disposable {
  readonly #redactor: Redactor;
  readonly #channel = this.register(vscode.window.createOutputChannel('Application Build Service', { log: true }));
  #recentFailures: readonly Recent<Failure>[] = [];

  constructor(redactor: Redactor) {
    super();
    this.#redactor = redactor;
  }

  /** The latest failures, the last one at the end. */
  get recentFailures(): readonly Recent<Failure>[] {
    return this.#recentFailures;
  }

  info(message: string): void {
    this.#channel.info(this.#redactor.redact(message));
  }

  warn(message: string): void {
    this.#channel.warn(this.#redactor.redact(message));
  }

  /**
   * An expected failure is one line; anything else comes with its stack, for a bug report.
   *
   * @param doing what failed.
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

  /** One line per request: method, path without query values, status, milliseconds. */
  exchange({ method, path, status, milliseconds, error }: Exchange): void {
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
