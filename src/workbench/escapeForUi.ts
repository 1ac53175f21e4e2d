import { label } from '../api/hypermedia/label.ts';

/**
 * Text for quick picks and input boxes: one line that shows what the service wrote as it is written, see
 * {@link escapeMarkup}.
 */
export function escapeForUi(text: string): string {
  return escapeMarkup(label(text));
}

/**
 * Text for dialogs, progress and notifications, of any length. VS Code makes icons of `$(name)`, and links, even to commands,
 * of `[text](target)`; an invisible character between the two parts prevents both.
 */
export function escapeMarkup(text: string): string {
  return text.replace(/\](?=\()/g, ']\u200b').replace(/\$(?=\()/g, '$\u200b');
}
