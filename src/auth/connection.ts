import * as vscode from 'vscode';
import type { BuildServiceClient } from '../api/client.ts';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import type { ServiceProbe } from '../api/serviceProbe.ts';
import type { ServiceUrl } from '../api/serviceUrl.ts';
import { Disposable } from '../workbench/disposable.ts';
import { loadOnce } from '../workbench/loadOnce.ts';
import type { Log } from '../workbench/log.ts';
import { notConnected, notSignedIn, serviceLeft } from './authErrors.ts';
import type { ClientFactory } from './clientFactory.ts';
import type { Service, ServiceSelection } from './serviceSelection.ts';
import { credentialsOf, type Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';

/** An account that is signed in at the service in use. */
export interface SignedInConnection {
  readonly kind: 'signedIn';
  readonly service: Service;
  readonly account: vscode.AuthenticationSessionAccountInformation;
  readonly username: string;
  /** Sends the account's credentials with its calls, and does not hand out the token. */
  readonly client: BuildServiceClient;
}

export type Connection =
  | { readonly kind: 'unconfigured' }
  /** The setting, the keychain or the local service is in the way; that is not "signed out". */
  | { readonly kind: 'broken'; readonly error: unknown }
  | { readonly kind: 'signedOut'; readonly service: Service }
  | SignedInConnection;

interface ConnectionsDependencies {
  readonly selection: ServiceSelection;
  readonly sessions: SessionStore;
  readonly preferences: vscode.Memento;
  readonly log: Log;
  /** Loads what makes clients, when the first one is needed. */
  readonly loadClientFactory: () => Promise<ClientFactory>;
}

/** Joins the service in use with a session for it. */
export class Connections extends Disposable {
  readonly #dependencies: ConnectionsDependencies;
  readonly #clients: () => Promise<ClientFactory>;
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  /** Fires when another service, account or token is in use. */
  readonly onDidChange = this.#changed.event;
  readonly #expired = this.register(new vscode.EventEmitter<BuildServiceError>());
  /** Fires once when the service no longer accepts a session, which is removed by then. */
  readonly onDidExpire = this.#expired.event;
  /** The connection that was handed out last, with what it was made for. */
  #signedIn: { readonly connection: SignedInConnection; readonly session: Session } | undefined;
  /** Tokens that `/me` is being asked about. */
  readonly #verifying = new Set<string>();

  constructor(dependencies: ConnectionsDependencies) {
    super();
    this.#dependencies = dependencies;
    this.#clients = loadOnce(async () => this.register(await dependencies.loadClientFactory()));
    this.register(dependencies.selection.onDidChange(() => this.#changed.fire()));
    this.register(dependencies.sessions.onDidChange(() => this.#changed.fire()));
  }

  /**
   * The connection in use: the same value, with the same client, until {@link onDidChange} fires. Starts the local service
   * when that is the one in use and it does not run.
   *
   * @returns never rejects: what went wrong is a `broken` connection.
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
   * The connection in use, for what needs an account.
   *
   * @throws BuildServiceError that says what is missing, and offers it.
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
   * A client of `service` without credentials.
   *
   * Fails for a local service that runs elsewhere, as the client's calls do later.
   */
  async anonymousClient(service: Service): Promise<BuildServiceClient> {
    const clients = await this.#clients();
    await this.#ensureRunning(service);
    return clients.create(service, { beforeRequest: () => this.#ensureRunning(service) });
  }

  /** Asks an address what it is, without credentials. @throws CancelledError when the signal aborts. */
  async probe(url: ServiceUrl, signal?: AbortSignal): Promise<ServiceProbe> {
    return (await this.#clients()).probe(url, signal);
  }

  /** Accounts signed in at `service`, the one in use first. */
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

  /** True when no account is signed in to the service in use. Never throws; false when that cannot be known. */
  async isSignedOut(): Promise<boolean> {
    try {
      const service = this.#dependencies.selection.current;
      return service === undefined || (await this.accountsAt(service)).length === 0;
    } catch {
      return false;
    }
  }

  /** Uses this account at `service` from here on. */
  async prefer(service: Service, accountId: string): Promise<void> {
    await this.#dependencies.preferences.update(preferenceKey(service), accountId);
    this.#changed.fire();
  }

  /**
   * Holds before every request: when the local service stops, another program can take its port, and must not be sent a secret.
   * Starts the local service when it does not run.
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
      credentials: credentialsOf(session),
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
   * Called for every 401. It may also mean "not yours": the original service answers so to a collaborator who is not the
   * owner. Only when `/me` refuses the token too is the session over. Calls that fail meanwhile, that of `/me` among them,
   * ask nothing more.
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
