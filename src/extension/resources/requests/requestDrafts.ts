import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import { toPlainText } from '../../workbench/texts.ts';

interface RequestDraft {
  readonly method: string;
  readonly url: string;
}

/**
 * Manages requests whose bodies are written in untitled JSON editors. A code lens above the text and a button in the
 * editor's title send the request. Closing the editor discards it.
 */
export class RequestDrafts extends Disposable implements vscode.CodeLensProvider {
  readonly #drafts = new Map<string, RequestDraft>();
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor() {
    super();
    this.register(vscode.languages.registerCodeLensProvider({ scheme: 'untitled' }, this));
    this.register(
      vscode.workspace.onDidCloseTextDocument((document) => {
        // Changing a document's language closes the document and immediately reopens it.
        if (document.isClosed && this.#drafts.delete(document.uri.toString())) {
          this.#notifyChanged();
        }
      }),
    );
  }

  /** Opens an editor for the body of a request. */
  async open({ method, url }: RequestDraft): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: 'json', content: '{\n  \n}\n' });
    this.#drafts.set(document.uri.toString(), { method, url });
    this.#notifyChanged();
    await vscode.window.showTextDocument(document, { preview: false, selection: new vscode.Range(1, 2, 1, 2) });
  }

  /** Returns the request for a document, with its current text as the body. */
  find(uri: vscode.Uri | undefined): (RequestDraft & { readonly text: string }) | undefined {
    const key = uri?.toString();
    const draft = key === undefined ? undefined : this.#drafts.get(key);
    const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === key);
    return draft && document && { ...draft, text: document.getText() };
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const draft = this.#drafts.get(uri.toString());
    if (draft === undefined) {
      return [];
    }
    const { host, pathname } = new URL(draft.url);
    const title = toPlainText(vscode.l10n.t('Send {0} to {1}', draft.method, `${host}${pathname}`));
    return [
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        command: 'appBuild.sendDraft',
        title: `$(send) ${title}`,
        arguments: [uri],
      }),
    ];
  }

  /** Updates the code lenses, and the context key for the button in the editor's title. */
  #notifyChanged(): void {
    void vscode.commands.executeCommand('setContext', 'appBuild.drafts', [...this.#drafts.keys()]);
    this.#changed.fire();
  }
}
