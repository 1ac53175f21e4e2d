import type { Handlers } from './commandRegistry.ts';

/** Commands about which rows the Resources view shows, and in which order. */
export function arrangementCommands() {
  return {
    'appBuild.filterResources': () => undefined,
    'appBuild.clearFilter': () => undefined,
    'appBuild.sortResources': () => undefined,
  } satisfies Handlers;
}
