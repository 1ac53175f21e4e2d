import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

import { html, Html } from './html.ts';
import { plainText } from './texts.ts';

interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** A style sheet of ours. */
  readonly style: string;
  /** A script of ours. It reports when it is loaded, and then gets the messages of {@link Page.send}. */
  readonly script: string;
  readonly commands: readonly `appBuild.${string}`[];
}

export interface Page {
  readonly onDidClose: vscode.Event<void>;
  readonly close: () => void;
  /** Sends a value to the script of the page, now and whenever the page is loaded again: VS Code drops it while it's hidden. */
  readonly send: (value: unknown) => void;
}

/** Opens a page with one script, without network, and without files: its markup, and links to commands that it names. */
export function openPage(viewType: `appBuild.${string}`, { title, body, style, script, commands }: PageContent): Page {
  const shown = plainText(title);
  const panel = vscode.window.createWebviewPanel(viewType, shown, vscode.ViewColumn.Active, {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: commands,
    localResourceRoots: [],
  });
  panel.webview.html = markupOf({ title: shown, body, style, script });
  let latest: unknown;
  const post = (): void => void panel.webview.postMessage(latest);
  panel.webview.onDidReceiveMessage(() => latest !== undefined && post());
  return {
    onDidClose: panel.onDidDispose,
    close: () => void panel.dispose(),
    send: (value) => {
      latest = value;
      post();
    },
  };
}

interface FramePageContent {
  readonly body: Html;
  readonly style: string;
  /** A script of ours. */
  readonly script: string;
  /** The only origin that its frame may show. */
  readonly origin: string;
}

/** A page around a frame. */
export interface FramePage extends Omit<Page, 'send'> {
  /** Fires with each message of its script, unchecked. */
  readonly onDidSay: vscode.Event<unknown>;
  show(content: FramePageContent): void;
  /** Has its script show a plain text. */
  tell(text: string): void;
  reveal(): void;
}

/** Opens a page beside the editor: a frame of one origin, and a script of ours around it. The page loads nothing else. */
export function openFramePage(viewType: `appBuild.${string}`, title: string): FramePage {
  const shown = plainText(title);
  const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel(viewType, shown, column, {
    enableScripts: true,
    enableForms: true,
    localResourceRoots: [],
  });
  return {
    onDidClose: panel.onDidDispose,
    close: () => void panel.dispose(),
    onDidSay: panel.webview.onDidReceiveMessage,
    show: (content) => {
      panel.webview.html = markupOf({ title: shown, ...content });
    },
    tell: (text) => void panel.webview.postMessage(plainText(text)),
    reveal: () => {
      panel.reveal(undefined, true);
    },
  };
}

/** A page that loads nothing but its frame. */
function markupOf({
  title,
  body,
  style,
  script,
  origin,
}: Omit<FramePageContent, 'origin'> & { readonly origin?: string; readonly title: string }): string {
  const nonce = randomBytes(16).toString('base64url');
  const frames = origin === undefined ? '' : `; frame-src ${origin}`;
  const policy = new Html(
    `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:${frames}`,
  );
  return html`<!doctype html>
    <html lang="${vscode.env.language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${new Html(style)}
        </style>
      </head>
      <body>
        ${body}
        <script nonce="${nonce}">
          ${new Html(script)};
        </script>
      </body>
    </html>`.markup;
}

/** The address of a link that runs a command which the page names. */
export function commandLink(command: `appBuild.${string}`, ...args: readonly string[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}
