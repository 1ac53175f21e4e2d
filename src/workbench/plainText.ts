import { visibleText } from '../api/hypermedia/label.ts';

/** Longer texts, which VS Code would lay out at once, are cut. */
const MAX_LENGTH = 10_000;

/**
 * Text for whatever VS Code shows: it reads as it is written, with its line breaks, and is nothing but text. What cannot be seen
 * is taken out. VS Code makes links, even to commands, of `[text](target)`, and icons of `$(name)`; a zero-width space between
 * the two parts prevents both.
 */
export function plainText(text: string): string {
  const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return visibleText(short).replace(/[\]$](?=\()/g, '$&\u200b');
}
