/** Receives a line of a log immediately. */
export type WriteLog = (line: string) => void;

/** A file in the job's work folder, with the file name of its download. */
export interface BuiltFile {
  readonly path: string;
  readonly fileName: string;
}

/** The app can't be built. The message is for its developers and doesn't contain secrets. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/** The app's pages call plugins that the builder doesn't have. */
export class UnsupportedPluginError extends BuildError {
  /** Current names of the plugins, with the message's list item for each. */
  readonly plugins: ReadonlyMap<string, string>;

  /** @param advice sentences after the list */
  constructor(plugins: ReadonlyMap<string, string>, advice: string) {
    super(`Plugin not supported: ${[...plugins.values()].join(', ')}. ${advice}`);
    this.plugins = plugins;
  }
}
