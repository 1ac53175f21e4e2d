import { cancellable, throwIfCancelled } from '../api/errors/cancelledError.ts';
import { CALL_PROGRESS_DELAY_MS } from '../workbench/limits.ts';
import { type Bytes, eachPercent, withProgress } from '../workbench/progress.ts';

/** Reports a step in a translated text, and its progress. */
export type ReportStep = (text: string, bytes?: Bytes) => void;

/** Runs a part of the work, and shows it when it takes a while. @param delayMs 0 to show it at once. */
export type Step = <T>(
  title: string,
  work: (signal: AbortSignal, report: ReportStep) => Promise<T>,
  delayMs?: number,
) => Promise<T>;

/** One build that several callers wait for. It ends early when all of them have cancelled, or Cancel is pressed in its notification. */
export class JoinedBuild<T> {
  /** The progress of the caller who asked first. Without it, notifications with Cancel show the steps. */
  readonly report: ReportStep | undefined;
  readonly #cancelled = new AbortController();
  readonly #result: Promise<T>;
  #callers = 0;
  /** Settles when nothing of it goes on any more. Never rejects. */
  readonly ended: Promise<unknown>;

  /** @param work begins once the caller who made this has joined. */
  constructor(report: ReportStep | undefined, work: (build: JoinedBuild<T>) => Promise<T>) {
    this.report = report;
    this.#result = Promise.resolve().then(() => work(this));
    this.ended = this.#result.catch(() => undefined);
  }

  /** Aborts when it is to end early. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** Waits for the build. @throws CancelledError for this caller alone when its signal aborts */
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

  readonly step: Step = async (title, work, delayMs = CALL_PROGRESS_DELAY_MS) => {
    const { report, signal } = this;
    throwIfCancelled(signal);
    if (report !== undefined) {
      report(title);
      return work(signal, report);
    }
    return withProgress({ notification: title, ...(delayMs > 0 && { delayMs }) }, (pressed, show) => {
      pressed.addEventListener('abort', () => this.#cancelled.abort(), { once: true });
      // Work that doesn't end would keep its notification.
      const inNotification = eachPercent((text) => show(text));
      return cancellable(work(signal, inNotification), signal);
    });
  };
}
