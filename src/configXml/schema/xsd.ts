import { plainText, type Sentence } from '../../api/errors/sentence.ts';
import type { AttributeRule, ElementRule, ValueType } from '../rules/rule.ts';
import { elementRule, elementsIn } from '../rules/ruleTable.ts';

/** The namespace of config.xml: W3C, Packaged Web Apps (Widgets). */
export const WIDGETS_NAMESPACE = 'http://www.w3.org/ns/widgets';

const ROOT = 'widget';

/**
 * The XML Schema 1.0 of config.xml, made of the rules. It says which elements and attributes there are and where; children may come
 * in any order and number, texts and values are open, and so is what belongs to another namespace.
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
    `<xs:element name="${rule.name}" type="${prefix}${rule.name}">${documentation(rule)}</xs:element>`;

  const attribute = (rule: AttributeRule): string => {
    const values = choiceType(rule.type);
    const type = values === '' ? ' type="xs:string"' : '';
    const use = rule.isRequired === true ? ' use="required"' : '';
    return `    <xs:attribute name="${rule.name}"${type}${use}>${documentation(rule)}${values}</xs:attribute>\n`;
  };

  // Elements are declared where they stand, not for the whole schema: what is below a foreign element is then not judged by them.
  const complexType = (rule: ElementRule): string => {
    const others = rule.isOpen === true ? '##any' : '##other';
    const children = rule.isOpen === true ? [] : unprefixed(elementsIn(rule.name));
    return `  <xs:complexType name="${rule.name}" mixed="true">
    <xs:choice minOccurs="0" maxOccurs="unbounded">
${children.map((child) => `      ${element(child)}\n`).join('')}      <xs:any namespace="${others}" processContents="lax"/>
    </xs:choice>
${unprefixed(rule.attributes).map(attribute).join('')}    <xs:anyAttribute namespace="${others}" processContents="lax"/>
  </xs:complexType>
`;
  };

  const rules = reachable();
  return `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"${namespace} elementFormDefault="qualified">
${rules
  .filter(({ name }) => name === ROOT)
  .map((rule) => `  ${element(rule)}\n`)
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
