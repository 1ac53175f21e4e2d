import type { Span, XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';

/** White space before an element, in characters. */
const MAX_INDENT = 200;

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
  return (root?.children ?? []).flatMap((element): readonly WidgetPart[] => {
    if (element.name !== 'platform') {
      return [{ element, name: localName(element), platform: undefined }];
    }
    const platform = attributeOf(element, 'name')?.value.trim() ?? '';
    return element.children.map((child) => ({ element: child, name: localName(child), platform }));
  });
}

/** The first attribute of a name. */
export function attributeOf(element: XmlElement, name: string): XmlAttribute | undefined {
  return element.attributes.find((attribute) => attribute.name === name);
}

/** From the name of an attribute to behind its last quote. */
export function spanOfAttribute({ nameSpan, valueSpan, quote }: XmlAttribute): Span {
  return { start: nameSpan.start, end: (valueSpan ?? nameSpan).end + (quote === undefined ? 0 : 1) };
}

/** An element, and the line that it stands on when nothing else does. */
export function spanWithLine(text: string, { span }: XmlElement): Span {
  const indent = /(?:^|\r?\n)[ \t]*$/.exec(text.slice(Math.max(0, span.start - MAX_INDENT), span.start))?.[0];
  const isAlone = indent !== undefined && /^[ \t]*(?:\r?\n|$)/.test(text.slice(span.end, span.end + MAX_INDENT));
  return isAlone ? { start: span.start - indent.length, end: span.end } : span;
}

/** A text as it is written between the quotes of an attribute. */
export function escapeAttribute(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function localName({ name }: XmlElement): string {
  return name.replace(/^(?:gap|cdv):/, '');
}
