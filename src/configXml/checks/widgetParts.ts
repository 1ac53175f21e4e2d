import type { Span, XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';

/** An element that says something about the app: a child of the root, or of one of its `<platform>` elements. */
export interface WidgetPart {
  readonly element: XmlElement;
  /** Without the prefix of Cordova or PhoneGap Build: `splash` for `gap:splash`. */
  readonly name: string;
  /** The name of the `<platform>`; undefined for all platforms. */
  readonly platform: string | undefined;
}

/** The parts of an app's config.xml, in the order of the text. */
export function widgetParts({ root }: XmlDocument): readonly WidgetPart[] {
  const parts: WidgetPart[] = [];
  for (const element of root?.children ?? []) {
    if (element.name === 'platform') {
      const platform = attributeOf(element, 'name')?.value.trim() ?? '';
      for (const child of element.children) {
        parts.push({ element: child, name: localName(child), platform });
      }
    } else {
      parts.push({ element, name: localName(element), platform: undefined });
    }
  }
  return parts;
}

/** The first attribute of a name. */
export function attributeOf(element: XmlElement, name: string): XmlAttribute | undefined {
  return element.attributes.find((attribute) => attribute.name === name);
}

/**
 * The name of a `<plugin>`; without one, as PhoneGap Build had it, that of its Git repository. Empty when nothing names it, and for
 * PhoneGap 2's `<plugin name="Geolocation" value="…">`, which gives a part of PhoneGap itself a class.
 */
export function nameOfPlugin(element: XmlElement): string {
  const has = (name: string): boolean => attributeOf(element, name) !== undefined;
  if (has('value') && !has('spec') && !has('version') && !has('source')) {
    return '';
  }
  const [address = ''] = (attributeOf(element, 'spec')?.value ?? '').split(/[?#]/, 1);
  const isGit = address.endsWith('.git') || attributeOf(element, 'source')?.value === 'git';
  const [, last = ''] = /\/([\w.-]{1,200}?)(?:\.git)?\/?$/.exec(address) ?? [];
  const name = attributeOf(element, 'name')?.value ?? '';
  return name === '' && isGit ? last : name;
}

/** An element, and the line that it stands on when nothing else does. */
export function spanWithLine(text: string, { span }: XmlElement): Span {
  let start = span.start;
  while (isIndentation(text[start - 1])) {
    start -= 1;
  }
  let end = span.end;
  while (isIndentation(text[end])) {
    end += 1;
  }
  const first = text.startsWith('\uFEFF') ? 1 : 0;
  if ((start > first && text[start - 1] !== '\n') || (end < text.length && !/[\r\n]/.test(text[end] ?? ''))) {
    return span;
  }
  if (start === first) {
    return { start, end: end + (text.startsWith('\r\n', end) ? 2 : 1) };
  }
  const lineEnd = text[start - 2] === '\r' ? 2 : 1;
  return { start: start - lineEnd, end: span.end };
}

function isIndentation(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function localName({ name }: XmlElement): string {
  return name.startsWith('gap:') || name.startsWith('cdv:') ? name.slice('gap:'.length) : name;
}
