import * as vscode from 'vscode';
import { visibleText } from '../../service-client/index.ts';

/** Block of formatted text. */
type MarkdownBlock =
  | { readonly kind: 'text'; readonly text: string }
  /** A code block, highlighted as XML. */
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** A link. Omitted unless the target is a web page. */
  | { readonly kind: 'link'; readonly title: string; readonly target: string };

/**
 * Characters that may have a meaning in Markdown. A backslash before any of them is allowed and removes the meaning.
 */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/**
 * Creates formatted text. No other code does so. All text is escaped, so it can't create links, icons, or markup. Only the kind of block
 * determines the markup.
 */
export function createMarkdown(blocks: readonly MarkdownBlock[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  for (const block of blocks) {
    switch (block.kind) {
      case 'text':
        markdown.appendMarkdown(`${escape(block.text)}\n\n`);
        break;
      case 'code':
        markdown.appendCodeblock(block.code, 'xml');
        break;
      case 'list':
        markdown.appendMarkdown(`${block.items.map((item) => `- ${escape(item)}\n`).join('')}\n`);
        break;
      case 'link':
        if (isWebPage(block.target)) {
          markdown.appendMarkdown(`[${escape(block.title)}](${encodeAddress(block.target)})\n\n`);
        }
        break;
    }
  }
  return markdown;
}

/** Reports whether an address is a valid link target: an https URL. */
export function isWebPage(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:';
}

/** Encodes the characters in an address that would end it in Markdown. */
function encodeAddress(address: string): string {
  return new URL(address).href.replace(/[()[\]<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

function escape(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim().replace(PUNCTUATION, '\\$&');
}
