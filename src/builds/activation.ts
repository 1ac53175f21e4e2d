import * as vscode from 'vscode';

/** What activation needs of builds; the rest is loaded when one is shown or started. */

/** The scheme of build logs in editors. */
export const LOG_SCHEME = 'app-build-log';

/** The type of our tasks, as package.json declares it. */
export const TASK_TYPE = 'app-build';

/** The problem matcher of our tasks, as package.json declares it. */
export const PROBLEM_MATCHER = '$app-build';

/** Begins the keys of the global state that say which builds are watched. */
export const WATCHED_PREFIX = 'watchedBuild/';

/** True when builds were left to watch: a window that is loaded goes on with them. */
export function hasWatchedBuilds(globalState: vscode.Memento): boolean {
  return globalState.keys().some((key) => key.startsWith(WATCHED_PREFIX));
}

/** Registers the tasks of linked folders. @param load what provides them, when VS Code asks for one */
export function registerBuildTasks(load: () => Promise<vscode.TaskProvider>): vscode.Disposable {
  return vscode.tasks.registerTaskProvider(TASK_TYPE, {
    provideTasks: async (token) => (await load()).provideTasks(token),
    resolveTask: async (task, token) => (await load()).resolveTask(task, token),
  });
}

/** Shows build logs. @param load what reads them, when one is shown */
export function registerBuildLogs(load: () => Promise<vscode.TextDocumentContentProvider>): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(LOG_SCHEME, {
    provideTextDocumentContent: async (uri, token) => (await load()).provideTextDocumentContent(uri, token),
  });
}
