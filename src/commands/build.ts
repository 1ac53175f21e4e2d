import { buildAgain, buildApp, type BuildAppDependencies } from './build/buildApp.ts';
import { cancelBuild } from './build/cancelBuild.ts';
import { showBuilds } from './build/showBuilds.ts';
import { stopWatching } from './build/stopWatching.ts';
import { showBuildLog } from './buildLog.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

export type BuildDependencies = BuildAppDependencies & Pick<CommandDependencies, 'tree'>;

/** Commands about builds. */
export function buildCommands(dependencies: BuildDependencies) {
  const { watcher } = dependencies.apps;
  const notWritten = () => {
    throw new Error('Not written yet.');
  };
  return {
    'appBuild.buildApp': (argument) => buildApp(dependencies, argument),
    'appBuild.buildAgain': (argument) => buildAgain(dependencies, argument),
    'appBuild.cancelBuild': (argument) => cancelBuild(dependencies, argument),
    'appBuild.stopWatching': (argument) => stopWatching(argument, { ...dependencies, watcher }),
    'appBuild.showBuilds': () => showBuilds(dependencies),
    'appBuild.showBuildLog': (argument) => showBuildLog(dependencies, argument),
    'appBuild.downloadBuild': notWritten,
    'appBuild.installOnDevice': notWritten,
  } satisfies Handlers;
}
