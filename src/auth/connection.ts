import * as vscode from 'vscode';
import type { BuildServiceClient } from '../api/client.ts';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Log } from '../workbench/log.ts';
import type { Clients } from './clients.ts';
import type { Service } from './service.ts';
import type { ServiceSelection } from './serviceSelection.ts';
import { credentialsOf, type Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';

/** Where the extension stands with the service. */
export type Connection =
  | { readonly kind: 'unconfigured' }
  /** The setting, the keychain or the local service is in the way; that is not "signed out". */
  | { readonly kind: 'broken'; readonly error: unknown }
  | { readonly kind: 'signedOut'; readonly service: Service }
  | {
      readonly kind: 'signedIn';
      readonly service: Service;
      readonly account: vscode.AuthenticationSessionAccountInformation;
      readonly username: string;
      /** Signed in already: whoever holds it never sees the token. */
      readonly client: BuildServiceClient;
    };

interface Parts {
  readonly selection: ServiceSelection;
  readonly sessions: SessionStore;
  readonly preferences: vscode.Memento;
  readonly log: Log;
  /** Loads what makes clients; called once, when the first one is needed. */
  readonly loadClients: () => Promise<Clients>;
}

/** Joins the service in use with a session for it. */
export class Connections extends Disposable {
  readonly #selection: ServiceSelection;
  readonly #sessions: SessionStore;
  readonly #preferences: vscode.Memento;
  readonly #log: Log;
  readonly #loadClients: () => Promise<Clients>;
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  /** Fires when another service, account or token is in use. */
  readonly onDidChange = this.#changed.event;
  readonly #expired = this.register(new vscode.EventEmitter<BuildServiceError>());
  /** Fires once when the service no longer accepts a session, which is forgotten by then. */
  readonly onDidExpire = this.#expired.event;
  /** Tokens that a 401 has put in doubt. */
  readonly #doubted = new Map<string, Promise<void>>();
  #clients: Promise<Clients> | undefined;

  constructor({ selection, sessions, preferences, log, loadClients }: Parts) {
    super();
    this.#selection = selection;
    this.#sessions = sessions;
    this.#preferences = preferences;
    this.#log = log;
    this.#loadClients = loadClients;
    this.register(selection.onDidChange(() => this.#changed.fire()));
    this.register(sessions.onDidChange(() => this.#changed.fire()));
  }

  /** Never throws: what went wrong is part of the answer. */
  async current(): Promise<Connection> {
    try {
      const service = this.#selection.current;
      if (service === undefined) {
        return { kind: 'unconfigured' };
      }
      await service.ready();
      const session = await this.#sessionAt(service);
      return session === undefined
        ? { kind: 'signedOut', service }
        : {
            kind: 'signedIn',
            service,
            account: session.account,
            username: session.username,
            client: await this.#signedInClient(service, session),
          };
    } catch (error) {
      return { kind: 'broken', error };
    }
  }

  /** A client of `service` without credentials. */
  async clientFor(service: Service): Promise<BuildServiceClient> {
    return (await this.#load()).of(service, { onExchange: (exchange) => this.#log.exchange(exchange) });
  }

  /** Accounts signed in at `service`, the one in use first. */
  async accountsAt(service: Service): Promise<readonly Session[]> {
    const sessions = (await this.#sessions.all()).filter((session) => session.service.origin === service.url.origin);
    const accounts = new Map(sessions.map((session) => [session.account.id, session]));
    const preferred = this.#preferences.get<string>(preference(service));
    return [...accounts.values()].sort(
      (a, b) => Number(b.account.id === preferred) - Number(a.account.id === preferred),
    );
  }

  /** True when nobody is signed in to the service in use. Asks neither the service nor a person; when in doubt, false. */
  async lacksAccount(): Promise<boolean> {
    try {
      const service = this.#selection.current;
      return service === undefined || (await this.accountsAt(service)).length === 0;
    } catch {
      return false;
    }
  }

  /** Uses this account at `service` from now on. */
  async prefer(service: Service, accountId: string): Promise<void> {
    await this.#preferences.update(preference(service), accountId);
    this.#changed.fire();
  }

  async #sessionAt(service: Service): Promise<Session | undefined> {
    return (await this.accountsAt(service))[0];
  }

  #load(): Promise<Clients> {
    this.#clients ??= this.#loadClients().then((clients) => this.register(clients));
    return this.#clients;
  }

  async #signedInClient(service: Service, session: Session): Promise<BuildServiceClient> {
    const clients = await this.#load();
    return clients.of(service, {
      credentials: credentialsOf(session),
      onExchange: (exchange) => {
        this.#log.exchange(exchange);
        if (exchange.status === 401) {
          void this.#doubt(service, session);
        }
      },
    });
  }

  /**
   * A 401 may also mean "not yours" (the original service answered so to a collaborator who is not the owner). Only when
   * `/me` refuses the token too is the session over. However many calls fail at once, one question is asked.
   */
  async #doubt(service: Service, session: Session): Promise<void> {
    const token = session.accessToken;
    const pending =
      this.#doubted.get(token) ?? this.#verify(service, session).finally(() => this.#doubted.delete(token));
    this.#doubted.set(token, pending);
    await pending;
  }

  async #verify(service: Service, session: Session): Promise<void> {
    try {
      const client = await this.clientFor(service);
      await client.withCredentials(credentialsOf(session)).me();
    } catch (error) {
      if (error instanceof BuildServiceError && error.kind === 'unauthorized') {
        if (await this.#sessions.removeIfCurrent(session)) {
          this.#expired.fire(error);
        }
      } else if (!(error instanceof BuildServiceError)) {
        this.#log.error('Checking a session', error);
      }
    }
  }
}

function preference(service: Service): string {
  return `account/${service.url.origin}`;
}
