import type { Clock } from '../../src/extension/workbench/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that moves only when a test advances it. */
export class ManualClock implements Clock {
  #now = Date.now();
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): { dispose(): void } {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.add(timer);
    return { dispose: () => this.#timers.delete(timer) };
  }

  /** Milliseconds until the next timer. Undefined if none is set. */
  get next(): number | undefined {
    const [first] = this.#sorted();
    return first && first.at - this.#now;
  }

  /** Advances the clock and runs the timers that become due, in order. @param settled awaited after each timer */
  async advance(milliseconds: number, settled: () => Promise<unknown>): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (let [timer] = this.#sorted(); timer !== undefined && timer.at <= end; [timer] = this.#sorted()) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.at);
      timer.run();
      await settled();
    }
    this.#now = end;
  }

  #sorted(): readonly Timer[] {
    return [...this.#timers].sort((left, right) => left.at - right.at);
  }
}
