import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

import { html, Html } from './html.ts';
import { plainText } from './texts.ts';

interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** A style sheet of ours. */
  readonly style: string;
  readonly commands: readonly `appBuild.${string}`[];
}

export interface Page {
  readonly onDidClose: vscode.Event<void>;
  readonly close: () => void;
}

/** Opens a page without scripts, without network, and without files: its markup, and links to commands that it names. */
export function openPage(viewType: `appBuild.${string}`, { title, body, style, commands }: PageContent): Page {
  const shown = plainText(title);
  const panel = vscode.window.createWebviewPanel(viewType, shown, vscode.ViewColumn.Active, {
    enableScripts: false,
    enableForms: false,
    enableCommandUris: commands,
    localResourceRoots: [],
  });
  const nonce = randomBytes(16).toString('base64url');
  panel.webview.html = html`<!doctype html>
    <html lang="${vscode.env.language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'" />
        <meta name="viewport" content="width=device-width" />
        <title>${shown}</title>
        <style nonce="${nonce}">
          ${new Html(style)}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup;
  return { onDidClose: panel.onDidDispose, close: () => void panel.dispose() };
}

/** The address of a link that runs a command which the page names. */
export function commandLink(command: `appBuild.${string}`, ...args: readonly string[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}
