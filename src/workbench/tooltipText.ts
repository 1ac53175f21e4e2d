import { visibleText } from '../api/hypermedia/label.ts';

/** Characters that a tooltip shows. */
const MAX_TOOLTIP_LENGTH = 2000;

/** Text for a tooltip: without what cannot be seen, as in labels, but with its line breaks. */
export function tooltipText(text: string): string {
  return visibleText(text.length > MAX_TOOLTIP_LENGTH ? `${text.slice(0, MAX_TOOLTIP_LENGTH)}…` : text);
}
