import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';

/** The newest release of VS Code, or the oldest one that `engines.vscode` in package.json supports. */
export type VscodeVersion = 'newest' | 'oldest';

/**
 * Returns the version in the environment variable VSCODE_VERSION. Defaults to `newest`.
 * @throws Error if the value is unknown
 */
export function requestedVersion(): VscodeVersion {
  const requested = process.env.VSCODE_VERSION;
  switch (requested) {
    case undefined:
    case '':
    case 'newest':
      return 'newest';
    case 'oldest':
      return 'oldest';
    default:
      throw new Error(`VSCODE_VERSION is ${requested}. Set it to newest or oldest, or leave it unset for newest.`);
  }
}

/** Returns the lowest version of VS Code that `engines.vscode` in package.json allows, such as `1.105.0`. */
export function minimumVscode(): string {
  const { engines } = JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
    readonly engines: { readonly vscode: string };
  };
  return engines.vscode.replace(/^\^/, '');
}
