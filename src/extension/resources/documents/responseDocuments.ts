import { STATUS_CODES } from 'node:http';
import * as vscode from 'vscode';
import { formatJson, label, type Redactor, type ServiceResponse } from '../../../service-client/index.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { toPlainText } from '../../workbench/texts.ts';
import { onDidCloseTab, RESPONSE_SCHEME } from './resourceUri.ts';

/** Language of these documents, contributed by package.json. */
const LANGUAGE_ID = 'app-build-response';

/** Responses to requests as read-only documents, kept in memory until their tabs are closed. */
export class ResponseDocuments extends Disposable {
  readonly #texts = new Map<string, string>();
  #count = 0;

  constructor() {
    super();
    this.register(onDidCloseTab((uri) => this.#texts.delete(uri.toString())));
  }

  /**
   * Opens a document.
   *
   * @param title title of the tab.
   * @param text content without secrets.
   * @param toSide whether to open it in a separate column, next to the editor with the request.
   */
  async show(title: string, text: string, toSide: boolean): Promise<void> {
    this.#count += 1;
    const uri = vscode.Uri.from({
      scheme: RESPONSE_SCHEME,
      path: `/${toPlainText(label(title)).replaceAll('/', '∕')}`,
      query: String(this.#count),
    });
    this.#texts.set(uri.toString(), text);
    const document = await vscode.languages.setTextDocumentLanguage(
      await vscode.workspace.openTextDocument(uri),
      LANGUAGE_ID,
    );
    await vscode.window.showTextDocument(document, {
      preview: true,
      preserveFocus: toSide,
      viewColumn: toSide ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    });
  }

  /** Returns the text of a document, or a message if it's no longer in memory. */
  getText(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ?? vscode.l10n.t('This response is no longer available. Send the request again.')
    );
  }
}

/**
 * Formats a response as text: status line, comment with request, duration, and time, headers without secrets, empty
 * line, and body. JSON is formatted. Secrets in the body are already hidden.
 */
export function responseText(
  response: ServiceResponse,
  method: string,
  redactor: Pick<Redactor, 'redact'>,
  receivedAt = new Date(),
): string {
  const { status, url, headers, milliseconds } = response;
  // The transport doesn't use HTTP/2.
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [
    statusLine,
    `# ${method} ${url}`,
    `# ${Math.round(milliseconds)} ms, ${receivedAt.toISOString()}`,
    ...fields.map((line) => line.replace(/[\r\n]+/g, ' ')),
  ];
  return `${redactor.redact(head.join('\n'))}\n\n${bodyText(response)}`.trimEnd() + '\n';
}

function bodyText({ body, mediaType }: ServiceResponse): string {
  switch (body.kind) {
    case 'json':
      return formatJson(body.text);
    case 'text':
      return body.text;
    case 'binary':
      return `# ${vscode.l10n.t('A file of type {0}, {1} bytes. Use “Download…” to save it.', mediaType, body.bytes.byteLength)}`;
    case 'none':
      return '';
  }
}
