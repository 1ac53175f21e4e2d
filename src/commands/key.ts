import type { Apps } from '../apps/apps.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

export interface KeyDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/** Commands about signing keys. */
export function keyCommands(dependencies: KeyDependencies) {
  const notWritten = () => {
    void dependencies;
    throw new Error('Not written yet.');
  };
  return {
    'appBuild.addKey': notWritten,
    'appBuild.unlockKey': notWritten,
    'appBuild.lockKey': notWritten,
    'appBuild.setDefaultKey': notWritten,
    'appBuild.deleteKey': notWritten,
  } satisfies Handlers;
}
