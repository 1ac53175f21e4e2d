import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { MAX_QR_LENGTH } from './limits.ts';

/** Modules of white around the code, as ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;

/** A QR code as the path of an SVG and the box that it is drawn in. */
export interface QrCode {
  readonly path: string;
  readonly viewBox: string;
}

/** The QR code of a text; undefined for one that is too long for a code that can be read. */
export function qrCode(text: string): QrCode | undefined {
  if (text.length > MAX_QR_LENGTH) {
    return undefined;
  }
  const code = generate(text);
  const size = code.size + 2 * QUIET_ZONE;
  return { path: toSvgPath(code), viewBox: `${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}` };
}
