import * as vscode from 'vscode';
import type { InstallLink } from '../calls/appCalls.ts';
import type { App } from '../model/app.ts';

/** Shows the link to one build, and its QR code, in a view without scripts. */
export function showInstallView(_app: App, _link: InstallLink): vscode.Disposable {
  throw new Error('Not written yet.');
}
