import * as vscode from 'vscode';
import { visibleText } from '../api/hypermedia/label.ts';

/** A part of a formatted text, on lines of its own. */
export type MarkdownBlock =
  | { readonly kind: 'text'; readonly text: string }
  /** Shown as XML. */
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** Left out unless the target is a page on the web. */
  | { readonly kind: 'link'; readonly title: string; readonly target: string };

/** Characters that can mean something in Markdown. A backslash before any of them is allowed, and takes the meaning away. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/**
 * The one place that makes formatted text. Every text is escaped, so that nothing in it becomes a link, an icon or markup; only
 * what a block is for does.
 */
export function markdownOf(blocks: readonly MarkdownBlock[]): vscode.MarkdownString {
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

/** True for what a link may lead to. */
export function isWebPage(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:';
}

/** An address without the characters that would end it in Markdown. */
function encodeAddress(address: string): string {
  return new URL(address).href.replace(/[()[\]<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

function escape(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim().replace(PUNCTUATION, '\\$&');
}
