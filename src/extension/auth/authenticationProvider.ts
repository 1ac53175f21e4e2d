import * as vscode from 'vscode';
import { Disposable } from '../workbench/disposable.ts';
import type { Notifications } from '../workbench/notifications.ts';
import type { Connections } from './connection.ts';
import type { Service, ServiceSelection } from './serviceSelection.ts';
import { sameScopes, type Session } from './session.ts';
import { changesBetween, type SessionStore } from './sessionStore.ts';
import type { SignIn, SignInOptions } from './signIn.ts';

/** ID of the authentication provider. Never change it: other extensions and stored preferences refer to it. */
export const PROVIDER_ID = 'app-build-service';

interface AuthenticationProviderDependencies {
  readonly sessions: SessionStore;
  readonly notifications: Notifications;
  readonly selection: ServiceSelection;
  /** Loads the sign-in code. Called for every sign-in. */
  readonly loadSignIn: () => Promise<SignIn>;
  /**
   * Returns the current service. If none is chosen, asks the user to choose one. Returns undefined if the user cancels.
   */
  readonly chooseService: () => Promise<Service | undefined>;
  /** Asks for the client registration with the current service and stores it. @throws {@link CancelledError} */
  readonly changeRegistration: () => Promise<void>;
}

/**
 * Provides the sessions of the current service to VS Code and, with the user's consent, to other extensions. Sessions of other services
 * aren't provided, because an extension receives a token without the service's address and might send it to the wrong service.
 */
export class AuthenticationProvider extends Disposable implements vscode.AuthenticationProvider {
  readonly #dependencies: AuthenticationProviderDependencies;
  readonly #changed = this.register(
    new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>(),
  );
  readonly onDidChangeSessions = this.#changed.event;
  readonly #signInEnded = this.register(new vscode.EventEmitter<void>());
  readonly onDidEndSignIn = this.#signInEnded.event;
  #signIns = 0;
  /** Settles when VS Code has added the entry to the Accounts menu, or has found that it isn't needed. */
  #offering: Promise<unknown> = Promise.resolve();
  #offered: readonly Session[] = [];

  constructor(dependencies: AuthenticationProviderDependencies) {
    super();
    this.#dependencies = dependencies;
    this.register(dependencies.sessions.onDidChange(() => this.#announceChanges()));
    this.register(dependencies.selection.onDidChange(() => this.#announceChanges()));
    const label = vscode.l10n.t('Application Build Service');
    const options = { supportsMultipleAccounts: true };
    this.register(vscode.authentication.registerAuthenticationProvider(PROVIDER_ID, label, this, options));
  }

  /** Returns the sessions. VS Code calls this at any time, so it never prompts, uses the network, or writes. */
  async getSessions(
    scopes: readonly string[] | undefined,
    { account }: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession[]> {
    const sessions = await this.#dependencies.sessions.all();
    return this.#filterServiceInUse(sessions)
      .filter((session) => scopes === undefined || sameScopes(session.scopes, scopes))
      .filter((session) => account === undefined || session.account.label === account.label)
      .map((session) => ({ ...toVscodeSession(session), scopes: scopes ?? session.scopes }));
  }

  /**
   * Runs a sign-in and shows its failure. Reports a cancellation to VS Code, so that it doesn't show a second message.
   *
   * @throws {@link vscode.CancellationError} when the sign-in creates no session.
   */
  async createSession(
    scopes: readonly string[],
    { account }: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession> {
    const session = await this.signIn(account === undefined ? { scopes } : { scopes, account: account.label });
    // The user may have switched to another service.
    if (session === undefined || this.#filterServiceInUse([session]).length === 0) {
      throw new vscode.CancellationError();
    }
    return { ...toVscodeSession(session), scopes };
  }

  /** Runs a sign-in and shows its failure. Returns undefined when the sign-in creates no session. */
  async signIn(options: SignInOptions = { scopes: [] }): Promise<Session | undefined> {
    const { chooseService, changeRegistration, loadSignIn, notifications } = this.#dependencies;
    return this.runDuringSignIn(async () => {
      try {
        const service = await chooseService();
        if (service === undefined) {
          return undefined;
        }
        const signIn = await loadSignIn();
        return await signIn.run(service, options);
      } catch (error) {
        const retry = () => this.signIn(options);
        notifications.failure('Signing in', error, {
          retry,
          changeRegistration: async () => {
            await changeRegistration();
            await retry();
          },
        });
        return undefined;
      }
    });
  }

  /**
   * Runs an action that leads to a sign-in, such as starting the service first. During the action, the Accounts menu doesn't offer a
   * sign-in.
   */
  async runDuringSignIn<Result>(action: () => Promise<Result>): Promise<Result> {
    this.#signIns += 1;
    try {
      // If the session were added before the entry, VS Code would keep the entry, or turn it into an access request.
      await this.#offering;
      return await action();
    } finally {
      this.#signIns -= 1;
      this.#signInEnded.fire();
    }
  }

  /** Whether a sign-in is running. */
  get isBusy(): boolean {
    return this.#signIns > 0;
  }

  /**
   * Adds a sign-in to the Accounts menu, with a badge. VS Code adds the entry when an extension requests a session
   * without creating one, and removes it when a session appears. Does nothing during a sign-in.
   */
  offerSignIn(): void {
    if (this.#signIns === 0) {
      this.#offering = Promise.resolve(vscode.authentication.getSession(PROVIDER_ID, [])).catch(() => undefined);
    }
  }

  /** Removes a session and shows any failure. */
  async removeSession(sessionId: string): Promise<void> {
    try {
      await this.#dependencies.sessions.remove(sessionId);
    } catch (error) {
      this.#dependencies.notifications.failure('Signing out', error);
    }
  }

  #filterServiceInUse(sessions: readonly Session[]): readonly Session[] {
    const origin = this.#originInUse();
    return sessions.filter(({ service }) => service.origin === origin);
  }

  /**
   * Returns the origin of the current service, or undefined when none is chosen or the setting isn't a valid service URL.
   */
  #originInUse(): string | undefined {
    try {
      return this.#dependencies.selection.current?.url.origin;
    } catch {
      return undefined;
    }
  }

  #announceChanges(): void {
    const offered = this.#filterServiceInUse(this.#dependencies.sessions.known);
    const change = changesBetween(this.#offered, offered);
    this.#offered = offered;
    if (change !== undefined) {
      this.#changed.fire({
        added: change.added.map(toAddedSession),
        removed: change.removed.map(toVscodeSession),
        changed: change.changed.map(toVscodeSession),
      });
    }
  }
}

/**
 * Offers a sign-in in the Accounts menu when the visible view offers one: a service is chosen and running, and no
 * account is signed in. If a session existed, VS Code would instead ask the user to grant this extension access to its
 * own account.
 *
 * @param view tree view of the service.
 */
export function offerSignInFromAccountsMenu(
  connections: Connections,
  provider: AuthenticationProvider,
  view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
): vscode.Disposable {
  const offer = async () => {
    // A hidden view must not start the local service or request attention.
    if (view.visible && (await connections.current()).kind === 'signedOut') {
      provider.offerSignIn();
    }
  };
  return vscode.Disposable.from(
    view.onDidChangeVisibility(offer),
    connections.onDidChange(offer),
    provider.onDidEndSignIn(offer),
  );
}

/**
 * Converts a session for an event about added sessions. VS Code splits the scopes of a waiting request at spaces, so a
 * request without scopes waits for the scope ''. With an empty list, its entry would stay in the Accounts menu
 * (vscode#230227).
 */
function toAddedSession(session: Session): vscode.AuthenticationSession {
  return session.scopes.length > 0 ? toVscodeSession(session) : { ...toVscodeSession(session), scopes: [''] };
}

function toVscodeSession({ id, accessToken, account, scopes }: Session): vscode.AuthenticationSession {
  return { id, accessToken, account, scopes };
}
