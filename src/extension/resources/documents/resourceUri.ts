import * as vscode from 'vscode';
import { label, withoutTrailingSlashes } from '../../../service-client/index.ts';
import { toPlainText } from '../../workbench/texts.ts';

/** Scheme of the read-only documents that show a resource. */
export const RESOURCE_SCHEME = 'app-build';

/** Scheme of the read-only files in VS Code's own viewers. */
export const FILE_SCHEME = 'app-build-file';

/** Scheme of the read-only documents that show the response to a request. */
export const RESPONSE_SCHEME = 'app-build-response';

/**
 * Returns the document URI for a resource. The tab shows its path. Its query is the resource's URL, which doesn't
 * contain credentials.
 *
 * @param extension file extension without a dot, by which VS Code chooses the language or viewer.
 */
export function resourceUri(url: string, extension: string, scheme = RESOURCE_SCHEME): vscode.Uri {
  const { host, pathname } = new URL(url);
  const path = decodePath(withoutTrailingSlashes(pathname) || '/resource');
  const hasExtension = path.toLowerCase().endsWith(`.${extension}`);
  return vscode.Uri.from({
    scheme,
    authority: host,
    path: toPlainText(hasExtension ? path : `${path}.${extension}`),
    query: url,
  });
}

/** Returns the resource's URL for a document URI. */
export function resourceUrl(uri: vscode.Uri): string {
  return uri.query;
}

/**
 * Decodes a path for display. An encoded slash or invisible character stays encoded, so that it can't mislead the user.
 */
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

/** Calls `callback` with the URI of every document or file whose tab is closed. */
export function onDidCloseTab(callback: (uri: vscode.Uri) => void): vscode.Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const { input } of closed) {
      if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
        callback(input.uri);
      }
    }
  });
}
