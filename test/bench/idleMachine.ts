import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 20_000;
const SAMPLE_MS = 500;
/** Share of the processors' time. */
const MAX_BUSY_SHARE = 0.1;

/**
 * Waits until the machine is idle, at most 20 seconds: what starts or ends beside a measurement, such as a window that has just
 * opened, uses the same processors.
 */
export async function waitForIdleMachine(): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let before = processorTimes(); performance.now() < deadline;) {
    await sleep(SAMPLE_MS);
    const now = processorTimes();
    if ((now.busy - before.busy) / (now.all - before.all) < MAX_BUSY_SHARE) {
      return;
    }
    before = now;
  }
}

/** Milliseconds of all processors together, since the machine was started. */
function processorTimes(): { readonly busy: number; readonly all: number } {
  const all = os
    .cpus()
    .flatMap(({ times }) => Object.values(times))
    .reduce((sum, time) => sum + time, 0);
  const idle = os.cpus().reduce((sum, { times }) => sum + times.idle, 0);
  return { busy: all - idle, all };
}
