import * as vscode from 'vscode';
import type { SignedInConnection } from '../../auth/connection.ts';
import { Disposable } from '../../workbench/disposable.ts';

/** The app that a folder is built as, at one service. */
export interface FolderApp {
  /** Absolute address of the app. */
  readonly url: string;
  /** As it was when the link was made: for questions before the app is loaded. */
  readonly title: string;
  /** Folder of the web project below the workspace folder, with `/`; empty when it is that folder. */
  readonly project: string;
}

/**
 * Which app each folder is built as: remembered per folder and service, over sessions of the local service at other ports.
 * Kept in the global state, one key a pair, so that windows do not overwrite each other's.
 */
export class FolderApps extends Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  /** Fires when a folder is linked or unlinked in this window. */
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    super();
    this.#memento = memento;
  }

  /** The app of a folder at the service of `connection`; undefined when it has none. */
  of(_folder: vscode.Uri, _connection: Pick<SignedInConnection, 'service' | 'client'>): FolderApp | undefined {
    void this.#memento;
    return undefined;
  }

  /** The folders of this window that are linked at the service of `connection`, in the order of the workspace. */
  all(
    _connection: Pick<SignedInConnection, 'service' | 'client'>,
  ): readonly { readonly folder: vscode.WorkspaceFolder; readonly app: FolderApp }[] {
    return [];
  }

  /** Links a folder, or with undefined unlinks it. */
  set(
    _folder: vscode.Uri,
    _connection: Pick<SignedInConnection, 'service' | 'client'>,
    _app: FolderApp | undefined,
  ): Promise<void> {
    return Promise.reject(new Error('Not written yet.'));
  }
}
