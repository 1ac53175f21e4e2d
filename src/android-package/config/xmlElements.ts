import { XmlElement } from '@rgrove/parse-xml';

/** Returns the child elements of an element, without its text and comments. */
export function getChildren(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement);
}

/** Returns the value of an attribute, or an empty string if it's missing. */
export function getAttribute(element: XmlElement | undefined, name: string): string {
  return element === undefined || !Object.hasOwn(element.attributes, name) ? '' : (element.attributes[name] ?? '');
}
