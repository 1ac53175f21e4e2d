import { XmlElement } from '@rgrove/parse-xml';

/** The elements in an element, without texts and comments. */
export function childrenOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement);
}

/** The value of an attribute; empty for one that the element doesn't have. */
export function attributeOf(element: XmlElement | undefined, name: string): string {
  return element === undefined || !Object.hasOwn(element.attributes, name) ? '' : (element.attributes[name] ?? '');
}
