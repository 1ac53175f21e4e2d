import type { Log } from '../workbench/log.ts';
import type { CommandRegistry } from './registry.ts';

/** Commands about what happened. */
export function registerLogCommands(registry: CommandRegistry, log: Log): void {
  registry.add({ 'appBuild.showLog': () => log.show() });
}
