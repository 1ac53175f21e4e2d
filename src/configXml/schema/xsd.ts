import { plainText, type Sentence } from '../../api/errors/sentence.ts';
import type { AttributeRule, ElementRule, ValueType } from '../rules/rule.ts';
import { elementRule, elementsIn, isContainer } from '../rules/ruleTable.ts';

/** The namespace of config.xml: W3C, Packaged Web Apps (Widgets). */
export const WIDGETS_NAMESPACE = 'http://www.w3.org/ns/widgets';

const ROOT = 'widget';

/**
 * The XML Schema 1.0 of config.xml, made of the rules, for what an XML extension offers and explains while somebody types. It judges
 * little: names, values and what is missing are checked by checks/, which know what was meant. So texts, values, further attributes
 * and the order and number of children are open, and so is what else stands in the root and in `<platform>`.
 *
 * @param hasNamespace for files with `xmlns="http://www.w3.org/ns/widgets"`; a schema fits files with or without it, never both
 * @param localised makes the text of a description
 */
export function xsd(hasNamespace: boolean, localised: (sentence: Sentence) => string = plainText): string {
  const prefix = hasNamespace ? 'w:' : '';
  const namespace = hasNamespace ? ` targetNamespace="${WIDGETS_NAMESPACE}" xmlns:w="${WIDGETS_NAMESPACE}"` : '';
  const documentation = ({ description, source }: { description: Sentence; source: string }): string =>
    `<xs:annotation><xs:documentation>${escapeXml(localised(description))}\n${escapeXml(source)}</xs:documentation></xs:annotation>`;

  const element = (rule: ElementRule): string =>
    `<xs:element name="${rule.name}" type="${prefix}${rule.name}">${documentation(rule)}</xs:element>\n`;

  const attribute = (rule: AttributeRule): string => {
    const values = choiceType(rule.type);
    const type = values === '' ? ' type="xs:string"' : '';
    return `    <xs:attribute name="${rule.name}"${type}>${documentation(rule)}${values}</xs:attribute>\n`;
  };

  const content = (rule: ElementRule): string => {
    if (rule.isOpen === true) {
      return '      <xs:any namespace="##any" processContents="skip"/>\n';
    }
    // What is declared for the whole schema is known to the wildcard.
    return isContainer(rule)
      ? '      <xs:any namespace="##any" processContents="lax"/>\n'
      : `${unprefixed(elementsIn(rule.name))
          .map((child) => `      ${element(child)}`)
          .join('')}      <xs:any namespace="##other" processContents="lax"/>\n`;
  };

  const complexType = (rule: ElementRule): string => `  <xs:complexType name="${rule.name}" mixed="true">
    <xs:choice minOccurs="0" maxOccurs="unbounded">
${content(rule)}    </xs:choice>
${unprefixed(rule.attributes).map(attribute).join('')}    <xs:anyAttribute namespace="##any" processContents="lax"/>
  </xs:complexType>
`;

  const rules = reachable();
  const isGlobal = ({ name, parents }: ElementRule): boolean =>
    name === ROOT || parents.some((parent) => rules.some((rule) => rule.name === parent && isContainer(rule)));
  return `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"${namespace} elementFormDefault="qualified">
${rules
  .filter(isGlobal)
  .map((rule) => `  ${element(rule)}`)
  .join('')}${rules.map(complexType).join('')}</xs:schema>
`;
}

/** The rules of the elements that stand below the root, and its own. */
function reachable(): readonly ElementRule[] {
  const root = elementRule(ROOT);
  const found = new Set(root === undefined ? [] : [root]);
  // A set gives what is added to it while it is walked through.
  for (const rule of found) {
    unprefixed(elementsIn(rule.name)).forEach((child) => found.add(child));
  }
  return [...found];
}

/** Names with a prefix belong to other namespaces, which a schema leaves to others. */
function unprefixed<T extends { readonly name: string }>(rules: readonly T[]): readonly T[] {
  return rules.filter(({ name }) => !name.includes(':'));
}

/** The values of a choice, which editors offer, or any other text; empty for other types. */
function choiceType(type: ValueType): string {
  if (type.kind !== 'choice') {
    return '';
  }
  const values = type.values.map(({ value }) => `<xs:enumeration value="${escapeXml(value)}"/>`).join('');
  return (
    '<xs:simpleType><xs:union memberTypes="xs:string">' +
    `<xs:simpleType><xs:restriction base="xs:string">${values}</xs:restriction></xs:simpleType>` +
    '</xs:union></xs:simpleType>'
  );
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
