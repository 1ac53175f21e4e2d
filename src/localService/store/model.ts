/**
 * What the service remembers, as readonly values. Timestamps are ISO 8601 in UTC, to the second; `expiresAt` is milliseconds
 * since the epoch.
 */

/** What an app is built for. */
export const PLATFORMS = ['android', 'ios', 'winphone'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** What signing keys are for: one platform more than apps are built for. */
export const KEY_PLATFORMS = ['android', 'ios', 'winphone', 'windows'] as const;
export type KeyPlatform = (typeof KEY_PLATFORMS)[number];

/** `null`: the platform needs a key and has none. `skip`: this platform is left out on purpose. */
export type BuildStatus = 'pending' | 'complete' | 'error' | 'skip' | null;

export interface User {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Hash as `secrets.ts` makes it; `null` for a user who registered through an external code-hosting login (contract, Authentication, rule 2). */
  readonly password: string | null;
}

/** A simple authentication token. Kept readable, because the account page lets its user obtain it again. */
export interface AuthToken {
  readonly id: string;
  readonly userId: number;
  readonly name: string;
  readonly token: string;
  readonly createdAt: string;
}

/** A registered client application. */
export interface Client {
  /** The Client ID. */
  readonly id: string;
  readonly ownerId: number;
  readonly name: string;
  readonly mainUrl: string;
  readonly callbackUrl: string;
  readonly secretHash: string;
  readonly createdAt: string;
}

/** A user's permission for a client to act for them. */
export interface AccessToken {
  readonly hash: string;
  readonly userId: number;
  readonly clientId: string;
  readonly createdAt: string;
}

/** An authorization code that waits to be exchanged. */
export interface AuthorizationCode {
  readonly hash: string;
  readonly userId: number;
  readonly clientId: string;
  readonly expiresAt: number;
  /** RFC 7636, method S256; `null` when the client sent none. */
  readonly challenge: string | null;
  /** The `redirect_uri` that the client asked with; `null` when it sent none. */
  readonly redirectUri: string | null;
}

/** A signed-in browser. */
export interface BrowserSession {
  readonly hash: string;
  readonly userId: number;
  readonly expiresAt: number;
}

export type Role = 'admin' | 'developer' | 'tester';

/** A user who works on an app. */
export interface Collaborator {
  readonly id: number;
  readonly userId: number;
  readonly role: Role;
}

/** Somebody who was invited to work on an app. */
export interface PendingCollaborator {
  /** E-mail address. */
  readonly person: string;
  readonly role: Role;
}

export interface App {
  readonly id: number;
  readonly ownerId: number;
  readonly title: string;
  readonly package: string;
  readonly version: string;
  readonly description: string;
  readonly repo: string | null;
  readonly debug: boolean;
  readonly private: boolean;
  readonly hydrates: boolean;
  readonly phonegapVersion: string;
  readonly buildCount: number;
  readonly lastBuild: string | null;
  readonly status: Readonly<Partial<Record<Platform, BuildStatus>>>;
  readonly error: Readonly<Partial<Record<Platform, string>>>;
  /** File name of the icon; `null` when the app has none. */
  readonly icon: string | null;
  readonly keys: Readonly<Record<Platform, number | null>>;
  readonly collaborators: readonly Collaborator[];
  readonly pending: readonly PendingCollaborator[];
}

export interface SigningKey {
  readonly id: number;
  readonly ownerId: number;
  readonly platform: KeyPlatform;
  readonly title: string;
  readonly default: boolean;
  readonly locked: boolean;
  readonly createdAt: string;
}

/** The demo user and client, with the secrets that the program prints so that somebody can try the service at once. */
export interface Demo {
  readonly userId: number;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The current time as the service writes it. */
export function timestamp(date = new Date()): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
