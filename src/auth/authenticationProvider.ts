import * as vscode from 'vscode';
import { Disposable } from '../workbench/disposable.ts';
import type { Notifications } from '../workbench/notifications.ts';
import type { Service } from './service.ts';
import { sameScopes, type Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';
import type { SignIn, SignInOptions } from './signIn.ts';

/** Fixed for ever: other extensions and stored preferences refer to it. */
export const providerId = 'app-build-service';

/** Offers the service's sessions to VS Code and, with the person's consent, to other extensions. */
export class AuthenticationProvider extends Disposable implements vscode.AuthenticationProvider {
  readonly #sessions: SessionStore;
  readonly #signIn: () => Promise<SignIn>;
  readonly #notifications: Notifications;
  readonly #chooseService: () => Promise<Service | undefined>;
  readonly #changed = this.register(
    new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>(),
  );
  readonly onDidChangeSessions = this.#changed.event;

  /**
   * @param signIn what runs a sign-in; loaded when one begins.
   * @param chooseService the service in use; asks the person when none is chosen yet.
   */
  constructor(
    sessions: SessionStore,
    signIn: () => Promise<SignIn>,
    notifications: Notifications,
    chooseService: () => Promise<Service | undefined>,
  ) {
    super();
    this.#sessions = sessions;
    this.#signIn = signIn;
    this.#notifications = notifications;
    this.#chooseService = chooseService;
    this.register(
      sessions.onDidChange(({ added, removed, changed }) => {
        this.#changed.fire({
          added: added.map(announced),
          removed: removed.map(visible),
          changed: changed.map(visible),
        });
      }),
    );
    this.register(
      vscode.authentication.registerAuthenticationProvider(
        providerId,
        vscode.l10n.t('Application Build Service'),
        this,
        {
          supportsMultipleAccounts: true,
        },
      ),
    );
  }

  /** The workbench calls this whenever it likes: no prompt, no network, no write. */
  async getSessions(
    scopes: readonly string[] | undefined,
    { account }: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession[]> {
    const sessions = await this.#sessions.all();
    return sessions
      .filter((session) => scopes === undefined || sameScopes(session.scopes, scopes))
      .filter((session) => account === undefined || session.account.label === account.label)
      .map((session) => ({ ...visible(session), scopes: scopes ?? session.scopes }));
  }

  /**
   * Runs a sign-in. Its failures are told here, once; VS Code gets a cancellation, so that it adds no message of its own.
   *
   * @throws vscode.CancellationError when no session came of it.
   */
  async createSession(
    scopes: readonly string[],
    { account }: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession> {
    const session = await this.signIn(account === undefined ? { scopes } : { scopes, account: account.label });
    if (session === undefined) {
      throw new vscode.CancellationError();
    }
    return { ...visible(session), scopes };
  }

  /** Runs a sign-in and tells its failure; undefined when no session came of it. */
  async signIn(options: SignInOptions): Promise<Session | undefined> {
    try {
      const service = await this.#chooseService();
      if (service === undefined) {
        return undefined;
      }
      const signIn = await this.#signIn();
      return await signIn.run(service, options);
    } catch (error) {
      this.#notifications.failure('Signing in', error);
      return undefined;
    }
  }

  async removeSession(sessionId: string): Promise<void> {
    try {
      await this.#sessions.remove(sessionId);
    } catch (error) {
      this.#notifications.failure('Signing out', error);
    }
  }
}

/**
 * What VS Code is told of a session that appeared. It splits the scopes of a waiting request at spaces, so that a request
 * without scopes waits for the scope ''; an empty list would leave its entry in the Accounts menu (vscode#230227).
 */
function announced(session: Session): vscode.AuthenticationSession {
  return session.scopes.length > 0 ? visible(session) : { ...visible(session), scopes: [''] };
}

/** What VS Code is given of a session. */
function visible({ id, accessToken, account, scopes }: Session): vscode.AuthenticationSession {
  return { id, accessToken, account, scopes };
}
