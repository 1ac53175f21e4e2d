import { parseXml, XmlError } from '@rgrove/parse-xml';

/** Where parse-xml stopped reading, and why. */
export interface Refusal {
  /** English, as parse-xml words it. */
  readonly message: string;
  /** Where it stopped reading. */
  readonly at: number;
}

/**
 * Why a text is not well-formed (XML 1.0); undefined when it is.
 *
 * @param text not nested so deep that a parser which calls itself for each level runs out of stack
 */
export function refusalOf(text: string): Refusal | undefined {
  try {
    // As a space, which means the same here: the parser copies all of a text for each carriage return in it.
    // `replaceAll` would take 25 times as long for many of them.
    parseXml(text.split('\r').join(' '));
    return undefined;
  } catch (error) {
    if (error instanceof XmlError) {
      return { message: error.message, at: offsetOfCharacter(text, error.pos) };
    }
    throw error;
  }
}

/** The parser counts a pair of surrogates as one character. */
function offsetOfCharacter(text: string, index: number): number {
  let offset = 0;
  for (let count = 0; count < index && offset < text.length; count += 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
