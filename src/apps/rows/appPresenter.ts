import * as vscode from 'vscode';
import type { Connections } from '../../auth/connection.ts';
import type { PresenterChange, PresenterRoots, ResourcePresenter } from '../../resources/tree/presenter.ts';
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
  readonly #changed = this.register(new vscode.EventEmitter<PresenterChange>());
  readonly onDidChange = this.#changed.event;

  constructor({ connections, folders, watcher }: AppPresenterDependencies) {
    super();
    void [connections, folders, watcher];
  }

  /** Has the tree load an app, a key or a list again, which has changed at the service. Rows that are not shown cost nothing. */
  changed(url: string): void {
    this.#changed.fire({ kind: 'resources', urls: [url] });
  }

  /** Has the tree load its lists again: an app, a key or a collaborator was added or deleted. */
  listsChanged(): void {
    this.#changed.fire({ kind: 'lists' });
  }

  roots(): Promise<PresenterRoots> {
    return Promise.resolve({ above: [], below: [] });
  }

  resourceNode(): TreeNode | undefined {
    return undefined;
  }

  rowsOf(): readonly TreeNode[] | undefined {
    return undefined;
  }
}
