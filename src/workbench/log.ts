import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { Exchange } from '../api/http/requestPipeline.ts';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import type { Redactor } from '../api/redaction.ts';
import { Disposable } from './disposable.ts';

/** The extension's output channel. Secrets are redacted in everything that is written. */
export class Log extends Disposable {
  readonly #redactor: Redactor;
  readonly #channel = this.register(vscode.window.createOutputChannel('Application Build Service', { log: true }));

  constructor(redactor: Redactor) {
    super();
    this.#redactor = redactor;
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
