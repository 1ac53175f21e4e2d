import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

import { html, Html } from './html.ts';
import { toPlainText } from './texts.ts';

interface WebviewPageContent {
  readonly title: string;
  readonly body: Html;
  /** Trusted style sheet. */
  readonly style: string;
  /** Trusted script. It reports when it's loaded and then receives the messages of {@link WebviewPage.send}. */
  readonly script: string;
  readonly commands: readonly `appBuild.${string}`[];
}

/** Open page in a webview panel. */
export interface WebviewPage {
  readonly onDidClose: vscode.Event<void>;
  readonly close: () => void;
  /** Sends a value to the page's script, now and whenever the page reloads. VS Code unloads hidden pages. */
  readonly send: (value: unknown) => void;
}

/** Opens a page with one script, but without network access or files. Its markup can link to the listed commands. */
export function openPage(
  viewType: `appBuild.${string}`,
  { title, body, style, script, commands }: WebviewPageContent,
): WebviewPage {
  const shown = toPlainText(title);
  const panel = vscode.window.createWebviewPanel(viewType, shown, vscode.ViewColumn.Active, {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: commands,
    localResourceRoots: [],
  });
  panel.webview.html = renderFrame({ title: shown, body, style, script });
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
  /** Trusted script. */
  readonly script: string;
  /** The only origin that the frame may show. */
  readonly origin: string;
}

/** Page with a frame. */
export interface FramePage extends Omit<WebviewPage, 'send'> {
  /** Fires with each message from the script. Messages aren't validated. */
  readonly onDidSay: vscode.Event<unknown>;
  show(content: FramePageContent): void;
  /** Makes the script show plain text. */
  tell(text: string): void;
  reveal(): void;
}

/**
 * Opens a page next to the editor, with a frame for one origin and a trusted script. The page doesn't load anything
 * else.
 */
export function openFramePage(viewType: `appBuild.${string}`, title: string): FramePage {
  const shown = toPlainText(title);
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
      panel.webview.html = renderFrame({ title: shown, ...content });
    },
    tell: (text) => void panel.webview.postMessage(toPlainText(text)),
    reveal: () => {
      panel.reveal(undefined, true);
    },
  };
}

/** Returns the markup of a page that doesn't load anything except its frame. */
function renderFrame({
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

/** Returns the link target that runs a command. The page must list the command. */
export function commandLink(command: `appBuild.${string}`, ...args: readonly string[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}
