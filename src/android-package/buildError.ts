/** Called with each line of a log as soon as it's written. */
export type WriteLog = (line: string) => void;

/** A file in the job's work folder, with its file name for downloads. */
export interface BuiltFile {
  readonly path: string;
  readonly fileName: string;
}

/** Thrown when an app can't be built. The message is for its developers and doesn't contain secrets. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/** Thrown when the app's pages call plugins that the builder doesn't support. */
export class UnsupportedPluginError extends BuildError {
  /** List items in the message, keyed by the plugin's current name. */
  readonly plugins: ReadonlyMap<string, string>;

  /** @param advice sentences to append to the list */
  constructor(plugins: ReadonlyMap<string, string>, advice: string) {
    super(`Plugin not supported: ${[...plugins.values()].join(', ')}. ${advice}`);
    this.plugins = plugins;
  }
}
