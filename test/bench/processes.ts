/** What processes use, as Linux counts it. */
import { readFileSync } from 'node:fs';

/** `/proc` counts in these. */
const MS_PER_TICK = 10;

/**
 * Milliseconds of processors that this process has used, with the programs that it ran and that have ended, and the processes that
 * are named. Undefined where the system does not tell.
 */
export function processorMs(pids: readonly number[]): number | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const { user, system } = process.cpuUsage();
  // Of the children that it waited for (proc(5), fields 16 and 17), and of the others themselves (14 and 15).
  const ended = statOf('self').slice(2, 4);
  const others = pids.flatMap((pid) => statOf(pid).slice(0, 2));
  return (user + system) / 1000 + [...ended, ...others].reduce((sum, ticks) => sum + ticks, 0) * MS_PER_TICK;
}

/** The fields from the 14th on. The second is a name in parentheses, which may hold spaces. */
function statOf(pid: number | 'self'): readonly number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11)
    .map(Number);
}

/** Peak memory of a process in MB; undefined where the system does not tell. */
export function peakMemoryOf(pid: number): number | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  return (Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6;
}
