import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';

/** Modules of white around the code, as ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;

/** A QR code as the path of an SVG and the box that it is drawn in. */
export interface QrCode {
  readonly path: string;
  readonly viewBox: string;
}

/** The QR code of a text. */
export function qrCode(text: string): QrCode {
  const code = generate(text);
  const size = code.size + 2 * QUIET_ZONE;
  return { path: toSvgPath(code), viewBox: `${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}` };
}
