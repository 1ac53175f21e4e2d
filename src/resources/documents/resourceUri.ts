import * as vscode from 'vscode';
import { label } from '../../api/hypermedia/label.ts';

/** Scheme of the read-only documents that show a resource. */
export const resourceScheme = 'app-build';

/** Scheme of read-only files, for VS Code's own viewers. */
export const fileScheme = 'app-build-file';

/**
 * URI of the document for a resource. Its path is what the tab shows; its query holds the resource's URL, which carries
 * no credentials.
 *
 * @param extension makes VS Code choose the fitting language or viewer.
 */
export function resourceUri(url: string, extension: string, scheme = resourceScheme): vscode.Uri {
  const { host, pathname } = new URL(url);
  const path = readable(pathname.replace(/\/+$/, '') || '/resource');
  const ends = path.toLowerCase().endsWith(`.${extension}`);
  return vscode.Uri.from({ scheme, authority: host, path: ends ? path : `${path}.${extension}`, query: url });
}

/** URL of the resource that a document or file shows. */
export function resourceUrl(uri: vscode.Uri): string {
  return uri.query;
}

/** A path for people, still one path: an encoded slash or an invisible character stays encoded. */
function readable(path: string): string {
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
