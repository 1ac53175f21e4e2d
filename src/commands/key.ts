import type { Apps } from '../apps/apps.ts';
import type { SigningKey } from '../apps/model/signingKey.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

export interface KeyDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/**
 * Asks for the passwords of a key, and unlocks it.
 *
 * @returns the key, unlocked.
 * @throws BuildServiceError; CancelledError when the person closes a question.
 */
export function unlockKey(_dependencies: KeyDependencies, _key: SigningKey): Promise<SigningKey> {
  return Promise.reject(new Error('Not written yet.'));
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
