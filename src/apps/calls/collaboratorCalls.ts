import type { App } from '../model/app.ts';
import type { Collaborator } from '../model/collaborator.ts';
import type { Operation } from '../model/operation.ts';
import type { AppCalls, CallOptions } from './appCalls.ts';

/** The roles that can be given; the service answers with `developer` for `dev`. */
export type CollaboratorRole = 'dev' | 'tester';

export class CollaboratorCalls {
  readonly #calls: AppCalls;

  constructor(calls: AppCalls) {
    this.#calls = calls;
  }

  /** @returns `invited` when the service does not know the person yet, and answers that it has accepted the request. */
  async add(app: App, email: string, role: CollaboratorRole, options?: CallOptions): Promise<'added' | 'invited'> {
    const operation = await this.#calls.operation(app, 'add-collaborator', options);
    const { status } = await this.#calls.send(operation, { email, role }, [], options);
    return status === 202 ? 'invited' : 'added';
  }

  async changeRole(collaborator: Collaborator, role: CollaboratorRole, options?: CallOptions): Promise<void> {
    await this.#calls.send(await this.#operation(collaborator, 'change-role', options), { role }, [], options);
  }

  async remove(collaborator: Collaborator, options?: CallOptions): Promise<void> {
    await this.#calls.send(await this.#operation(collaborator, 'remove-collaborator', options), {}, [], options);
  }

  /** The original had no address to ask a collaborator for forms. */
  #operation(
    { resource, url, person }: Collaborator,
    name: 'change-role' | 'remove-collaborator',
    options?: CallOptions,
  ): Promise<Operation> {
    return this.#calls.operationOfPart({ resource, url, title: person }, name, options);
  }
}
