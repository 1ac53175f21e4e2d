import type { DataFiles } from '../store/dataFiles.ts';
import type { App, KeyFileField, KeyPasswords, SigningKey } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import type { AppFiles, BuiltFile, Fingerprints, Platform, SignedWith, WriteLog } from '../../android-package/index.ts';

/** The data that builds use: apps, signing keys, and files. */
export interface BuildData {
  readonly store: Store;
  readonly files: DataFiles;
}

/** Reasons why apps can't be built for certain platforms on this computer, keyed by platform. */
export type UnavailablePlatforms = Readonly<Partial<Record<Platform, string | undefined>>>;

/** Builds packages of apps. */
export interface Builder {
  /** `builtin` or `cordova`. Tests use other names. */
  readonly name: string;
  /**
   * Returns the platforms that can't be built. Called before each build and before `name` is read, so newly installed
   * tools are noticed.
   */
  readonly platforms: () => Promise<UnavailablePlatforms>;
  /** Builders for the platforms that use a different builder, keyed by platform. */
  readonly builtBy?: Readonly<Partial<Record<Platform, Builder['name']>>> | undefined;
  /** Plugins that apps can use. Absent if the builder accepts all plugins. */
  readonly plugins?: readonly BuilderPlugin[] | undefined;
  /**
   * Builds an app for one of the available platforms.
   *
   * @param log receives each line of the log immediately
   * @param signal aborted on timeout or when the result isn't needed anymore. When the promise settles, everything that
   * the build started has ended.
   * @throws BuildError if the app can't be built. Any other error is a failure of the service.
   */
  readonly build: (job: BuildJob, log: WriteLog, signal: AbortSignal) => Promise<BuildResult>;
}

/** A plugin that apps can use. */
export interface BuilderPlugin {
  readonly name: string;
  readonly version: string;
  /** Names of the variables that an app must set in its config.xml. */
  readonly variables: readonly string[];
  /** Reasons why the plugin can't be built on this computer, keyed by platform. */
  readonly unavailable?: UnavailablePlatforms;
}

/** The input of a builder. Paths are absolute. */
export interface BuildJob {
  readonly app: App;
  readonly platform: Platform;
  readonly source: AppFiles;
  /** An empty folder for the builder, which is deleted after the build. */
  readonly workFolder: string;
  /** The uploaded icon, a PNG file. */
  readonly icon: string | undefined;
  /** The signing key: the app's key, or its owner's default key for this platform. */
  readonly key: BuildKey | undefined;
  /** Highest version code among the app's packages that were signed with a user's key. */
  readonly lastVersionCode?: number | undefined;
}

/** A signing key with everything that's required to use it. */
export interface BuildKey {
  readonly key: SigningKey;
  /** Paths of its files. Empty for a demo key, which can't sign. */
  readonly files: Readonly<Partial<Record<KeyFileField, string>>>;
  /** Known passwords. `undefined` if the key is locked. */
  readonly passwords: KeyPasswords | undefined;
}

/** The result of a successful build. */
export interface BuildResult {
  /** Path of the package, a file in the job's work folder. */
  readonly path: string;
  /** File name of the download. */
  readonly fileName: string;
  /** Kind of signing key. Absent if the package isn't signed or the builder doesn't report it. */
  readonly signedWith?: SignedWith;
  /** The builder that created the package, if it isn't the requested one. */
  readonly builder?: Builder['name'];
  /** The app bundle for Google Play. Created only with a user's key. */
  readonly bundle?: BuiltFile;
  /**
   * Version code of an Android package that was signed with a user's key. After that, app stores accept only packages
   * with a higher version code.
   */
  readonly versionCode?: number;
  /** Fingerprints of the signing certificate. */
  readonly fingerprints?: Fingerprints;
}

/** File extensions of packages, which are all zip archives. */
export const EXTENSIONS: Readonly<Record<Platform, string>> = {
  android: 'apk',
  ios: 'ipa',
  winphone: 'xap',
  browser: 'zip',
};
