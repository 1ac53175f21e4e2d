import * as vscode from 'vscode';
import type { Apps } from '../apps.ts';
import { TASK_TYPE } from './taskType.ts';

/** Registers the tasks of linked folders. Cheap: what they do is loaded when one is asked for. */
export function registerBuildTasks(loadApps: () => Promise<Apps>): vscode.Disposable {
  return vscode.tasks.registerTaskProvider(TASK_TYPE, {
    provideTasks: async () => (await loadApps()).tasks.provide(),
    resolveTask: async (task) => (await loadApps()).tasks.resolve(task),
  });
}
