import { showBuildProblem } from './build/showBuildProblem.ts';
import type { Handlers } from './commandRegistry.ts';
import type { FolderDependencies } from './folder.ts';

/** Commands about what stands before an upload: the check of a folder, and what of it will be sent. */
export function preflightCommands(dependencies: FolderDependencies) {
  const { preflight } = dependencies.apps;
  return {
    'appBuild.checkFolder': () => undefined,
    'appBuild.showPackage': () => undefined,
    'appBuild.ignoreFile': () => undefined,
    'appBuild.allowSecret': () => undefined,
    'appBuild.refuseSecret': () => undefined,
    'appBuild.sortFilesBySize': () => preflight.sortBy('size'),
    'appBuild.sortFilesByName': () => preflight.sortBy('name'),
    'appBuild.refreshPreflight': () => preflight.refresh(),
    'appBuild.closePreflight': () => preflight.close(),
    'appBuild.showBuildProblem': (argument) => showBuildProblem(dependencies, argument),
  } satisfies Handlers;
}
