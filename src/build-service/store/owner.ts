/**
 * Manages the service's owner: a user, and the client application that represents the extension in the owner's editor.
 */
import { userInfo } from 'node:os';

import { timestamp } from './model.ts';
import { createHexSecret, type HashedPassword } from './secrets.ts';
import type { Store } from './store.ts';
import { createAuthToken, findAuthTokens, issueAccessToken } from './tokens.ts';
import { editClient, findClient, findUser, registerClient } from './users.ts';

const CLIENT_NAME = 'VS Code: App Build';
const CLIENT_MAIN_URL = 'https://code.visualstudio.com/';
const DEFAULT_CALLBACK_URL = 'vscode://app-build.app-build-service/auth/callback';

/** Credentials that the program prints. They're valid after {@link ensureOwnerCredentials}. */
export interface OwnerCredentials {
  readonly username: string;
  readonly password: string;
  /** Token of the demo user. Empty for any other owner, who doesn't have a token at first. */
  readonly authToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Callback URL of the owner's client. Empty if the client was deleted. */
  readonly callbackUrl: string;
}

/** The single row of the table `service`. */
interface ServiceRow {
  /** The service's last port, or `null` before the first run. It's reused because clients store tokens per origin. */
  readonly port: number | null;
  /** Address where a process is serving the data. `null` if none is. */
  readonly address: string | null;
  readonly ownerId: number;
  /** Password of the owner. Stored unhashed, so that the program can print it. */
  readonly ownerPassword: string;
  /** ID of the owner's client. Empty before {@link ensureOwnerCredentials}. */
  readonly ownerClientId: string;
  readonly ownerClientSecret: string;
  /** 1 if the data was created as demo data. Demo users don't need a password on the sign-in page. */
  readonly hasDemoData: 0 | 1;
}

/** Reads the single row of the table `service`. */
export function readServiceRow(store: Store): ServiceRow {
  return store.get('SELECT * FROM service') as unknown as ServiceRow;
}

/**
 * Adds the owner to an empty database.
 *
 * @param username name from {@link ownerName}
 */
export function insertOwner(store: Store, username: string, password: HashedPassword): void {
  const createdAt = timestamp();
  store.transaction(() => {
    const user = { id: 1, username, email: `${username}@localhost`, createdAt, updatedAt: createdAt };
    store.insert('users', { ...user, password: password.hash });
    insertService(store, { ownerId: user.id, ownerPassword: password.text, hasDemoData: 0 });
  });
}

/** Adds the single row, with a random signing key. The owner must exist. */
export function insertService(
  store: Store,
  owner: Pick<ServiceRow, 'ownerId' | 'ownerPassword' | 'hasDemoData'>,
): void {
  const client = { ownerClientId: '', ownerClientSecret: '' };
  store.insert('service', { id: 1, signingKey: createHexSecret(32), ...owner, ...client });
}

/** Returns the owner's credentials, which are valid after {@link ensureOwnerCredentials}. */
export function getOwnerCredentials(store: Store): OwnerCredentials {
  const { ownerId, ownerPassword, ownerClientId, ownerClientSecret, hasDemoData } = readServiceRow(store);
  return {
    username: findUser(store, ownerId)?.username ?? '',
    password: ownerPassword,
    // Without demo data, the owner creates tokens on the account page, and the program doesn't print them.
    authToken: hasDemoData === 1 ? (findAuthTokens(store, ownerId)[0]?.token ?? '') : '',
    clientId: ownerClientId,
    clientSecret: ownerClientSecret,
    callbackUrl: findClient(store, ownerClientId)?.callbackUrl ?? '',
  };
}

/**
 * Makes the owner's credentials valid: creates the client and the demo user's token if they're missing. Also sets the
 * client's callback URL if `callbackUrl`, which must be valid, is given.
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
 * Issues an access token (contract, OAuth) that lets the extension act for the owner, as if the owner had consented.
 * The account page lists the extension and can revoke its access.
 */
export function issueOwnerAccessToken(store: Store): string {
  ensureOwnerCredentials(store, undefined);
  const { ownerId, ownerClientId } = readServiceRow(store);
  return issueAccessToken(store, ownerId, ownerClientId);
}

/** Matches invisible characters, which can make a name look like another one. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Matches characters to replace in a user name, such as spaces, which email addresses don't allow, and colons, which
 * basic authentication doesn't allow (RFC 7617 §2).
 */
const REFUSED = /[^\p{L}\p{M}\p{N}._-]+/gu;

/**
 * Returns the owner's user name, derived from the system's user name, or `owner` if that name has no usable characters.
 */
export function ownerName(name = systemUserName()): string {
  const usable = name.replace(INVISIBLE, '').normalize('NFC').replace(REFUSED, '-');
  return usable.replace(/^[\p{M}._-]+/u, '').replace(/(?<![._-])[._-]+$/, '') || 'owner';
}

function systemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // The system has no entry for the user, as in a container with an arbitrary user ID.
    return '';
  }
}
