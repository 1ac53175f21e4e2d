/** How long work keeps everything else waiting. */

/**
 * The longest stretch in which nothing else could run while some work was under way.
 *
 * @returns milliseconds of this thread's processor time: what other programs take of the machine does not count
 */
export async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let last = processorTime();
  let longest = 0;
  let next: NodeJS.Immediate;
  const turn = (): void => {
    const now = processorTime();
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
  return longest;
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
