import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';

const scheme = 'app-build-response';
/** Language of these documents, as package.json contributes it. */
const language = 'app-build-response';

/** Answers to requests as read-only documents. They live as long as their tabs; nothing is stored. */
export class ResponseDocuments extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #shown = 0;

  constructor() {
    super();
    this.register(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.register(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const { input } of closed) {
          if (input instanceof vscode.TabInputText) {
            this.#texts.delete(input.uri.toString());
          }
        }
      }),
    );
  }

  /**
   * Shows a text that is complete, without secrets.
   *
   * @param title of the tab.
   * @param beside what is open, when that is what was sent.
   */
  async show(title: string, text: string, beside: boolean): Promise<void> {
    this.#shown += 1;
    const uri = vscode.Uri.from({ scheme, path: `/${title.replaceAll('/', '∕')}`, query: String(this.#shown) });
    this.#texts.set(uri.toString(), text);
    const document = await vscode.languages.setTextDocumentLanguage(
      await vscode.workspace.openTextDocument(uri),
      language,
    );
    await vscode.window.showTextDocument(document, {
      preview: true,
      preserveFocus: beside,
      viewColumn: beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ?? vscode.l10n.t('This answer is no longer available. Send the request again.')
    );
  }
}
