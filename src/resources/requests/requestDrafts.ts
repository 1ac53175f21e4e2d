import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';

/** A request whose JSON body is being written. */
export interface RequestDraft {
  readonly method: string;
  readonly url: string;
}

/**
 * Request bodies in untitled JSON editors. A code lens above the text says where it goes and sends it, as does the button
 * in the editor's title; closing the editor drops the request.
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
        // A change of the language closes a document as well, and opens it again at once.
        if (document.isClosed && this.#drafts.delete(document.uri.toString())) {
          this.#publish();
        }
      }),
    );
  }

  /** Opens an editor for the body of a request. */
  async open({ method, url }: RequestDraft): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: 'json', content: '{\n  \n}\n' });
    this.#drafts.set(document.uri.toString(), { method, url });
    this.#publish();
    await vscode.window.showTextDocument(document, { preview: false, selection: new vscode.Range(1, 2, 1, 2) });
  }

  /** The request whose body a document is, with the text as it stands. */
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
    // Titles render icons: a path of the service is not to bring its own.
    const target = `${host}${pathname}`.replaceAll('$(', '%24(');
    const title = vscode.l10n.t('Send {0} to {1}', draft.method, target);
    return [
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        command: 'appBuild.sendDraft',
        title: `$(send) ${title}`,
        arguments: [uri],
      }),
    ];
  }

  /** The button in the editor's title depends on this. */
  #publish(): void {
    void vscode.commands.executeCommand('setContext', 'appBuild.drafts', [...this.#drafts.keys()]);
    this.#changed.fire();
  }
}
