import type { ConfigProblem } from './configProblem.ts';
import { XmlReader } from './xmlReader.ts';

/** Where something is in a text: UTF-16 code units, as VS Code counts. `end` is behind the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface XmlAttribute {
  /** As written, with its prefix. */
  readonly name: string;
  readonly nameSpan: Span;
  /**
   * References are resolved; those that cannot be stay as they are written. White space is a space, a line end too (XML 1.0,
   * §3.3.3). Empty without a value.
   */
  readonly value: string;
  /** Between the quotes; undefined when there is no value. */
  readonly valueSpan: Span | undefined;
  /** Undefined when the value has no quotes, or there is none. */
  readonly quote: '"' | "'" | undefined;
}

export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  /** Of the name in the start tag. */
  readonly nameSpan: Span;
  /** From `<` to behind the last `>`. */
  readonly span: Span;
  /** From `<` to behind `>`. */
  readonly startTag: Span;
  /** Undefined for one that closes itself, and for one that is never closed. */
  readonly endTag: Span | undefined;
  readonly isSelfClosing: boolean;
  readonly attributes: readonly XmlAttribute[];
  readonly parent: XmlElement | undefined;
  /** An element that is never closed keeps those that are indented deeper than itself; its parent has the others. */
  readonly children: readonly XmlElement[];
  /** The text of the element itself, references resolved, white space as it is. */
  readonly text: string;
  /** From the first to the last character of the text that is no white space; undefined when there is none. */
  readonly textSpan: Span | undefined;
}

/** A text that was read as XML, as far as it is. */
export interface XmlDocument {
  readonly text: string;
  /** The first element; undefined when there is none. */
  readonly root: XmlElement | undefined;
  /** Every element, in the order of the text. */
  readonly elements: readonly XmlElement[];
  /** Where the text is not well-formed (XML 1.0), in the order of the text. Reading ends at {@link MAX_PROBLEMS}. */
  readonly problems: readonly ConfigProblem[];
}

/** Characters that are read: what follows is neither checked nor coloured. The service refuses a larger file. */
export const MAX_CONFIG_LENGTH = 1024 * 1024;

/** Mistakes in well-formedness that are told. */
export const MAX_PROBLEMS = 50;

/** Reads a text as XML. Tolerant: what is missing is supplied, what is too much is left out. Never throws. */
export function parseXml(text: string): XmlDocument {
  const isTooLong = text.length > MAX_CONFIG_LENGTH;
  const reader = new XmlReader(isTooLong ? text.slice(0, MAX_CONFIG_LENGTH) : text, MAX_PROBLEMS, isTooLong);
  return { text, ...reader.read() };
}
