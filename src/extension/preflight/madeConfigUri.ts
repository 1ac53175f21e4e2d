import type * as vscode from 'vscode';
import { CONFIG_FILE, joinUri } from '../../web-project/index.ts';

/** URI scheme of the documents that show a generated config.xml. */
export const MADE_CONFIG_SCHEME = 'app-build-config';

/**
 * Returns the URI of a project's generated config.xml. Its path is in the project folder.
 *
 * @param project the URI of the project folder
 */
export function madeConfigUri(project: vscode.Uri): vscode.Uri {
  const uri = joinUri(project, CONFIG_FILE);
  return uri.with({ scheme: MADE_CONFIG_SCHEME, path: uri.path });
}
