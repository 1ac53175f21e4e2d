import { cancellable, throwIfCancelled } from '../../../errors/index.ts';
import { CALL_PROGRESS_DELAY_MS } from '../../workbench/limits.ts';
import { type ByteCount, eachPercent, withProgress } from '../../workbench/progress.ts';

/** Reports a step as translated text, with its progress in bytes. */
export type ReportStep = (text: string, bytes?: ByteCount) => void;

/**
 * Runs part of the work, and shows its title if it takes longer than a delay.
 *
 * @param delayMs delay in milliseconds. 0 shows the title immediately.
 */
export type BuildProgressStep = <T>(
  title: string,
  work: (signal: AbortSignal, report: ReportStep) => Promise<T>,
  delayMs?: number,
) => Promise<T>;

/**
 * A build that several callers wait for. It's canceled when all of them have canceled, or when the user presses *Cancel* in its
 * notification.
 */
export class JoinedBuild<T> {
  /** The first caller's progress. If undefined, notifications with *Cancel* show the steps. */
  readonly report: ReportStep | undefined;
  readonly #cancelled = new AbortController();
  readonly #result: Promise<T>;
  #callers = 0;
  /** Settles when the work has stopped. Never rejects. */
  readonly ended: Promise<unknown>;

  /** @param work does the build. Starts after the caller that creates the build has joined. */
  constructor(report: ReportStep | undefined, work: (build: JoinedBuild<T>) => Promise<T>) {
    this.report = report;
    this.#result = Promise.resolve().then(() => work(this));
    this.ended = this.#result.catch(() => undefined);
  }

  /** Aborts when the build is canceled. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** Waits for the build. @throws CancelledError if the caller's signal aborts. The build continues for other callers. */
  async join(signal: AbortSignal | undefined): Promise<T> {
    this.#callers += 1;
    try {
      return await cancellable(this.#result, AbortSignal.any([this.signal, ...(signal === undefined ? [] : [signal])]));
    } finally {
      this.#callers -= 1;
      if (this.#callers === 0) {
        this.#cancelled.abort();
      }
    }
  }

  readonly step: BuildProgressStep = async (title, work, delayMs = CALL_PROGRESS_DELAY_MS) => {
    const { report, signal } = this;
    throwIfCancelled(signal);
    if (report !== undefined) {
      report(title);
      return work(signal, report);
    }
    return withProgress({ notification: title, ...(delayMs > 0 && { delayMs }) }, (pressed, show) => {
      pressed.addEventListener('abort', () => this.#cancelled.abort(), { once: true });
      // Work that doesn't settle would keep its notification open.
      const inNotification = eachPercent((text) => show(text));
      return cancellable(work(signal, inNotification), signal);
    });
  };
}
