/** The names by which VS Code and the global state know what is built. Activation needs nothing else of this room. */

/** The scheme of build logs in editors. */
export const LOG_SCHEME = 'app-build-log';

/** The type of our tasks, as package.json declares it. */
export const TASK_TYPE = 'app-build';

/** The problem matcher of our tasks, as package.json declares it. */
export const PROBLEM_MATCHER = '$app-build';

/** The key of the global state that says which sample project a window opens: that window goes on with it. */
export const SAMPLE_KEY = 'sample';

/** Begins the keys of the global state that say which builds are watched: a window that is loaded goes on with them. */
export const WATCHED_PREFIX = 'watchedBuild/';

/** Whether a key of the global state is of what a window that is loaded goes on with. */
export function isUnfinished(key: string): boolean {
  return key === SAMPLE_KEY || key.startsWith(WATCHED_PREFIX);
}
