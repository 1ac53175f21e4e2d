import { readFileSync } from 'node:fs';

/** Answers each message of the parent process with the peak memory of this one in MB, and ends with the parent. */
export function answerPeakMemory(): void {
  process.on('message', () => process.send?.(peakMemory()));
  process.on('disconnect', () => process.exit());
}

/** MB */
export function peakMemory(): number {
  // On Linux, what `resourceUsage` says includes the process that started this one.
  return process.platform === 'linux'
    ? (Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024) / 1e6
    : (process.resourceUsage().maxRSS * 1024) / 1e6;
}
