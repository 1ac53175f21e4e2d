/** The service's data as readonly values. Timestamps are ISO 8601 in UTC, to the second. `expiresAt` is in milliseconds since the epoch. */
import type { Fingerprints, Platform, Plugin, SignedWith } from '../../android-package/index.ts';

/**
 * Platforms that every app has, even if they can't be built, because clients wait for a result for each. Windows Phone
 * is discontinued, so an app has it only if a request specified it.
 */
export const APP_PLATFORMS = ['android', 'ios'] as const;

/**
 * Platforms that signing keys can be for. The service doesn't build apps for `windows`, but clients store keys for it.
 */
export const KEY_PLATFORMS = ['android', 'ios', 'winphone', 'windows'] as const;
/** A platform that a signing key can be for. */
export type KeyPlatform = (typeof KEY_PLATFORMS)[number];

/** Status of a build. `null` if no build was requested. `skip` if the platform was omitted on purpose. */
export type BuildStatus = 'pending' | 'complete' | 'error' | 'skip' | null;

/** A user of the service. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /**
   * Hash in the format of `secrets.ts`. `null` for a user who registered through an external code-hosting account (contract,
   * Authentication, rule 2).
   */
  readonly password: string | null;
}

/** A simple authentication token. Stored unhashed, because the account page shows it again. */
export interface AuthToken {
  readonly id: string;
  readonly userId: number;
  readonly name: string;
  readonly token: string;
  readonly createdAt: string;
}

/** A registered client application. */
export interface Client {
  /** The client ID. */
  readonly id: string;
  readonly ownerId: number;
  readonly name: string;
  readonly mainUrl: string;
  readonly callbackUrl: string;
  readonly secretHash: string;
  readonly createdAt: string;
}

/** An authorization code that hasn't been exchanged yet. */
export interface AuthorizationCode {
  readonly userId: number;
  readonly clientId: string;
  readonly expiresAt: number;
  /** PKCE challenge for the S256 method (RFC 7636). `null` if the client didn't send one. */
  readonly challenge: string | null;
  /** The `redirect_uri` of the client's request. `null` if the client didn't send one. */
  readonly redirectUri: string | null;
}

/** Role of a collaborator in an app. */
export type Role = 'admin' | 'developer' | 'tester';

/** A user who works on an app, or who was invited to. */
export interface Participant {
  readonly id: number;
  /** The user's email address. */
  readonly person: string;
  readonly role: Role;
  /** ID of the user. `null` if no user had this email address at the time of the invitation. */
  readonly userId: number | null;
}

/** Types of files that apps are built from. Earlier versions also stored `tar.gz`, which can't be built. */
export type PackageType = 'zip' | 'tar.gz' | 'html';

/** The package of an app: uploaded, or cloned from its repository. */
export interface Upload {
  /** Name in `DataFiles`. */
  readonly file: string;
  readonly type: PackageType;
  /** Size in bytes. */
  readonly size: number;
}

/** An app. */
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
  /** Time when each build was requested, in milliseconds since the epoch. */
  readonly queuedAt: Readonly<Partial<Record<Platform, number>>>;
  /** File name of the icon. `null` if the app doesn't have one. */
  readonly icon: string | null;
  /** Name of the icon in `DataFiles`. `null` for a demo icon. */
  readonly iconFile: string | null;
  /** The package. `null` for a demo app, which was never uploaded. */
  readonly upload: Upload | null;
  /** Branch or tag of `repo`. `null` for the default branch. */
  readonly tag: string | null;
  /** Whether other users can install the app with a link. */
  readonly share: boolean;
  readonly plugins: readonly Plugin[];
  /** IDs of signing keys. */
  readonly keys: Readonly<Partial<Record<Platform, number>>>;
  readonly participants: readonly Participant[];
}

/** The latest build of an app for a platform. Times are milliseconds since the epoch. */
export interface Build {
  readonly appId: number;
  readonly platform: Platform;
  readonly status: BuildStatus;
  /** A message for the user. `null` unless the status is `error`. */
  readonly error: string | null;
  /** Number of the build among this app's builds for this platform, starting at 1. 0 for a demo build. */
  readonly number: number;
  readonly queuedAt: number | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Name in `DataFiles`. `null` for a demo build and before a build starts. */
  readonly logFile: string | null;
  /** The result. `null` for a demo build and until the build is complete. */
  readonly artifact: Artifact | null;
  /** Highest version code among the app's packages that were signed with a user's key. `null` if there are none. */
  readonly versionCode: number | null;
}

/** A file that a build created. */
export interface ArtifactFile {
  /** Name in `DataFiles`. */
  readonly file: string;
  /** File name of the download. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** The result of a build. */
export interface Artifact extends ArtifactFile {
  /** Name of the builder that created the package. */
  readonly builder: string;
  /** Kind of signing key. `null` if the package isn't signed or the builder doesn't report it. */
  readonly signedWith: SignedWith | null;
  /** Fingerprints of the signing certificate. `null` if the package isn't signed or the builder doesn't report them. */
  readonly fingerprints: Fingerprints | null;
  /** The app bundle for Google Play. `null` if the build didn't create one. */
  readonly bundle: ArtifactFile | null;
}

/** A signing key. */
export interface SigningKey {
  readonly id: number;
  readonly ownerId: number;
  readonly platform: KeyPlatform;
  readonly title: string;
  readonly default: boolean;
  /** Whether the key is locked, so that the service doesn't have its passwords. */
  readonly locked: boolean;
  readonly createdAt: string;
  /** Time of the last build that used the key. `null` if the key was never used. */
  readonly lastUsedAt: string | null;
  /** For `android`, the key's alias in the keystore. */
  readonly alias: string | null;
  /** For `winphone`, the publisher's ID. */
  readonly publisherId: string | null;
  /** Expiration date of the key's certificate or profile. `null` if the service couldn't read it from the files. */
  readonly expiresAt: string | null;
  /** Fingerprints of the key's certificate. `null` if the service couldn't read them from the files. */
  readonly fingerprints: Fingerprints | null;
  /** For `ios`, the app ID of the key's profile. `null` if the service couldn't read it. */
  readonly appId: string | null;
  /**
   * Names in `DataFiles`. Keys for `android` and `windows` have `keystore`, and keys for `ios` have `cert` and
   * `profile`. Empty for a demo key.
   */
  readonly files: Readonly<Partial<Record<KeyFileField, string>>>;
}

/** Upload fields for the files of signing keys. */
export type KeyFileField = 'keystore' | 'cert' | 'profile';

/**
 * Upload fields for the passwords of signing keys. Keys for `android` have `key_pw` and `keystore_pw`. Other keys have
 * `password`.
 */
export const KEY_PASSWORDS = ['key_pw', 'keystore_pw', 'password'] as const;
/** Known passwords of a signing key, keyed by field. */
export type KeyPasswords = Readonly<Partial<Record<(typeof KEY_PASSWORDS)[number], string>>>;

/** Formats a time as the service stores it: ISO 8601 in UTC, to the second. */
export function timestamp(date = new Date()): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
