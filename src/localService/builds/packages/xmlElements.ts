import { XmlElement } from '@rgrove/parse-xml';

export function childrenOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement);
}

/** Empty for an attribute that an element doesn't have. */
export function attributeOf(element: XmlElement | undefined, name: string): string {
  return element === undefined || !Object.hasOwn(element.attributes, name) ? '' : (element.attributes[name] ?? '');
}
