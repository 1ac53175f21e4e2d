import type { Apps } from '../../apps/apps.ts';
import type { App } from '../../apps/model/app.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import type { Input } from '../../workbench/input.ts';

interface AppSubjectContext {
  readonly apps: Apps;
  readonly connection: SignedInConnection;
  readonly input: Input;
  /** Of the question. */
  readonly title: string;
}

/** An app that a command acts on, and the platform that its argument names. */
export interface AppSubject {
  readonly app: App;
  readonly platform: string | undefined;
}

/**
 * The app that a command's argument names: a row of the tree, an address, or `{app, platform}` with the title or address of
 * an app. Without one: the app of the only folder that is linked, else the one that the person picks.
 *
 * @returns undefined when the list is closed.
 * @throws InvalidInputError when the argument names no app; BuildServiceError
 */
export function appSubjectOf(_argument: unknown, _context: AppSubjectContext): Promise<AppSubject | undefined> {
  return Promise.reject(new Error('Not written yet.'));
}
