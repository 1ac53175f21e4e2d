import * as vscode from 'vscode';
import { label } from '../../api/hypermedia/label.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { plainText } from '../../workbench/texts.ts';
import { RESPONSE_SCHEME } from './resourceUri.ts';

/** Language of these documents, as package.json contributes it. */
const LANGUAGE_ID = 'app-build-response';

/** Responses to requests as read-only documents, kept in memory until their tabs are closed. */
export class ResponseDocuments extends Disposable {
  readonly #texts = new Map<string, string>();
  #count = 0;

  constructor() {
    super();
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
   * Opens a document.
   *
   * @param title of the tab.
   * @param text without secrets.
   * @param beside in a column of its own, beside the editor that holds the request.
   */
  async show(title: string, text: string, beside: boolean): Promise<void> {
    this.#count += 1;
    const uri = vscode.Uri.from({
      scheme: RESPONSE_SCHEME,
      path: `/${plainText(label(title)).replaceAll('/', '∕')}`,
      query: String(this.#count),
    });
    this.#texts.set(uri.toString(), text);
    const document = await vscode.languages.setTextDocumentLanguage(
      await vscode.workspace.openTextDocument(uri),
      LANGUAGE_ID,
    );
    await vscode.window.showTextDocument(document, {
      preview: true,
      preserveFocus: beside,
      viewColumn: beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    });
  }

  textOf(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ?? vscode.l10n.t('This answer is no longer available. Send the request again.')
    );
  }
}
