import * as vscode from 'vscode';
import { label } from '../../api/hypermedia/label.ts';
import type { ServiceSelection } from '../../auth/serviceSelection.ts';
import { plainText } from '../../workbench/plainText.ts';
import type { FolderApps } from '../folders/folderApps.ts';
import { BuildTerminal, type BuildTerminalDependencies } from './buildTerminal.ts';
import { PROBLEM_MATCHER, TASK_TYPE } from './taskType.ts';

export interface BuildTasksDependencies extends BuildTerminalDependencies {
  readonly selection: ServiceSelection;
  readonly folders: FolderApps;
}

/** The tasks that build folders. */
export class BuildTasks {
  readonly #dependencies: BuildTasksDependencies;

  constructor(dependencies: BuildTasksDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * A task for each linked folder. VS Code asks several times for one key press: nothing is asked of the service, nor is it
   * started.
   */
  provide(): vscode.Task[] {
    const { selection, folders } = this.#dependencies;
    const service = serviceOf(selection);
    if (service === undefined) {
      return [];
    }
    return folders.all({ service }).map(({ folder, app }) => {
      const name = plainText(vscode.l10n.t('build {0}', label(app.title)));
      const task = this.#toTask({ type: TASK_TYPE }, folder, name, vscode.l10n.t('App Build'));
      task.group = vscode.TaskGroup.Build;
      return task;
    });
  }

  /**
   * Gives a task of tasks.json what it runs. VS Code drops a task silently unless this is another one that holds the very same
   * definition.
   */
  resolve({ definition, scope, name, source }: vscode.Task): vscode.Task {
    return this.#toTask(definition, scope ?? vscode.TaskScope.Workspace, name, source);
  }

  /** What a task runs in. @param folder of the task; asked for when it has none. */
  terminal(definition: vscode.TaskDefinition, folder: vscode.WorkspaceFolder | undefined): vscode.Pseudoterminal {
    return new BuildTerminal(definition, folder, this.#dependencies);
  }

  #toTask(
    definition: vscode.TaskDefinition,
    scope: vscode.WorkspaceFolder | vscode.TaskScope,
    name: string,
    source: string,
  ): vscode.Task {
    const folder = typeof scope === 'object' ? scope : undefined;
    const execution = new vscode.CustomExecution((resolved) =>
      // A callback that rejects would leave the task running for ever, without a word: the terminal tells what is wrong.
      Promise.resolve(this.terminal(resolved, folder)),
    );
    return new vscode.Task(definition, scope, name, source, execution, PROBLEM_MATCHER);
  }
}

/** The service in use, without starting it; undefined when the setting is not the URL of one. */
function serviceOf(selection: ServiceSelection) {
  try {
    return selection.current;
  } catch {
    return undefined;
  }
}
