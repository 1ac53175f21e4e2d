import { colord, extend } from 'colord';
import names from 'colord/plugins/names';

extend([names]);

/** Of a colour as CSS has it; nobody writes one that is longer. */
const MAX_LENGTH = 100;

/**
 * Reads a colour of CSS: a name, hexadecimal digits, `rgb()`, `hsl()`.
 *
 * @returns as Android and config.xml write it, `#RRGGBB`, or `#AARRGGBB` where it is translucent; `undefined` for what is none
 */
export function readCssColour(text: string): string | undefined {
  const colour = text.length > MAX_LENGTH ? undefined : colord(text);
  if (colour === undefined || !colour.isValid()) {
    return undefined;
  }
  const digits = colour.toHex().slice(1).toUpperCase();
  // CSS has the alpha last.
  return `#${digits.slice(6)}${digits.slice(0, 6)}`;
}
