import { cancellable, throwIfCancelled } from '../projects/packing/cancellation.ts';

/** Bytes of the whole that are done. */
export interface Bytes {
  readonly done: number;
  readonly total: number;
}

/** Reports a step in a translated text, and its progress. */
export type ReportStep = (text: string, bytes?: Bytes) => void;

/** Runs a part of the work, and shows it. @param delayMs how long it may take before that. */
export type Step = <T>(
  title: string,
  work: (signal: AbortSignal, report: ReportStep) => Promise<T>,
  delayMs?: number,
) => Promise<T>;

/** A step while it goes on. */
export interface RunningStep {
  readonly title: string;
  /** How long it may take before it is shown. */
  readonly delayMs: number | undefined;
  /** Never rejects. */
  readonly ended: Promise<unknown>;
}

/** Shows the steps of a build to a caller that waits for it. */
export interface StepView {
  begin(step: RunningStep): void;
  readonly report: ReportStep;
}

interface Waiting {
  readonly view: StepView;
  readonly cancelled: AbortController;
  callers: number;
}

/** One build that several callers wait for. Each is shown its steps; it ends early only when the last of them has cancelled. */
export class SharedBuild<T> {
  readonly #viewOf: (report: ReportStep | undefined, cancel: () => void) => StepView;
  /** By their report. Callers without one see notifications: they are one person, who cancels for all of them. */
  readonly #waiting = new Map<ReportStep | undefined, Waiting>();
  readonly #abandoned = new AbortController();
  readonly #result: Promise<T>;
  #current: RunningStep | undefined;
  /** Settles when nothing of it goes on any more. Never rejects. */
  readonly ended: Promise<unknown>;

  /** @param viewOf shows the steps to a caller. @param work begins once the caller who made this has joined. */
  constructor(
    viewOf: (report: ReportStep | undefined, cancel: () => void) => StepView,
    work: (build: SharedBuild<T>) => Promise<T>,
  ) {
    this.#viewOf = viewOf;
    this.#result = Promise.resolve().then(() => work(this));
    this.ended = this.#result.catch(() => undefined);
  }

  /** Aborts when the last caller has cancelled. */
  get signal(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** Waits for the build. @param report gets the steps from now on @throws CancelledError for this caller alone */
  async join(report: ReportStep | undefined, signal: AbortSignal | undefined): Promise<T> {
    const waiting = this.#waiting.get(report) ?? this.#addWaiting(report);
    waiting.callers += 1;
    const signals = [waiting.cancelled.signal, ...(signal === undefined ? [] : [signal])];
    try {
      return await cancellable(this.#result, AbortSignal.any(signals));
    } finally {
      waiting.callers -= 1;
      if (waiting.callers === 0) {
        this.#waiting.delete(report);
      }
      if (this.#waiting.size === 0) {
        this.#abandoned.abort();
      }
    }
  }

  readonly step: Step = async (title, work, delayMs) => {
    throwIfCancelled(this.signal);
    const running = Promise.resolve().then(() => work(this.signal, this.#report));
    const step = { title, delayMs, ended: running.catch(() => undefined) };
    this.#current = step;
    this.#waiting.forEach(({ view }) => view.begin(step));
    try {
      return await running;
    } finally {
      this.#current = undefined;
    }
  };

  /** Calls back for each caller that waits. @param say gets the report of each; `undefined` stands for notifications */
  forEachReport(say: (report: ReportStep | undefined) => void): void {
    [...this.#waiting.keys()].forEach(say);
  }

  readonly #report: ReportStep = (text, bytes) => this.#waiting.forEach(({ view }) => view.report(text, bytes));

  #addWaiting(report: ReportStep | undefined): Waiting {
    const cancelled = new AbortController();
    const waiting = { view: this.#viewOf(report, () => cancelled.abort()), cancelled, callers: 0 };
    this.#waiting.set(report, waiting);
    if (this.#current !== undefined) {
      waiting.view.begin(this.#current);
    }
    return waiting;
  }
}
