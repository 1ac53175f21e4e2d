/**
 * The data of the service, as readonly values. Timestamps are ISO 8601 in UTC, to the second; `expiresAt` is milliseconds
 * since the epoch.
 */

/** The platforms for phones that the contract names. */
export const MOBILE_PLATFORMS = ['android', 'ios', 'winphone'] as const;

/**
 * The platforms that every app has, whether or not they can be built here, because clients wait for a result of each. Windows Phone is
 * discontinued, so an app only has it after a request that names it.
 */
export const APP_PLATFORMS = ['android', 'ios'] as const;

/** The platforms of builds. */
export const PLATFORMS = [...MOBILE_PLATFORMS, 'browser'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The platforms of signing keys. Apps are not built for `windows`, but clients keep its keys here. */
export const KEY_PLATFORMS = ['android', 'ios', 'winphone', 'windows'] as const;
export type KeyPlatform = (typeof KEY_PLATFORMS)[number];

/** `null`: there was no request for a build. `skip`: this platform is left out on purpose. */
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

/** An authorization code that waits to be exchanged. */
export interface AuthorizationCode {
  readonly userId: number;
  readonly clientId: string;
  readonly expiresAt: number;
  /** RFC 7636, method S256; `null` when the client sent none. */
  readonly challenge: string | null;
  /** The `redirect_uri` that the client asked with; `null` when it sent none. */
  readonly redirectUri: string | null;
}

export type Role = 'admin' | 'developer' | 'tester';

/** A user who works on an app, or who was invited to. */
export interface Participant {
  readonly id: number;
  /** Email address. */
  readonly person: string;
  readonly role: Role;
  /** `null`: there was no account with this address when they were invited. */
  readonly userId: number | null;
}

/** The types of files that apps are built from. Earlier versions also stored `tar.gz`, which can't be built. */
export type PackageType = 'zip' | 'tar.gz' | 'html';

/** The package of an app: uploaded, or fetched from its repository. */
export interface Upload {
  /** Name in `DataFiles`. */
  readonly file: string;
  readonly type: PackageType;
  /** Bytes. */
  readonly size: number;
}

/** A plugin that config.xml names. */
export interface Plugin {
  readonly name: string;
  /** The version, range or address in config.xml; `null` when it has none. */
  readonly version: string | null;
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
  /** When each build was requested, in milliseconds since the epoch. */
  readonly queuedAt: Readonly<Partial<Record<Platform, number>>>;
  /** File name of the icon; `null` when the app has none. */
  readonly icon: string | null;
  /** Name of the icon in `DataFiles`; `null` for an icon of the demo data. */
  readonly iconFile: string | null;
  /** `null` for an app of the demo data, which was never uploaded. */
  readonly upload: Upload | null;
  /** Branch or tag of `repo`; `null`: its default branch. */
  readonly tag: string | null;
  /** Whether others may install the app by a link. */
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
  /** A sentence for a person; `null` unless the status is `error`. */
  readonly error: string | null;
  /** Counts the builds of this app for this platform, from 1; 0 for a build of the demo data. */
  readonly number: number;
  readonly queuedAt: number | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Name in `DataFiles`; `null` before the build has started, and for a build of the demo data. */
  readonly logFile: string | null;
  /** `null` until the build is complete, and for a build of the demo data. */
  readonly artifact: Artifact | null;
  /** The highest version code of the app's packages that a key of the user's signed; `null`: none did. */
  readonly versionCode: number | null;
}

/** A file that a build has made. */
export interface ArtifactFile {
  /** Name in `DataFiles`. */
  readonly file: string;
  /** The name under which it is downloaded. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** The result of a build. */
export interface Artifact extends ArtifactFile {
  /** Name of the builder that made it. */
  readonly builder: string;
  /** `null`: it is not signed, or the builder does not know. */
  readonly signedWith: SignedWith | null;
  /** The fingerprints of the signing certificate; `null`: it is not signed, or the builder does not know. */
  readonly fingerprints: Fingerprints | null;
  /** The app bundle for Google Play; `null`: none was made. */
  readonly bundle: ArtifactFile | null;
}

/** A key of its owner, or one that the service makes for tests. */
export type SignedWith = 'signing key' | 'test key';

/** Digests of a certificate, as Java and Google Play show them: pairs of hexadecimal digits with colons between. */
export interface Fingerprints {
  readonly sha1: string;
  readonly sha256: string;
}

export interface SigningKey {
  readonly id: number;
  readonly ownerId: number;
  readonly platform: KeyPlatform;
  readonly title: string;
  readonly default: boolean;
  /** Whether its passwords are unknown to the service at this moment. */
  readonly locked: boolean;
  readonly createdAt: string;
  /** `null`: never. */
  readonly lastUsedAt: string | null;
  /** android: the alias in the keystore. */
  readonly alias: string | null;
  /** winphone: the ID of the publisher. */
  readonly publisherId: string | null;
  /** When its certificate or its profile expires; `null` when the service could not read it from the files. */
  readonly expiresAt: string | null;
  /** The fingerprints of its certificate; `null` when the service could not read them from the files. */
  readonly fingerprints: Fingerprints | null;
  /** ios: the app that its profile is for; `null` when the service could not read it. */
  readonly appId: string | null;
  /** Names in `DataFiles`. android, windows: `keystore`; ios: `cert` and `profile`. Empty for a key of the demo data. */
  readonly files: Readonly<Partial<Record<KeyFile, string>>>;
}

/** The files of signing keys, by the names of the fields in which they are uploaded. */
export type KeyFile = 'keystore' | 'cert' | 'profile';

/** The passwords of signing keys, by the names of the fields: android has `key_pw` and `keystore_pw`, the others `password`. */
export const KEY_PASSWORDS = ['key_pw', 'keystore_pw', 'password'] as const;
export type KeyPasswords = Readonly<Partial<Record<(typeof KEY_PASSWORDS)[number], string>>>;

/** The current time as the service writes it. */
export function timestamp(date = new Date()): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
