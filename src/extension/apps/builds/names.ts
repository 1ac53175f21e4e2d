/** Names used by VS Code and in stored state. No other build module is loaded on activation. */

/** URI scheme of build logs. */
export const LOG_SCHEME = 'app-build-log';

/** Type of this extension's tasks, as declared in package.json. */
export const TASK_TYPE = 'app-build';

/** Problem matcher of this extension's tasks, as declared in package.json. */
export const PROBLEM_MATCHER = '$app-build';

/** Key in the global state for a sample project that is about to open in a window. That window then shows the start page. */
export const SAMPLE_KEY = 'sample';

/** Prefix of the keys in the workspace state for watched builds. A window resumes them when it loads. */
export const WATCHED_PREFIX = 'watchedBuild/';

interface KeyStorage {
  keys(): readonly string[];
}

/** Reports whether stored work must be resumed when a window loads. */
export function isUnfinished(globalState: KeyStorage, workspaceState: KeyStorage): boolean {
  return globalState.keys().includes(SAMPLE_KEY) || workspaceState.keys().some((key) => key.startsWith(WATCHED_PREFIX));
}
