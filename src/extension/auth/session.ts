import type * as vscode from 'vscode';
import { type Credentials, parseServiceUrl, type ServiceUrl } from '../../service-client/index.ts';
import { toPlainText } from '../workbench/texts.ts';

/** Signed-in account at one service. Each session is stored as a separate secret. */
export interface Session extends vscode.AuthenticationSession {
  /** Service that issued the token. The token is sent only to this service's origin. */
  readonly service: ServiceUrl;
  readonly username: string;
  /** Type of the token: an OAuth access token, or the contract's simple authentication token. */
  readonly tokenType: 'accessToken' | 'authToken';
}

/** Credentials that a session can store. */
export type SessionToken = Extract<Credentials, { readonly type: Session['tokenType'] }>;

/** Returns the credentials of a session. */
export function getSessionToken(session: Session): SessionToken {
  return session.tokenType === 'accessToken'
    ? { type: 'accessToken', accessToken: session.accessToken }
    : { type: 'authToken', authToken: session.accessToken };
}

/**
 * Creates a session for the user that the service reported. VS Code identifies accounts by their label, so the label contains the host, and
 * the scheme if it isn't https. Sessions with different accounts or sets of scopes never have the same ID.
 */
export function newSession(
  service: ServiceUrl,
  username: string,
  token: SessionToken,
  scopes: readonly string[],
): Session {
  const { host, protocol } = new URL(service.href);
  const account = {
    id: `${service.origin}#${username.replace(/[%#]/g, encodeURIComponent)}`,
    label: toPlainText(`${username} (${protocol === 'https:' ? host : `${protocol}//${host}`})`),
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

/** Percent-encodes the separators between the parts of an ID. */
function escapeScope(scope: string): string {
  return scope.replace(/[%# ]/g, encodeURIComponent);
}

/** Reports whether both lists contain the same scopes, in any order. */
export function sameScopes(left: readonly string[], right: readonly string[]): boolean {
  const [a, b] = [new Set(left), new Set(right)];
  return a.size === b.size && [...a].every((scope) => b.has(scope));
}

/** Returns the stored form of a session. */
export function serialize(session: Session): string {
  const { service, username, tokenType, accessToken, scopes } = session;
  return JSON.stringify({ service: service.href, username, tokenType, accessToken, scopes });
}

/** Reads the output of {@link serialize}. Returns undefined for any other text. */
export function deserialize(text: string): Session | undefined {
  try {
    const { service, username, tokenType, accessToken, scopes } = JSON.parse(text) as Record<string, unknown>;
    if (
      typeof service !== 'string' ||
      typeof username !== 'string' ||
      typeof accessToken !== 'string' ||
      username === '' ||
      accessToken === '' ||
      !isStringArray(scopes)
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

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
