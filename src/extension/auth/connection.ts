import * as vscode from 'vscode';
import type { BuildServiceClient, ServiceProbe, ServiceUrl } from '../../service-client/index.ts';
import { BuildServiceError } from '../../errors/index.ts';
import { Disposable } from '../workbench/disposable.ts';
import { loadOnce } from '../workbench/loadOnce.ts';
import type { Log } from '../workbench/log.ts';
import { notConnected, notSignedIn, serviceLeft } from './authErrors.ts';
import type { ClientFactory } from './clientFactory.ts';
import type { Service, ServiceSelection } from './serviceSelection.ts';
import { getSessionToken, type Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';

/** Signed-in account at the current service. */
export interface SignedInConnection {
  readonly kind: 'signedIn';
  readonly service: Service;
  readonly account: vscode.AuthenticationSessionAccountInformation;
  readonly username: string;
  /** Client that sends the account's credentials. It doesn't expose the token. */
  readonly client: BuildServiceClient;
}

/** State of the connection to the current service. */
export type Connection =
  | { readonly kind: 'unconfigured' }
  /** The setting is invalid, or the keychain or the local service has failed, so it's unknown whether the user is signed in. */
  | { readonly kind: 'broken'; readonly error: unknown }
  | { readonly kind: 'signedOut'; readonly service: Service }
  | SignedInConnection;

interface ConnectionsDependencies {
  readonly selection: ServiceSelection;
  readonly sessions: SessionStore;
  readonly preferences: vscode.Memento;
  readonly log: Log;
  /** Loads the client factory when the first client is needed. */
  readonly loadClientFactory: () => Promise<ClientFactory>;
}

/** Provides the current connection: the current service with the session to use there. */
export class Connections extends Disposable {
  readonly #dependencies: ConnectionsDependencies;
  readonly #clients: () => Promise<ClientFactory>;
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  /** Fires when the current service, account, or token changes. */
  readonly onDidChange = this.#changed.event;
  readonly #expired = this.register(new vscode.EventEmitter<BuildServiceError>());
  /** Fires once when the service stops accepting a session, which has already been removed. */
  readonly onDidExpire = this.#expired.event;
  /** The last returned connection and its session. */
  #signedIn: { readonly connection: SignedInConnection; readonly session: Session } | undefined;
  /** Tokens that are being verified with a `/me` request. */
  readonly #verifying = new Set<string>();

  constructor(dependencies: ConnectionsDependencies) {
    super();
    this.#dependencies = dependencies;
    this.#clients = loadOnce(async () => this.register(await dependencies.loadClientFactory()));
    this.register(dependencies.selection.onDidChange(() => this.#changed.fire()));
    this.register(dependencies.sessions.onDidChange(() => this.#changed.fire()));
  }

  /**
   * Returns the current connection: the same value, with the same client, until {@link onDidChange} fires. Starts the local service if it's
   * in use but not running.
   *
   * @returns the connection. A failure becomes a `broken` connection, so the promise never rejects.
   */
  async current(): Promise<Connection> {
    try {
      const service = await this.#dependencies.selection.started();
      if (service === undefined) {
        return { kind: 'unconfigured' };
      }
      const [session] = await this.accountsAt(service);
      return session === undefined ? { kind: 'signedOut', service } : await this.#signedInAt(service, session);
    } catch (error) {
      return { kind: 'broken', error };
    }
  }

  /**
   * Returns the current connection, for actions that need an account.
   *
   * @throws {@link BuildServiceError} that describes what's missing and offers a remedy.
   */
  async requireSignedIn(): Promise<SignedInConnection> {
    const connection = await this.current();
    switch (connection.kind) {
      case 'signedIn':
        return connection;
      case 'broken':
        throw connection.error;
      case 'signedOut':
        throw notSignedIn(connection.service.url.host);
      case 'unconfigured':
        throw notConnected();
    }
  }

  /**
   * Returns a client for `service` without credentials. Rejects if a local service has moved. The client checks this again on every call.
   */
  async anonymousClient(service: Service): Promise<BuildServiceClient> {
    const clients = await this.#clients();
    await this.#ensureRunning(service);
    return clients.create(service, { beforeRequest: () => this.#ensureRunning(service) });
  }

  /**
   * Checks whether a build service is at an address, without sending credentials.
   *
   * @throws {@link CancelledError} when the signal aborts.
   */
  async probe(url: ServiceUrl, signal?: AbortSignal): Promise<ServiceProbe> {
    return (await this.#clients()).probe(url, signal);
  }

  /** Returns the accounts that are signed in to `service`, starting with the current one. */
  async accountsAt(service: Service): Promise<readonly Session[]> {
    const sessions = (await this.#dependencies.sessions.all()).filter(
      (session) => session.service.origin === service.url.origin,
    );
    const accounts = new Map(sessions.map((session) => [session.account.id, session]));
    const preferred = this.#dependencies.preferences.get<string>(preferenceKey(service));
    return [...accounts.values()].sort(
      (a, b) => Number(b.account.id === preferred) - Number(a.account.id === preferred),
    );
  }

  /**
   * Reports whether no account is signed in to the current service. Never throws. Returns false when the state is
   * unknown.
   */
  async isSignedOut(): Promise<boolean> {
    try {
      const service = this.#dependencies.selection.current;
      return service === undefined || (await this.accountsAt(service)).length === 0;
    } catch {
      return false;
    }
  }

  /** Sets the account to use at `service`. */
  async prefer(service: Service, accountId: string): Promise<void> {
    await this.#dependencies.preferences.update(preferenceKey(service), accountId);
    this.#changed.fire();
  }

  /**
   * Runs before every request. When the local service stops, another program can take over its port and must not
   * receive a secret. Starts the local service if necessary.
   */
  async #ensureRunning(service: Service): Promise<void> {
    if (!service.local) {
      return;
    }
    const ensureInUse = () => {
      const current = this.#dependencies.selection.current;
      if (current === undefined || !isSameService(current, service)) {
        throw serviceLeft(service.url.host);
      }
    };
    ensureInUse();
    await service.ready();
    ensureInUse();
  }

  async #signedInAt(service: Service, session: Session): Promise<SignedInConnection> {
    const clients = await this.#clients();
    const last = this.#signedIn;
    if (
      last !== undefined &&
      isSameService(last.connection.service, service) &&
      last.session.id === session.id &&
      last.session.accessToken === session.accessToken
    ) {
      return last.connection;
    }
    const client = clients.create(service, {
      credentials: getSessionToken(session),
      beforeRequest: () => this.#ensureRunning(service),
      onUnauthorized: () => {
        this.#verify(session, client).catch((error: unknown) =>
          this.#dependencies.log.error('Checking a session', error),
        );
      },
    });
    const { account, username } = session;
    const connection: SignedInConnection = { kind: 'signedIn', service, account, username, client };
    this.#signedIn = { connection, session };
    return connection;
  }

  /**
   * Verifies a session after a 401. A 401 can also mean that the account lacks permission: the original service returns it to collaborators
   * who aren't the owner. The session has ended only if `/me` rejects the token as well. During the verification, further 401 responses,
   * including the one from `/me`, don't start another one.
   */
  async #verify(session: Session, client: BuildServiceClient): Promise<void> {
    const token = session.accessToken;
    if (this.#verifying.has(token)) {
      return;
    }
    this.#verifying.add(token);
    try {
      await client.me();
    } catch (error) {
      if (!(error instanceof BuildServiceError)) {
        throw error;
      }
      if (error.kind === 'unauthorized' && (await this.#dependencies.sessions.removeIfCurrent(session))) {
        this.#expired.fire(error);
      }
    } finally {
      this.#verifying.delete(token);
    }
  }
}

function isSameService(left: Service, right: Service): boolean {
  return left.url.href === right.url.href && left.local === right.local;
}

function preferenceKey(service: Service): string {
  return `account/${service.url.origin}`;
}
