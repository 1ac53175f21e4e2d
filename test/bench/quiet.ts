import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. */
const patience = 20_000;

/**
 * Waits until the machine has next to nothing to do, 20 seconds at most: what ends or starts beside a measurement, such as a
 * window that has just opened, is on the same processors.
 */
export async function quiet(): Promise<void> {
  const giveUp = performance.now() + patience;
  for (let before = processorTimes(); performance.now() < giveUp;) {
    await sleep(500);
    const now = processorTimes();
    if ((now.busy - before.busy) / (now.all - before.all) < 0.1) {
      return;
    }
    before = now;
  }
}

/** Of all processors, since the machine was started. */
function processorTimes(): { readonly busy: number; readonly all: number } {
  const all = os
    .cpus()
    .flatMap(({ times }) => Object.values(times))
    .reduce((sum, time) => sum + time, 0);
  const idle = os.cpus().reduce((sum, { times }) => sum + times.idle, 0);
  return { busy: all - idle, all };
}
