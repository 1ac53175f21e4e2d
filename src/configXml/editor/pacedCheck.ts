/** How long nobody types before the text is checked. */
const TYPING_PAUSE_MS = 200;

/** Runs the check of one document: one at a time, and not while somebody types. */
export class PacedCheck {
  readonly #run: (isStale: () => boolean) => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  /** Counts what asked for a check. */
  #wanted = 0;
  #isRunning = false;
  #isDisposed = false;

  /** @param run never rejects; what it has found is dropped when `isStale`. */
  constructor(run: (isStale: () => boolean) => Promise<void>) {
    this.#run = run;
  }

  /** Checks when nobody has typed for a moment. */
  soon(): void {
    this.#wanted++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), TYPING_PAUSE_MS);
  }

  /** Checks at once. */
  now(): void {
    this.#wanted++;
    this.#start();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isRunning && !this.#isDisposed) {
      void this.#runUntilCurrent();
    }
  }

  async #runUntilCurrent(): Promise<void> {
    this.#isRunning = true;
    try {
      let checked: number | undefined;
      // While somebody types, the timer starts the next one.
      while (!this.#isDisposed && checked !== this.#wanted && this.#timer === undefined) {
        const wanted = this.#wanted;
        await this.#run(() => this.#isDisposed || wanted !== this.#wanted);
        checked = wanted;
      }
    } finally {
      this.#isRunning = false;
    }
  }
}
