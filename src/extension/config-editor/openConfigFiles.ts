import * as vscode from 'vscode';
import { Disposable } from '../workbench/disposable.ts';
import type { Log } from '../workbench/log.ts';

/** Called once for every config.xml that is open or is opened later. */
export type ConfigEditor = (document: vscode.TextDocument) => void;

/** Loads the editor features for config.xml when the first such file is open. This class is small because it runs at activation. */
export class OpenConfigFiles extends Disposable {
  #editor: Promise<ConfigEditor | undefined> | undefined;

  /**
   * @param load loads the features. Called once, and again for the next file if it rejects.
   * @param log receives the error. The user isn't notified, because they have only opened a file.
   */
  constructor(load: () => Promise<ConfigEditor>, log: Log) {
    super();
    const open = (document: vscode.TextDocument): void => {
      if (document.uri.path.endsWith('/config.xml')) {
        this.#editor ??= load().catch((error: unknown) => {
          this.#editor = undefined;
          log.error('config.xml', error);
          return undefined;
        });
        void this.#editor.then((editor) => editor?.(document));
      }
    };
    vscode.workspace.textDocuments.forEach(open);
    this.register(vscode.workspace.onDidOpenTextDocument(open));
  }
}
