import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';

/** Modules of white around the code, as ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;

/** A QR code as the path of an SVG and the box that it is drawn in. */
export interface QrCode {
  readonly path: string;
  readonly viewBox: string;
}

/** Characters of a text whose code the camera of a phone reads from a screen; version 40 ends at 2,953. */
const MAX_TEXT_LENGTH = 800;

/** The QR code of a text; undefined for one that is too long for a code that can be read. */
export function qrCode(text: string): QrCode | undefined {
  if (text.length > MAX_TEXT_LENGTH) {
    return undefined;
  }
  const code = generate(text);
  const size = code.size + 2 * QUIET_ZONE;
  return { path: toSvgPath(code), viewBox: `${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}` };
}
