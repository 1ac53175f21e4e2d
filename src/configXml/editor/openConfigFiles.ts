import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';

/** What the editor shows of config.xml. */
export interface ConfigEditor {
  /** Called once for each config.xml that is opened, or is open already. */
  opened(document: vscode.TextDocument): void;
}

/** Loads what the editor shows of config.xml when the first one is open. Kept small: it runs at activation. */
export class OpenConfigFiles extends Disposable {
  #editor: Promise<ConfigEditor> | undefined;

  /** @param load is called once. */
  constructor(load: () => Promise<ConfigEditor>) {
    super();
    const open = (document: vscode.TextDocument): void => {
      if (document.uri.path.endsWith('/config.xml')) {
        this.#editor ??= load();
        void this.#editor.then((editor) => editor.opened(document));
      }
    };
    vscode.workspace.textDocuments.forEach(open);
    this.register(vscode.workspace.onDidOpenTextDocument(open));
  }
}
