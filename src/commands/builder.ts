import type { Apps } from '../apps/apps.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

export interface BuilderDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/** Commands about what the local service builds with. */
export function builderCommands(dependencies: BuilderDependencies) {
  const notWritten = () => {
    void dependencies;
    throw new Error('Not written yet.');
  };
  return {
    'appBuild.installBuildEngine': notWritten,
  } satisfies Handlers;
}
