import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { html, Html } from '../../workbench/html.ts';

/** A page that a phone is shown: its markup and what it may load. */
export interface PhoneDocument {
  readonly markup: string;
  readonly policy: string;
}

export interface PhoneDocumentContent {
  readonly title: string;
  /** Of the texts: a language tag. */
  readonly language: string;
  readonly body: Html;
  /** A style sheet of ours. */
  readonly style: string;
  /** A script of ours; a page with one may show a frame of its own origin and listen to it. */
  readonly script?: string;
}

/** Makes a page that loads nothing but what is written into it. */
export function phoneDocument({ title, language, body, style, script }: PhoneDocumentContent): PhoneDocument {
  const { markup } = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        ${body} ${new Html(script === undefined ? '' : `<script>${script}</script>`)}
      </body>
    </html>`;
  const policy = [
    "default-src 'none'",
    `style-src ${sourceHash(style)}`,
    ...(script === undefined ? [] : [`script-src ${sourceHash(script)}`, "connect-src 'self'", "frame-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { markup, policy };
}

/** A style or script by its content (CSP Level 3, §2.3.1). */
function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Answers with a page, to HEAD with its headers. */
export function answerPage(response: ServerResponse, status: number, { markup, policy }: PhoneDocument): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(markup),
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  });
  response.end(markup);
}
