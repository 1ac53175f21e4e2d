import type { App } from '../model/app.ts';
import type { Collaborator } from '../model/collaborator.ts';
import type { AppCalls, CallOptions } from './appCalls.ts';

/** What a collaborator may be made; the service answers with `developer` for `dev`. */
export type CollaboratorRole = 'dev' | 'tester';

/** The calls about the people who work on an app. */
export class CollaboratorCalls {
  readonly #calls: AppCalls;

  constructor(calls: AppCalls) {
    this.#calls = calls;
  }

  add(_app: App, _email: string, _role: CollaboratorRole, _options?: CallOptions): Promise<void> {
    return this.#notWritten();
  }

  changeRole(_collaborator: Collaborator, _role: CollaboratorRole, _options?: CallOptions): Promise<void> {
    return this.#notWritten();
  }

  remove(_collaborator: Collaborator, _options?: CallOptions): Promise<void> {
    return this.#notWritten();
  }

  #notWritten(): Promise<never> {
    void this.#calls;
    return Promise.reject(new Error('Not written yet.'));
  }
}
