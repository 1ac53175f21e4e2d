import * as vscode from 'vscode';
import type { Apps } from '../apps.ts';
import { LOG_SCHEME } from './logScheme.ts';

/** Shows build logs, also in tabs of before a reload. Cheap: what reads them is loaded when one is shown. */
export function registerBuildLogs(loadApps: () => Promise<Apps>): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(LOG_SCHEME, {
    provideTextDocumentContent: async (uri) => (await loadApps()).logs.provideText(uri),
  });
}
