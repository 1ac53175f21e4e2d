import {
  elementNotClosed,
  endTagMismatch,
  endTagSlashMissing,
  endTagWithoutName,
  endTagWithoutStart,
  secondRoot,
  type NamedTag,
} from './checks/wellFormed.ts';
import { areSimilar } from './didYouMean.ts';
import type { ProblemList } from './problemList.ts';
import { isBlank, withoutSpace } from './xmlSyntax.ts';
import type { Span, XmlElement } from './xmlDocument.ts';
import { ElementNode, type StartTagNode } from './xmlNodes.ts';

/** An element whose end tag has not come. */
interface OpenElement {
  readonly node: ElementNode;
  /** What its text was when its first child began. */
  textBefore: { readonly text: string; readonly span: Span | undefined } | undefined;
}

export interface EndTag extends NamedTag {
  /** From `<` to behind `>`. */
  readonly span: Span;
}

/** Deeper indentation is not measured. */
const MAX_INDENTATION = 200;

/** Puts tags together: finds the end tag of each element, and what is wrong with the others. */
export class TreeBuilder {
  readonly #text: string;
  readonly #problems: ProblemList;
  readonly #isKnown: (name: string) => boolean;
  readonly #elements: ElementNode[] = [];
  readonly #open: OpenElement[] = [];
  /** Names of elements that were found not to be closed: an end tag that follows too late is part of the same mistake. */
  readonly #unclosed = new Set<string>();
  #root: ElementNode | undefined;
  #hasSecondRoot = false;

  /** @param isKnown whether a name of an element is spelt right. */
  constructor(text: string, problems: ProblemList, isKnown: (name: string) => boolean) {
    this.#text = text;
    this.#problems = problems;
    this.#isKnown = isKnown;
  }

  get root(): XmlElement | undefined {
    return this.#root;
  }

  get elements(): readonly XmlElement[] {
    return this.#elements;
  }

  /** True inside of the root element. */
  get isInside(): boolean {
    return this.#open.length > 0;
  }

  /** The element whose content is being read. */
  get current(): XmlElement | undefined {
    return this.#open.at(-1)?.node;
  }

  /** @param end behind the start tag. */
  start(tag: StartTagNode, end: number, isSelfClosing: boolean): void {
    const open = this.#open.at(-1);
    const node = new ElementNode(tag, end, isSelfClosing, open?.node);
    if (open !== undefined) {
      open.textBefore ??= { text: open.node.text, span: open.node.textSpan };
      open.node.children.push(node);
    } else if (this.#root === undefined) {
      this.#root = node;
    } else {
      this.#reportSecondRoot(node, this.#root);
    }
    this.#elements.push(node);
    if (!isSelfClosing) {
      this.#open.push({ node, textBefore: undefined });
    }
  }

  /** @param text as it is meant. @param start of it in the file, @param end behind it. */
  addText(text: string, start: number, end: number): void {
    const node = this.#open.at(-1)?.node;
    if (node === undefined) {
      return;
    }
    node.text += text;
    const written = withoutSpace(this.#text, { start, end });
    if (written.start < written.end) {
      node.textSpan = { start: node.textSpan?.start ?? written.start, end: written.end };
    }
  }

  end(tag: EndTag): void {
    const open = this.#open.at(-1);
    if (open?.node.name === tag.name) {
      this.#close(open.node, tag);
    } else {
      this.#endOther(tag);
    }
  }

  /** `</>` ends what is open. */
  endWithoutName(span: Span): void {
    const open = this.#open.at(-1);
    this.#problems.add(endTagWithoutName(span, open?.node));
    if (open !== undefined) {
      this.#close(open.node, { name: open.node.name, nameSpan: span, span });
    }
  }

  /** @param isCut true when the text was longer: nothing is missing then. */
  endOfFile(isCut: boolean): void {
    if (isCut) {
      this.#open.forEach(({ node }) => (node.end = this.#text.length));
      return;
    }
    const outermost = this.#open[0]?.node;
    if (outermost !== undefined) {
      this.#closeUnclosed(0, undefined);
      this.#reportUnclosedRoot(outermost);
    }
  }

  #close(node: ElementNode, { span }: EndTag): void {
    node.endTag = span;
    node.end = span.end;
    this.#open.pop();
  }

  /** An end tag that is not that of the element that is open. */
  #endOther(tag: EndTag): void {
    const top = this.#open.at(-1)?.node;
    if (top === undefined) {
      if (!this.#hasSecondRoot) {
        this.#problems.add(endTagWithoutStart(tag.span, tag.name, undefined));
      }
      return;
    }
    const before = top.children.at(-1);
    if (before?.isSelfClosing === true && before.name === tag.name) {
      this.#problems.add(endTagWithoutStart(tag.span, tag.name, before));
      return;
    }
    const same = this.#open.findLastIndex(({ node }) => node.name === tag.name);
    if (same >= 0) {
      this.#closeUnclosed(same, tag);
      this.#close(this.#open[same]?.node ?? top, tag);
      return;
    }
    if (this.#unclosed.delete(tag.name)) {
      return;
    }
    const similar = this.#open.findLastIndex(({ node }) => areSimilar(node.name, tag.name));
    if (similar >= 0) {
      this.#closeUnclosed(similar, tag);
      this.#closeMisspelt(this.#open[similar]?.node ?? top, tag);
    } else if (this.#isClosedLater(top, tag.span.end)) {
      this.#problems.add(endTagWithoutStart(tag.span, tag.name, undefined));
    } else {
      this.#closeMisspelt(top, tag);
    }
  }

  #closeMisspelt(node: ElementNode, tag: EndTag): void {
    this.#problems.add(endTagMismatch(node, tag, this.#isKnown(tag.name) && !this.#isKnown(node.name)));
    this.#close(node, tag);
  }

  #isClosedLater({ name }: ElementNode, from: number): boolean {
    const end = this.#text.indexOf(`</${name}`, from);
    const start = this.#text.indexOf(`<${name}`, from);
    return end >= 0 && (start < 0 || end < start);
  }

  /** Closes the elements within one that ends: their children become its own, except those that are indented deeper. */
  #closeUnclosed(outer: number, end: EndTag | undefined): void {
    const unclosed = this.#open.splice(outer + 1);
    const parent = this.#open[outer]?.node;
    if (parent === undefined || unclosed.length === 0) {
      return;
    }
    const kept = new Map<ElementNode, ElementNode[]>(unclosed.map(({ node }) => [node, []]));
    const containers = [parent];
    for (const { node } of unclosed) {
      if (node !== unclosed[0]?.node) {
        containers.push(node);
      } else {
        containers.splice(1, Infinity, node);
      }
      for (const child of node.children) {
        const column = this.#indentationOf(child.start);
        while (containers.length > 1 && !isDeeper(column, this.#indentationOf(containers.at(-1)?.start ?? 0))) {
          containers.pop();
        }
        const container = containers.at(-1) ?? parent;
        child.parent = container;
        (kept.get(container) ?? parent.children).push(child);
      }
    }
    let doubled: ElementNode | undefined;
    unclosed.forEach((open, index) => {
      const { node } = open;
      const firstChild = node.children[0];
      node.children = kept.get(node) ?? [];
      const last = node.children.at(-1);
      if (last === undefined && firstChild !== undefined) {
        node.text = open.textBefore?.text ?? '';
        node.textSpan = open.textBefore?.span;
      }
      const next = firstChild?.start ?? end?.span.start ?? this.#text.length;
      node.end = last?.end ?? next;
      const inner = unclosed[index + 1]?.node;
      if (node === doubled) {
        this.#remove(node);
      } else if (inner !== undefined && this.#isEndTagOf(node, inner)) {
        doubled = inner;
        this.#problems.add(
          endTagSlashMissing(node, { name: inner.name, nameSpan: inner.nameSpan, span: inner.startTag }),
        );
      } else {
        this.#unclosed.add(node.name);
        this.#problems.add(elementNotClosed(tagOf(node), end, this.#closings(node)));
      }
    });
  }

  /** True for `<name>Text<name>`. Behind the last problem that is told nobody asks. */
  #isEndTagOf(node: ElementNode, inner: ElementNode): boolean {
    const isSame = inner.name === node.name && inner.attributes.length === 0;
    return isSame && node.textSpan !== undefined && !this.#problems.isFull;
  }

  /** Takes an element away that is the end tag of another. Its children, if any, stay. */
  #remove(node: ElementNode): void {
    const { parent } = node;
    if (parent !== undefined) {
      parent.children = parent.children.flatMap((child) => (child === node ? node.children : [child]));
      node.children.forEach((child) => (child.parent = parent));
    }
    this.#elements.splice(this.#elements.indexOf(node), 1);
  }

  /** How an element can be closed, the best first. */
  #closings(node: ElementNode): readonly { readonly newText: string; readonly span: Span }[] {
    const endTag = `</${node.name}>`;
    const last = node.children.at(-1);
    if (last !== undefined) {
      return [{ newText: this.#onOwnLine(node, endTag), span: emptyAt(last.span.end) }];
    }
    if (node.textSpan !== undefined) {
      return [{ newText: endTag, span: emptyAt(node.textSpan.end) }];
    }
    const { end } = node.startTag;
    const isEndWritten = this.#text.charAt(end - 1) === '>';
    const slash = isBlank(this.#text.charAt(end - 2)) ? '/>' : ' />';
    return [
      { newText: slash, span: { start: isEndWritten ? end - 1 : end, end } },
      { newText: endTag, span: emptyAt(end) },
    ];
  }

  #reportUnclosedRoot(root: ElementNode): void {
    this.#open.pop();
    const end = this.#text.trimEnd().length;
    root.end = this.#text.length;
    const closing = { newText: this.#onOwnLine(root, `</${root.name}>`), span: emptyAt(end) };
    this.#problems.add(elementNotClosed(tagOf(root), undefined, [closing]));
  }

  #onOwnLine(node: ElementNode, endTag: string): string {
    const lineEnd = this.#text.includes('\r\n') ? '\r\n' : '\n';
    const column = this.#indentationOf(node.start);
    return column === undefined ? endTag : lineEnd + this.#text.slice(node.start - column, node.start) + endTag;
  }

  /** Characters of white space before something on its line; undefined when other text stands before it. */
  #indentationOf(start: number): number | undefined {
    if (this.#problems.isFull) {
      return undefined;
    }
    for (let column = 0; column <= MAX_INDENTATION; column += 1) {
      const before = this.#text.charAt(start - column - 1);
      if (before === '' || before === '\n' || before === '\r') {
        return column;
      }
      if (before !== ' ' && before !== '\t') {
        return undefined;
      }
    }
    return undefined;
  }

  #reportSecondRoot(node: ElementNode, root: ElementNode): void {
    if (!this.#hasSecondRoot) {
      this.#hasSecondRoot = true;
      const tag = { start: node.startTag.start, end: node.nameSpan.end };
      this.#problems.add(secondRoot(tag, node.name, { name: root.name, nameSpan: root.nameSpan, end: root.endTag }));
    }
  }
}

function isDeeper(column: number | undefined, other: number | undefined): boolean {
  return column !== undefined && other !== undefined && column > other;
}

function tagOf({ name, nameSpan, startTag }: ElementNode): NamedTag & { readonly span: Span } {
  return { name, nameSpan, span: { start: startTag.start, end: nameSpan.end } };
}

function emptyAt(position: number): Span {
  return { start: position, end: position };
}
