import type * as vscode from 'vscode';
import type { Credentials } from '../api/credentials.ts';
import { plainText } from '../workbench/texts.ts';
import { parseServiceUrl, type ServiceUrl } from '../api/serviceUrl.ts';

/** A signed-in account at one service, as it is stored: one secret each. */
export interface Session extends vscode.AuthenticationSession {
  /** The service that the token is for. It is used with that service's origin and no other. */
  readonly service: ServiceUrl;
  readonly username: string;
  /** How the token is presented: an OAuth access token, or the contract's simple authentication token. */
  readonly tokenType: 'accessToken' | 'authToken';
}

export type Token = Extract<Credentials, { readonly type: Session['tokenType'] }>;

export function credentialsOf(session: Session): Token {
  return session.tokenType === 'accessToken'
    ? { type: 'accessToken', accessToken: session.accessToken }
    : { type: 'authToken', authToken: session.accessToken };
}

/**
 * A session of a user that the service has named. VS Code identifies accounts by their label, so it contains the host, and the
 * scheme where it is not https. Accounts, and sets of scopes, that differ never have the same id.
 */
export function newSession(service: ServiceUrl, username: string, token: Token, scopes: readonly string[]): Session {
  const { host, protocol } = new URL(service.href);
  const account = {
    id: `${service.origin}#${username.replace(/[%#]/g, encodeURIComponent)}`,
    label: plainText(`${username} (${protocol === 'https:' ? host : `${protocol}//${host}`})`),
  };
  return {
    id: scopes.length === 0 ? account.id : `${account.id}#${[...new Set(scopes)].sort().map(escapeScope).join(' ')}`,
    accessToken: token.type === 'accessToken' ? token.accessToken : token.authToken,
    account,
    scopes: [...scopes],
    service,
    username,
    tokenType: token.type,
  };
}

/** Percent-encodes what separates the parts of an id. */
function escapeScope(scope: string): string {
  return scope.replace(/[%# ]/g, encodeURIComponent);
}

/** True when both lists name the same scopes, in whatever order. */
export function sameScopes(left: readonly string[], right: readonly string[]): boolean {
  const [a, b] = [new Set(left), new Set(right)];
  return a.size === b.size && [...a].every((scope) => b.has(scope));
}

export function serialise(session: Session): string {
  const { service, username, tokenType, accessToken, scopes } = session;
  return JSON.stringify({ service: service.href, username, tokenType, accessToken, scopes });
}

/** Reads what {@link serialise} wrote; undefined for anything else. */
export function deserialise(text: string): Session | undefined {
  try {
    const { service, username, tokenType, accessToken, scopes } = JSON.parse(text) as Record<string, unknown>;
    if (
      typeof service !== 'string' ||
      typeof username !== 'string' ||
      typeof accessToken !== 'string' ||
      username === '' ||
      accessToken === '' ||
      !isListOfStrings(scopes)
    ) {
      return undefined;
    }
    const url = parseServiceUrl(service);
    if (tokenType === 'accessToken') {
      return newSession(url, username, { type: tokenType, accessToken }, scopes);
    }
    return tokenType === 'authToken'
      ? newSession(url, username, { type: tokenType, authToken: accessToken }, scopes)
      : undefined;
  } catch {
    return undefined;
  }
}

function isListOfStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
