import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work without a pause. */
const MAX_BUSY_MS = 10;

/** Lets everything else in the process have its turn in between. Several pieces of work at once share one. */
export class WorkPauses {
  #end = performance.now() + MAX_BUSY_MS;
  #pause: Promise<void> | undefined;

  /** Call it before each piece of work: it waits where the pieces before have taken {@link MAX_BUSY_MS}. */
  pauseIfDue(): Promise<void> {
    return this.do(() => undefined);
  }

  /** Does a piece of work after such a pause. Of several that wait, some have this turn, the others the next one. */
  async do<T>(work: () => T): Promise<T> {
    while (performance.now() > this.#end) {
      this.#pause ??= setImmediate().then(() => {
        this.#pause = undefined;
        this.#end = performance.now() + MAX_BUSY_MS;
      });
      await this.#pause;
    }
    return work();
  }
}
