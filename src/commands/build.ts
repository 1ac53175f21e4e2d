import type { Apps } from '../apps/apps.ts';
import { showBuilds } from './build/showBuilds.ts';
import { stopWatching } from './build/stopWatching.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

export interface BuildDependencies extends Pick<
  CommandDependencies,
  'connections' | 'input' | 'notifications' | 'tree'
> {
  readonly apps: Apps;
}

/** Commands about builds. */
export function buildCommands(dependencies: BuildDependencies) {
  const { watcher } = dependencies.apps;
  const notWritten = () => {
    throw new Error('Not written yet.');
  };
  return {
    'appBuild.buildApp': notWritten,
    'appBuild.buildAgain': notWritten,
    'appBuild.cancelBuild': notWritten,
    'appBuild.stopWatching': (argument) => stopWatching(argument, { ...dependencies, watcher }),
    'appBuild.showBuilds': () => showBuilds(dependencies),
    'appBuild.showBuildLog': notWritten,
    'appBuild.downloadBuild': notWritten,
    'appBuild.installOnDevice': notWritten,
  } satisfies Handlers;
}
