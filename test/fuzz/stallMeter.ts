/** How long work keeps everything else waiting. */

export interface Stall {
  /** Who read, and what. */
  readonly input: string;
  /** False when the reader said that it was too large or had too many parts. */
  readonly shown: boolean;
  /** Of the longest stretch. */
  readonly milliseconds: number;
}

const all: Stall[] = [];

/** Keeps a measurement for {@link longestStalls}. */
export function noteStall(stall: Stall): void {
  all.push(stall);
}

/** The longest stalls of this process, the longest first. */
export function longestStalls(count: number): readonly Stall[] {
  return all.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, count);
}

/** Processor time of work that is not the measured one's, such as that of a server in the same thread. */
let uncountedMs = 0;

/** Does what does not count as a part of {@link workedFor}. */
export function uncounted(work: () => void): void {
  const start = processorTime();
  work();
  uncountedMs += processorTime() - start;
}

/** Milliseconds of this thread's processor time: what other programs take of the machine does not count. */
export interface Worked {
  readonly total: number;
  /** The longest stretch in which nothing else could run. */
  readonly longest: number;
}

/** How long some work takes. */
export async function workedFor(work: () => unknown): Promise<Worked> {
  const start = processorTime() - uncountedMs;
  let last = start;
  let longest = 0;
  let next: NodeJS.Immediate;
  const turn = (): void => {
    const now = processorTime() - uncountedMs;
    longest = Math.max(longest, now - last);
    last = now;
  };
  const tick = (): void => {
    turn();
    next = setImmediate(tick);
  };
  next = setImmediate(tick);
  try {
    await work();
    turn();
  } finally {
    clearImmediate(next);
  }
  return { total: last - start, longest };
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
