/** The names by which VS Code and the global state know what is built. Activation needs nothing else of this room. */

/** The scheme of build logs in editors. */
export const LOG_SCHEME = 'app-build-log';

/** The type of our tasks, as package.json declares it. */
export const TASK_TYPE = 'app-build';

/** The problem matcher of our tasks, as package.json declares it. */
export const PROBLEM_MATCHER = '$app-build';

/** Key of the global state for a sample project that a window is opening. That window shows its page. */
export const SAMPLE_KEY = 'sample';

/** Prefix of the keys of the workspace's state for watched builds. A window that loads goes on watching them. */
export const WATCHED_PREFIX = 'watchedBuild/';

interface StoredKeys {
  keys(): readonly string[];
}

/** Whether a window that loads has to resume work that is stored. */
export function isUnfinished(globalState: StoredKeys, workspaceState: StoredKeys): boolean {
  return globalState.keys().includes(SAMPLE_KEY) || workspaceState.keys().some((key) => key.startsWith(WATCHED_PREFIX));
}
