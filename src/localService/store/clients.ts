/** Registered client applications (contract, Client application registration). */
import { timestamp, type Client, type State } from './model.ts';
import { createHexSecret, hashSecret, secretsEqual } from './secrets.ts';
import type { Change, Store } from './store.ts';

/** What a developer says of a client application. */
export interface ClientRegistration {
  readonly name: string;
  readonly mainUrl: string;
  readonly callbackUrl: string;
}

/** A client and its secret, which is readable only when it is made. */
export interface ClientWithSecret {
  readonly client: Client;
  readonly secret: string;
}

/** Schemes that a browser runs or reads locally instead of handing the answer to an application. */
const REFUSED_CALLBACK_SCHEMES: readonly string[] = ['javascript:', 'data:', 'file:', 'vbscript:', 'blob:', 'about:'];
const MAX_NAME_LENGTH = 100;

/**
 * Says why a Callback Url cannot be registered; `undefined` when it can. Custom schemes are fine: native applications use
 * them (RFC 8252 §7.1). A fragment is not (RFC 6749 §3.1.2).
 */
export function callbackUrlFault(callbackUrl: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(callbackUrl) || !URL.canParse(callbackUrl)) {
    return 'The Callback Url must be an absolute URL without spaces.';
  }
  const { protocol } = new URL(callbackUrl);
  if (REFUSED_CALLBACK_SCHEMES.includes(protocol)) {
    return `The Callback Url must not start with “${protocol}”.`;
  }
  return callbackUrl.includes('#') ? 'The Callback Url must not contain a fragment (#).' : undefined;
}

/** Says why a client cannot be registered like this; `undefined` when it can. */
export function registrationFault({ name, mainUrl, callbackUrl }: ClientRegistration): string | undefined {
  if (name === '' || name.length > MAX_NAME_LENGTH) {
    return `Give the application a Name of at most ${MAX_NAME_LENGTH} characters.`;
  }
  if (!URL.canParse(mainUrl) || !/^https?:$/.test(new URL(mainUrl).protocol)) {
    return 'The Main Application Url must start with http:// or https://.';
  }
  return callbackUrlFault(callbackUrl);
}

export function findClient(store: Store, id: string): Client | undefined {
  return store.state.clients.find((client) => client.id === id);
}

/** The clients that a user registered. */
export function findClientsOf(store: Store, ownerId: number): readonly Client[] {
  return store.state.clients.filter((client) => client.ownerId === ownerId);
}

/** The client with this ID and this secret. */
export function findClientBySecret(store: Store, id: string, secret: string): Client | undefined {
  const client = findClient(store, id);
  return client !== undefined && secretsEqual(client.secretHash, hashSecret(secret)) ? client : undefined;
}

/** Registers a client without {@link registrationFault}. */
export function registerClient(
  store: Store,
  ownerId: number,
  registration: ClientRegistration,
): Promise<ClientWithSecret> {
  return store.update((state) => addClient(state, ownerId, registration));
}

/** The change behind {@link registerClient}. */
export function addClient(state: State, ownerId: number, registration: ClientRegistration): Change<ClientWithSecret> {
  const secret = createHexSecret(20);
  const client: Client = {
    ...registration,
    id: createHexSecret(10),
    ownerId,
    secretHash: hashSecret(secret),
    createdAt: timestamp(),
  };
  return { state: { ...state, clients: [...state.clients, client] }, result: { client, secret } };
}

/** Changes what is said of a client, to a registration without {@link registrationFault}. */
export function editClient(store: Store, id: string, registration: ClientRegistration): Promise<void> {
  return store.replace((state) => updateClient(state, id, registration));
}

/** Gives a client another secret; the previous one is invalid from then on. */
export function resetClientSecret(store: Store, client: Client): Promise<ClientWithSecret> {
  const secret = createHexSecret(20);
  return store.update((state) => ({
    state: {
      ...updateClient(state, client.id, { secretHash: hashSecret(secret) }),
      demo: state.demo.clientId === client.id ? { ...state.demo, clientSecret: secret } : state.demo,
    },
    result: { client, secret },
  }));
}

/** The state with some fields of a client changed. */
export function updateClient(state: State, id: string, change: Partial<Client>): State {
  return { ...state, clients: state.clients.map((client) => (client.id === id ? { ...client, ...change } : client)) };
}

/** Deletes a client with every permission that it was given. */
export function deleteClient(store: Store, id: string): Promise<void> {
  return store.replace((state) => ({
    ...state,
    clients: state.clients.filter((client) => client.id !== id),
    accessTokens: state.accessTokens.filter(({ clientId }) => clientId !== id),
    codes: state.codes.filter(({ clientId }) => clientId !== id),
  }));
}
