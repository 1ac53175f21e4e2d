import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';

/** Gets each config.xml that is opened, or is open already, once. */
export type ConfigEditor = (document: vscode.TextDocument) => void;

/** Loads what the editor shows of config.xml when the first one is open. Kept small: it runs at activation. */
export class OpenConfigFiles extends Disposable {
  #editor: Promise<ConfigEditor | undefined> | undefined;

  /**
   * @param load is called once, and again at the next file when it rejects.
   * @param log gets the reason: nothing is shown to a person who has only opened a file.
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
