/**
 * Reads a colour of config.xml: `#rgb`, `#rrggbb`, `#aarrggbb`, also with `0x` in front.
 *
 * @returns alpha, red, green and blue in 32 bits, signed as Java has them; `undefined` for what is none
 */
export function readColour(text: string): number | undefined {
  const [, digits = ''] = /^(?:#|0x)([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text.trim()) ?? [];
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return long === '' ? undefined : Number.parseInt(long.padStart(8, 'f'), 16) | 0;
}

/** Whether text on this colour should be light. */
export function isDark(argb: number): boolean {
  const [red, green, blue] = [(argb >> 16) & 0xff, (argb >> 8) & 0xff, argb & 0xff];
  // How bright the three are to the eye (ITU-R BT.601).
  return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
}
