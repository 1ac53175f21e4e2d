import type { Apps } from '../apps/apps.ts';
import { showBuildLog } from './buildLog.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

export interface BuildDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/** Commands about builds. */
export function buildCommands(dependencies: BuildDependencies) {
  const notWritten = () => {
    void dependencies;
    throw new Error('Not written yet.');
  };
  return {
    'appBuild.buildApp': notWritten,
    'appBuild.buildAgain': notWritten,
    'appBuild.cancelBuild': notWritten,
    'appBuild.stopWatching': notWritten,
    'appBuild.showBuilds': notWritten,
    'appBuild.showBuildLog': (argument) => showBuildLog(dependencies, argument),
    'appBuild.downloadBuild': notWritten,
    'appBuild.installOnDevice': notWritten,
  } satisfies Handlers;
}
