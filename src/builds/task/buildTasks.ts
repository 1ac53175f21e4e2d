import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { label } from '../../api/hypermedia/label.ts';
import type { ServiceSelection } from '../../auth/serviceSelection.ts';
import { plainText } from '../../workbench/texts.ts';
import type { FolderApps } from '../../apps/folderApps.ts';
import { BuildTerminal, type BuildTerminalDependencies } from './buildTerminal.ts';
import { PROBLEM_MATCHER, TASK_TYPE } from '../names.ts';

interface BuildTasksDependencies extends BuildTerminalDependencies {
  readonly selection: ServiceSelection;
  readonly folders: FolderApps;
}

/** The tasks that build folders. */
export class BuildTasks implements vscode.TaskProvider {
  readonly #dependencies: BuildTasksDependencies;
  /** The definitions of the running tasks, in a workspace of several folders. */
  readonly #running = new Set<vscode.TaskDefinition>();

  constructor(dependencies: BuildTasksDependencies) {
    this.#dependencies = dependencies;
  }

  /** A task for each linked folder. VS Code asks several times for one key press: the service is not asked. */
  provideTasks(): vscode.Task[] {
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
  resolveTask({ definition, scope, name, source }: vscode.Task): vscode.Task {
    return this.#toTask(definition, scope ?? vscode.TaskScope.Workspace, name, source);
  }

  /** The terminal of a task. @param folder of the task; asked for when it has none. @param onEnd called when it is over. */
  terminal(
    definition: vscode.TaskDefinition,
    folder: vscode.WorkspaceFolder | undefined | Promise<vscode.WorkspaceFolder | undefined>,
    onEnd: () => void = () => undefined,
  ): vscode.Pseudoterminal {
    return new BuildTerminal(definition, folder, this.#dependencies, onEnd);
  }

  #toTask(
    definition: vscode.TaskDefinition,
    scope: vscode.WorkspaceFolder | vscode.TaskScope,
    name: string,
    source: string,
  ): vscode.Task {
    const execution = new vscode.CustomExecution((resolved) =>
      // A callback that rejects would leave the task running for ever, without a word: the terminal shows the problem.
      Promise.resolve(this.#start(definition, resolved)),
    );
    return new vscode.Task(definition, scope, name, source, execution, PROBLEM_MATCHER);
  }

  /** @param resolved `definition` with values in place of its variables. */
  #start(definition: vscode.TaskDefinition, resolved: vscode.TaskDefinition): vscode.Pseudoterminal {
    const [only, ...others] = vscode.workspace.workspaceFolders ?? [];
    if (others.length === 0) {
      return this.terminal(resolved, only);
    }
    const isKnown = ![...this.#running].some((each) => isDeepStrictEqual(each, definition));
    this.#running.add(definition);
    return this.terminal(resolved, isKnown ? folderOfStarted(definition) : undefined, () =>
      this.#running.delete(definition),
    );
  }
}

/**
 * The folder of the task that is being started. Tasks of several folders that say the same are one to VS Code: it calls back
 * the execution that it was given last, of whichever folder. The event that follows names the task; but when another one of
 * them is running, it names that one again.
 */
function folderOfStarted(definition: vscode.TaskDefinition): Promise<vscode.WorkspaceFolder | undefined> {
  return new Promise((resolve) => {
    const listener = vscode.tasks.onDidStartTask(({ execution: { task } }) => {
      if (isDeepStrictEqual(task.definition, definition)) {
        listener.dispose();
        resolve(typeof task.scope === 'object' ? task.scope : undefined);
      }
    });
  });
}

/** The service in use, without starting it; undefined when the setting is not the URL of one. */
function serviceOf(selection: ServiceSelection) {
  try {
    return selection.current;
  } catch {
    return undefined;
  }
}
