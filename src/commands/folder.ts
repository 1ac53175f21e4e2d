import type { Apps } from '../apps/apps.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

export interface FolderDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/** Commands about the folders that are open. */
export function folderCommands(dependencies: FolderDependencies) {
  const notWritten = () => {
    void dependencies;
    throw new Error('Not written yet.');
  };
  return {
    'appBuild.buildFolder': notWritten,
    'appBuild.configureDefaultBuild': notWritten,
    'appBuild.linkFolder': notWritten,
    'appBuild.unlinkFolder': notWritten,
  } satisfies Handlers;
}
