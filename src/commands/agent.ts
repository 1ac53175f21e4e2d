import type { Handlers } from './commandRegistry.ts';

/** Commands that hand something to an agent of the editor. */
export function agentCommands() {
  return {
    'appBuild.askAgent': () => undefined,
  } satisfies Handlers;
}
