import * as vscode from 'vscode';
import type { Connections } from '../../auth/connection.ts';
import type { OwnRows, ResourcePresenter } from '../../resources/tree/presenter.ts';
import type { ResourceNode } from '../../resources/tree/resourceNode.ts';
import type { TreeNode } from '../../resources/tree/treeNode.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { FolderApps } from '../folders/folderApps.ts';
import type { BuildWatcher } from '../watching/buildWatcher.ts';

interface AppPresenterDependencies {
  readonly connections: Connections;
  readonly folders: FolderApps;
  readonly watcher: BuildWatcher;
}

/** Shows apps, their builds, keys and collaborators in rows of their own. */
export class AppPresenter extends Disposable implements ResourcePresenter {
  readonly #changed = this.register(new vscode.EventEmitter<readonly string[] | undefined>());
  readonly onDidChange = this.#changed.event;

  constructor(dependencies: AppPresenterDependencies) {
    super();
    void dependencies;
  }

  roots(): Promise<{ readonly above: readonly TreeNode[]; readonly below: readonly TreeNode[] }> {
    return Promise.resolve({ above: [], below: [] });
  }

  resourceNode(): ResourceNode | undefined {
    return undefined;
  }

  rowsOf(): OwnRows | undefined {
    return undefined;
  }
}
