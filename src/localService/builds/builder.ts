import { MAX_SHOWN_LENGTH } from '../limits.ts';
import type { DataFiles } from '../store/dataFiles.ts';
import type { App, Fingerprints, KeyFile, KeyPasswords, Platform, SignedWith, SigningKey } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import type { AppFiles } from './packages/appFiles.ts';

/** Receives a line of a log as soon as there is one. */
export type Log = (line: string) => void;

/** Where builds find apps and signing keys, and keep their files. */
export interface BuildData {
  readonly store: Store;
  readonly files: DataFiles;
}

/** A sentence for each platform that can't be built here: what's missing. */
export type Obstacles = Readonly<Partial<Record<Platform, string | undefined>>>;

/** Makes artifacts of apps. */
export interface Builder {
  /** `builtin` or `cordova`; a test has others. */
  readonly name: string;
  /**
   * May be asked often, and is asked before the name is read and before a build: a tool that was installed meanwhile counts from then
   * on.
   */
  readonly platforms: () => Promise<Obstacles>;
  /** The platforms that another builder builds for, and its name. */
  readonly builtBy?: Readonly<Partial<Record<Platform, Builder['name']>>> | undefined;
  /** The plugins that apps may use; absent when it takes any. */
  readonly plugins?: readonly BuilderPlugin[] | undefined;
  /**
   * Builds an app for one platform that can be built here.
   *
   * @param log receives each line of the log as soon as there is one
   * @param signal aborted when the result is wanted no more, or time is up: everything that was started has ended when
   *   the promise settles
   * @throws BuildError when the app cannot be built; any other error is a failure of the service
   */
  readonly build: (job: BuildJob, log: Log, signal: AbortSignal) => Promise<BuildResult>;
}

/** A plugin that apps may use. */
export interface BuilderPlugin {
  readonly name: string;
  readonly version: string;
  /** The variables that an app must set in its config.xml. */
  readonly variables: readonly string[];
  /** For each platform for which this machine can't build the plugin, a sentence about what is missing. */
  readonly unavailable?: Obstacles;
}

/** The input of a builder. Paths are absolute. */
export interface BuildJob {
  readonly app: App;
  readonly platform: Platform;
  readonly source: AppFiles;
  /** An empty folder for the builder, which is removed after the build. */
  readonly workFolder: string;
  /** The uploaded icon, a PNG file. */
  readonly icon: string | undefined;
  /** The key to sign with: that of the app, or the default one of its owner for this platform. */
  readonly key: BuildKey | undefined;
  /** The highest version code of the app's packages that a key of the user's signed. */
  readonly lastVersionCode?: number | undefined;
}

/** A signing key with all that is needed to use it. */
export interface BuildKey {
  readonly key: SigningKey;
  /** Paths; none for a key of the demo data, which cannot sign. */
  readonly files: Readonly<Partial<Record<KeyFile, string>>>;
  /** `undefined` while the key is locked. */
  readonly passwords: KeyPasswords | undefined;
}

export interface BuildResult {
  /** A file in the job's work folder. */
  readonly path: string;
  /** The name under which it is downloaded. */
  readonly fileName: string;
  /** Absent when it is not signed, or the builder does not know. */
  readonly signedWith?: SignedWith;
  /** The builder that made it, where another one was asked. */
  readonly builder?: Builder['name'];
  /** The app bundle for Google Play, which is made with a key of the user's. */
  readonly bundle?: BuiltFile;
  /** The version code of a package for Android that a key of the user's signed: shops take only higher ones after it. */
  readonly versionCode?: number;
  /** The fingerprints of the certificate that it is signed with. */
  readonly fingerprints?: Fingerprints;
}

/** A file in the job's work folder, and the name under which it's downloaded. */
export interface BuiltFile {
  readonly path: string;
  readonly fileName: string;
}

/** The app cannot be built. The message is for its developers, without secrets. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/** The pages of an app call plugins that the builder doesn't have. */
export class UnsupportedPluginError extends BuildError {
  /** The names of the plugins, as they are today, and how the message lists each. */
  readonly plugins: ReadonlyMap<string, string>;

  /** @param advice sentences that follow the list */
  constructor(plugins: ReadonlyMap<string, string>, advice: string) {
    super(`Plugin not supported: ${[...plugins.values()].join(', ')}. ${advice}`);
    this.plugins = plugins;
  }
}

/** The extensions of packages. All of them are zip archives. */
export const EXTENSIONS: Readonly<Record<Platform, string>> = {
  android: 'apk',
  ios: 'ipa',
  winphone: 'xap',
  browser: 'zip',
};

/**
 * The name of an artifact without its extension, `TITLE-VERSION`, in characters that every file system takes. A title that
 * has none of them becomes `app`.
 */
export function artifactName(title: string, version: string): string {
  return [fileNamePart(title) || 'app', fileNamePart(version)].filter((part) => part !== '').join('-');
}

function fileNamePart(text: string): string {
  // NFKD parts letters from their accents, which are dropped.
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, MAX_SHOWN_LENGTH)
    .replace(/(?<![-.])[-.]+$/, '');
}
