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

  readonly #load: () => Promise<ConfigEditor>;
  readonly #failed: (error: unknown) => void;

  /**
   * @param load is called once, and again at the next file when it rejects.
   * @param failed is told why it rejects, for the log: the person has asked for nothing but the file.
   */
  constructor(load: () => Promise<ConfigEditor>, failed: (error: unknown) => void) {
    super();
    this.#load = load;
    this.#failed = failed;
    const open = (document: vscode.TextDocument): void => {
      if (document.uri.path.endsWith('/config.xml')) {
        void this.#open(document);
      }
    };
    vscode.workspace.textDocuments.forEach(open);
    this.register(vscode.workspace.onDidOpenTextDocument(open));
  }

  async #open(document: vscode.TextDocument): Promise<void> {
    const editor = (this.#editor ??= this.#load());
    try {
      (await editor).opened(document);
    } catch (error) {
      if (this.#editor === editor) {
        this.#editor = undefined;
        this.#failed(error);
      }
    }
  }
}
