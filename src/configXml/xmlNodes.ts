import type { Span, XmlAttribute, XmlElement } from './xmlDocument.ts';

/** An attribute that keeps where it is as numbers: a large file has ten thousands of them. */
export class AttributeNode implements XmlAttribute {
  readonly name: string;
  readonly value: string;
  readonly quote: '"' | "'" | undefined;
  readonly #start: number;
  readonly #valueStart: number;
  readonly #valueEnd: number;

  /** @param valueSpan NaN when there is no value. */
  constructor(name: string, start: number, value: string, valueStart: number, valueEnd: number, quote?: '"' | "'") {
    this.name = name;
    this.value = value;
    this.quote = quote;
    this.#start = start;
    this.#valueStart = valueStart;
    this.#valueEnd = valueEnd;
  }

  get nameSpan(): Span {
    return { start: this.#start, end: this.#start + this.name.length };
  }

  get valueSpan(): Span | undefined {
    return Number.isNaN(this.#valueStart) ? undefined : { start: this.#valueStart, end: this.#valueEnd };
  }
}

/** An element, as it is put together. */
export class ElementNode implements XmlElement {
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly isSelfClosing: boolean;
  children: ElementNode[] = [];
  parent: ElementNode | undefined;
  text = '';
  textSpan: Span | undefined = undefined;
  endTag: Span | undefined = undefined;
  /** Behind all of it. */
  end: number;
  readonly #start: number;
  readonly #nameStart: number;
  readonly #startTagEnd: number;

  constructor(
    { name, start, nameStart, attributes }: StartTagNode,
    startTagEnd: number,
    isSelfClosing: boolean,
    parent: ElementNode | undefined,
  ) {
    this.name = name;
    this.attributes = attributes;
    this.isSelfClosing = isSelfClosing;
    this.parent = parent;
    this.end = startTagEnd;
    this.#start = start;
    this.#nameStart = nameStart;
    this.#startTagEnd = startTagEnd;
  }

  get start(): number {
    return this.#start;
  }

  get nameSpan(): Span {
    return { start: this.#nameStart, end: this.#nameStart + this.name.length };
  }

  get startTag(): Span {
    return { start: this.#start, end: this.#startTagEnd };
  }

  get span(): Span {
    return { start: this.#start, end: this.end };
  }
}

/** What is read of a start tag. */
export interface StartTagNode {
  readonly start: number;
  readonly name: string;
  readonly nameStart: number;
  readonly attributes: readonly XmlAttribute[];
}
