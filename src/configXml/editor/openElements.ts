import { readTag, type Tag } from './tag.ts';

export interface NamedElement {
  readonly name: string;
  /** Values by name. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** An element whose end tag is still to come. */
export interface OpenElement extends NamedElement {
  /** Those before the place. */
  readonly children: readonly NamedElement[];
}

/** Between these nothing is a tag. */
export const OPAQUE = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/**
 * The elements that are open at the end of a text, the innermost first. An end tag ends what is open inside of its element, too.
 * Unlike the tree of the whole text, it makes no guess about elements that are never closed: their end may be what is written next.
 */
export function openElements(before: string): readonly OpenElement[] {
  const open: { readonly tag: Tag; readonly children: NamedElement[] }[] = [];
  let at = before.indexOf('<');
  while (at >= 0) {
    const opaque = OPAQUE.find(([begin]) => before.startsWith(begin, at));
    let end = at + 1;
    if (opaque !== undefined) {
      const close = before.indexOf(opaque[1], at + opaque[0].length);
      end = close < 0 ? before.length : close + opaque[1].length;
    } else if (before[at + 1] === '/') {
      const name = readTag(before, at + 1).name;
      const index = open.findLastIndex(({ tag }) => tag.name === name);
      open.splice(index < 0 ? open.length : index);
    } else {
      const tag = readTag(before, at);
      end = Math.max(end, tag.span.end);
      if (tag.isComplete && tag.name !== '') {
        open.at(-1)?.children.push(namedElement(tag));
        if (before[tag.span.end - 2] !== '/') {
          open.push({ tag, children: [] });
        }
      }
    }
    at = before.indexOf('<', end);
  }
  return open.map(({ tag, children }) => ({ ...namedElement(tag), children })).reverse();
}

function namedElement({ name, attributes }: Tag): NamedElement {
  return { name, attributes: Object.fromEntries(attributes.map((each) => [each.name, each.value])) };
}
