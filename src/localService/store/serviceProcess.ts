/** The processes that work with one data folder, by names that tell whether they have ended. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** A name for this process: host, process ID, start of the process, and something random, with `_` between them. */
export function createProcessName(): string {
  return [ownHost(), process.pid, ownStart(), randomBytes(4).toString('hex')].join('_');
}

/**
 * Whether a process has ended for sure: only those of this host are known.
 *
 * @param name of a process, also with something behind it
 */
export function hasEnded(name: string): boolean {
  const [host, pid, start] = name.split('_');
  if (host !== ownHost()) {
    return false;
  }
  // A container gives its program the same ID at each start.
  return Number(pid) === process.pid ? start !== ownStart() : !isRunning(Number(pid));
}

function ownHost(): string {
  return encodeURIComponent(hostname()).replaceAll('_', '%5F');
}

function ownStart(): string {
  return String(Math.round(performance.timeOrigin));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
