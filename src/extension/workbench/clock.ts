/** Source of time that tests can replace. */
export interface Clock {
  /** Returns the time in ms since the epoch. */
  now(): number;
  /** Runs a function once, after a delay in ms. @returns a disposable that cancels it. */
  after(milliseconds: number, run: () => void): { dispose(): void };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};
