import type { Apps } from '../apps/apps.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

export interface AppDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/** Commands about apps. */
export function appCommands(dependencies: AppDependencies) {
  const notWritten = () => {
    void dependencies;
    throw new Error('Not written yet.');
  };
  return {
    'appBuild.createApp': notWritten,
    'appBuild.updateApp': notWritten,
    'appBuild.pullApp': notWritten,
    'appBuild.deleteApp': notWritten,
    'appBuild.setAppIcon': notWritten,
  } satisfies Handlers;
}
