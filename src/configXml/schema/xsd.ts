/** The XML Schema of config.xml, made of the rules. @param hasNamespace for files with `xmlns="http://www.w3.org/ns/widgets"`. */
export function xsd(hasNamespace: boolean): string {
  return hasNamespace ? '<xs:schema/>' : '<xs:schema/>';
}
