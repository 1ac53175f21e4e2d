import type { Apps } from '../apps/apps.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

export interface CollaboratorDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/** Commands about the people who work on an app. */
export function collaboratorCommands(dependencies: CollaboratorDependencies) {
  const notWritten = () => {
    void dependencies;
    throw new Error('Not written yet.');
  };
  return {
    'appBuild.addCollaborator': notWritten,
    'appBuild.changeCollaboratorRole': notWritten,
    'appBuild.removeCollaborator': notWritten,
  } satisfies Handlers;
}
