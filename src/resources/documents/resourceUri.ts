import * as vscode from 'vscode';
import { label } from '../../api/hypermedia/label.ts';
import { withoutTrailingSlashes } from '../../api/serviceUrl.ts';
import { plainText } from '../../workbench/texts.ts';

/** Scheme of the read-only documents that show a resource. */
export const RESOURCE_SCHEME = 'app-build';

/** Scheme of the read-only files that VS Code's own viewers show. */
export const FILE_SCHEME = 'app-build-file';

/** Scheme of the read-only documents that show the answer to a request. */
export const RESPONSE_SCHEME = 'app-build-response';

/**
 * URI of the document for a resource. Its path is what the tab shows; its query holds the resource's URL, which carries
 * no credentials.
 *
 * @param extension without its dot; VS Code chooses the language or viewer by it.
 */
export function resourceUri(url: string, extension: string, scheme = RESOURCE_SCHEME): vscode.Uri {
  const { host, pathname } = new URL(url);
  const path = decodePath(withoutTrailingSlashes(pathname) || '/resource');
  const hasExtension = path.toLowerCase().endsWith(`.${extension}`);
  return vscode.Uri.from({
    scheme,
    authority: host,
    path: plainText(hasExtension ? path : `${path}.${extension}`),
    query: url,
  });
}

export function resourceUrl(uri: vscode.Uri): string {
  return uri.query;
}

/** Decodes a path for people. An encoded slash or an invisible character stays encoded, so that it cannot mislead. */
function decodePath(path: string): string {
  return path
    .split('/')
    .map((segment) => {
      try {
        const text = decodeURIComponent(segment);
        return text.includes('/') || label(text) !== text ? segment : text;
      } catch {
        return segment;
      }
    })
    .join('/');
}

/** Calls back with the URI of each document or file whose tab is closed. */
export function onDidCloseTab(callback: (uri: vscode.Uri) => void): vscode.Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const { input } of closed) {
      if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
        callback(input.uri);
      }
    }
  });
}
