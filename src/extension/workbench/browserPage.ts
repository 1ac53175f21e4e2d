import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { DESIGN_STYLE, MARK, MARK_ADDRESS } from '../../page-design/index.ts';
import { html, Html } from './html.ts';

/** Page for a browser: its markup and Content-Security-Policy. */
export interface BrowserPage {
  readonly markup: string;
  readonly policy: string;
}

interface PageParts {
  readonly title: string;
  /** URL of the icon in the browser tab. Undefined to show the extension's logo. */
  readonly icon: string | undefined;
  readonly body: Html;
  /** Trusted style sheet. */
  readonly style: string;
  /** Trusted script. With a script, the page may show frames of its own origin and connect to it. */
  readonly script?: string;
  /** Whether a webview, which has another origin, shows the page. */
  readonly isEmbedded?: boolean;
}

/** Creates a page that doesn't load anything from other origins. */
export function browserPage({ title, icon = MARK_ADDRESS, body, style, script, isEmbedded }: PageParts): BrowserPage {
  const { markup } = html`<!doctype html>
    <html lang="${vscode.env.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${icon}" />
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        ${body} ${new Html(script === undefined ? '' : `<script>${script}</script>`)}
      </body>
    </html>`;
  const policy = [
    "default-src 'none'",
    `style-src ${sourceHash(style)}`,
    'img-src data:',
    ...(script === undefined ? [] : [`script-src ${sourceHash(script)}`, "connect-src 'self'", "frame-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    ...(isEmbedded === true ? [] : ["frame-ancestors 'none'"]),
  ].join('; ');
  return { markup, policy };
}

/** Creates a page with the extension's logo and one message. */
export function messagePage(title: string, text: string): BrowserPage {
  const body = html`<main class="column">
    <header class="identity">
      ${new Html(MARK)}
      <h1>${title}</h1>
    </header>
    <p>${text}</p>
  </main>`;
  return browserPage({ title, icon: undefined, body, style: DESIGN_STYLE });
}

/** Returns the hash source of a style or script (CSP Level 3, §2.3.1). */
function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Responds with a page, or only with its headers to a HEAD request. */
export function answerPage(response: ServerResponse, status: number, { markup, policy }: BrowserPage): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(markup),
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(markup);
}
