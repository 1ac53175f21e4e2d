/** The owner of the service: the user, and the client application that is the extension in the owner's editor. */
import { userInfo } from 'node:os';

import { timestamp } from './model.ts';
import { createHexSecret, type HashedPassword } from './secrets.ts';
import type { Store } from './store.ts';
import { createAuthToken, findAuthTokens, issueAccessToken } from './tokens.ts';
import { editClient, findClient, findUser, registerClient } from './users.ts';

const CLIENT_NAME = 'VS Code: App Build';
const CLIENT_MAIN_URL = 'https://code.visualstudio.com/';
const DEFAULT_CALLBACK_URL = 'vscode://app-build.app-build-service/auth/callback';

/** The credentials that the program prints. All of them work after {@link ensureOwnerCredentials}. */
export interface OwnerCredentials {
  readonly username: string;
  readonly password: string;
  /** The token of the demo user; empty for another owner, who starts without one. */
  readonly authToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empty when the client was deleted. */
  readonly callbackUrl: string;
}

/** What there is one of: a row of the table `service`. */
interface ServiceRow {
  /** At which the service was last; `null` before. Clients keep tokens per origin, so it is used again. */
  readonly port: number | null;
  /** Where the data is served; `null` before the process that has it listens, and when it ends. */
  readonly address: string | null;
  readonly ownerId: number;
  /** Kept readable, so that the program can print it. */
  readonly ownerPassword: string;
  /** Empty before {@link ensureOwnerCredentials}. */
  readonly ownerClientId: string;
  readonly ownerClientSecret: string;
  /** 1: the data began as demo data, whose users need no password on the sign-in page. */
  readonly hasDemoData: 0 | 1;
}

export function readServiceRow(store: Store): ServiceRow {
  return store.get('SELECT * FROM service') as unknown as ServiceRow;
}

/** Fills an empty database with its owner, and nothing else. `username` as {@link ownerName} makes it. */
export function insertOwner(store: Store, username: string, password: HashedPassword): void {
  const createdAt = timestamp();
  store.transaction(() => {
    const user = { id: 1, username, email: `${username}@localhost`, createdAt, updatedAt: createdAt };
    store.insert('users', { ...user, password: password.hash });
    insertService(store, { ownerId: user.id, ownerPassword: password.text, hasDemoData: 0 });
  });
}

/** Writes what there is one of, with a random signing key. Its owner is there already. */
export function insertService(
  store: Store,
  owner: Pick<ServiceRow, 'ownerId' | 'ownerPassword' | 'hasDemoData'>,
): void {
  const client = { ownerClientId: '', ownerClientSecret: '' };
  store.insert('service', { id: 1, signingKey: createHexSecret(32), ...owner, ...client });
}

export function getOwnerCredentials(store: Store): OwnerCredentials {
  const { ownerId, ownerPassword, ownerClientId, ownerClientSecret, hasDemoData } = readServiceRow(store);
  return {
    username: findUser(store, ownerId)?.username ?? '',
    password: ownerPassword,
    // An owner without demo data makes tokens on the account page, and they are printed nowhere.
    authToken: hasDemoData === 1 ? (findAuthTokens(store, ownerId)[0]?.token ?? '') : '',
    clientId: ownerClientId,
    clientSecret: ownerClientSecret,
    callbackUrl: findClient(store, ownerClientId)?.callbackUrl ?? '',
  };
}

/**
 * Makes the owner's credentials work: creates the client where it is missing, and the demo user's token, and gives the client
 * `callbackUrl`, which must be acceptable, when one is named.
 */
export function ensureOwnerCredentials(store: Store, callbackUrl: string | undefined): void {
  store.transaction(() => {
    const { ownerId, ownerClientId, hasDemoData } = readServiceRow(store);
    if (hasDemoData === 1 && findAuthTokens(store, ownerId).length === 0) {
      createAuthToken(store, ownerId, 'Demo');
    }
    const client = findClient(store, ownerClientId);
    if (client === undefined) {
      const { client: registered, secret } = registerClient(store, ownerId, {
        name: CLIENT_NAME,
        mainUrl: CLIENT_MAIN_URL,
        callbackUrl: callbackUrl ?? DEFAULT_CALLBACK_URL,
      });
      store.run('UPDATE service SET ownerClientId = ?, ownerClientSecret = ?', registered.id, secret);
    } else if (callbackUrl !== undefined && callbackUrl !== client.callbackUrl) {
      editClient(store, ownerClientId, { ...client, callbackUrl });
    }
  });
}

/**
 * An access token (contract, OAuth) with which the extension acts for the owner, as after that person's consent: the account
 * page shows that it acts, and revokes it.
 */
export function issueOwnerAccessToken(store: Store): string {
  ensureOwnerCredentials(store, undefined);
  const { ownerId, ownerClientId } = readServiceRow(store);
  return issueAccessToken(store, ownerId, ownerClientId);
}

/** Invisible characters, with which a name can look like another one. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** An e-mail address takes no spaces, basic authentication no colon (RFC 7617 §2). Letters have marks. */
const REFUSED = /[^\p{L}\p{M}\p{N}._-]+/gu;

/** The user name of the owner, which is made from that of the system's user; `owner` where nothing of that can be used. */
export function ownerName(name = systemUserName()): string {
  const usable = name.replace(INVISIBLE, '').normalize('NFC').replace(REFUSED, '-');
  return usable.replace(/^[\p{M}._-]+/u, '').replace(/(?<![._-])[._-]+$/, '') || 'owner';
}

function systemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // The system does not know the user, as in a container with a user ID of its own.
    return '';
  }
}
