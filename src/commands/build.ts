import { buildAgain, buildApp, type BuildAppDependencies } from './build/buildApp.ts';
import { cancelBuild } from './build/cancelBuild.ts';
import type { Handlers } from './commandRegistry.ts';

export type BuildDependencies = BuildAppDependencies;

/** Commands about builds. */
export function buildCommands(dependencies: BuildDependencies) {
  const notWritten = () => {
    void dependencies;
    throw new Error('Not written yet.');
  };
  return {
    'appBuild.buildApp': (argument) => buildApp(dependencies, argument),
    'appBuild.buildAgain': (argument) => buildAgain(dependencies, argument),
    'appBuild.cancelBuild': (argument) => cancelBuild(dependencies, argument),
    'appBuild.stopWatching': notWritten,
    'appBuild.showBuilds': notWritten,
    'appBuild.showBuildLog': notWritten,
    'appBuild.downloadBuild': notWritten,
    'appBuild.installOnDevice': notWritten,
  } satisfies Handlers;
}
