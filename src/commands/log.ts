import type { Log } from '../workbench/log.ts';
import type { Handlers } from './registry.ts';

/** Commands about what happened. */
export function logCommands(log: Log) {
  return { 'appBuild.showLog': () => log.show() } satisfies Handlers;
}
