import { label } from '../api/hypermedia/label.ts';

/**
 * Text that others wrote, for quick picks, input boxes and notifications, which make icons of `$(name)` and links, even to
 * commands, of `[text](target)`: one plain line that shows both as they are written.
 */
export function inert(text: string): string {
  return withoutLinks(label(text)).replace(/\$(?=\()/g, '$\u200b');
}

/** The text with every `[text](target)` shown as it is written. */
export function withoutLinks(text: string): string {
  return text.replace(/\](?=\()/g, ']\u200b');
}
