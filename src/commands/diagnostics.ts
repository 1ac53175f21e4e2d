import type { Handlers } from './commandRegistry.ts';

/** Commands for finding out what is wrong. */
export function diagnosticsCommands() {
  return {
    'appBuild.collectDiagnostics': () => undefined,
  } satisfies Handlers;
}
