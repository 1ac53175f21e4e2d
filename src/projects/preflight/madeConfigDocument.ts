import * as vscode from 'vscode';
import { MADE_CONFIG_SCHEME, madeConfigUri } from '../madeConfig.ts';

/** Shows the config.xml of a package that is in no folder. @param textOf what it says now, by its address */
export class MadeConfigDocument implements vscode.TextDocumentContentProvider {
  readonly #textOf: (uri: vscode.Uri) => string | undefined;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registration: vscode.Disposable;

  constructor(textOf: (uri: vscode.Uri) => string | undefined) {
    this.#textOf = textOf;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(MADE_CONFIG_SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#textOf(uri) ?? '';
  }

  /** Reads it again where it is open. */
  changed(project: vscode.Uri): void {
    this.#changed.fire(madeConfigUri(project));
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
