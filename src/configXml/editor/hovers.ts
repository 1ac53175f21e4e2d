import * as vscode from 'vscode';
import { attributeRule, elementRule, preferenceRule } from '../rules/ruleTable.ts';
import type { Span, XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';
import { type ConfigFiles, rangeOf } from './configFiles.ts';
import { type DescribedRule, describeRule } from './descriptions.ts';
import { isPreference } from './suggestions.ts';

/** What is known of the element, attribute or preference under the pointer. */
export class Hovers implements vscode.HoverProvider {
  readonly #files: ConfigFiles;

  constructor(files: ConfigFiles) {
    this.#files = files;
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const xml = await this.#files.read(document);
    const found = xml && ruleAt(xml, document.offsetAt(position));
    return found && new vscode.Hover(describeRule(found.described), rangeOf(document, found.span));
  }
}

interface RuleAt {
  readonly described: DescribedRule;
  readonly span: Span;
}

function ruleAt({ elements }: XmlDocument, offset: number): RuleAt | undefined {
  const element = elements.find(({ startTag }) => isIn(startTag, offset));
  if (element === undefined) {
    return undefined;
  }
  const { name, nameSpan } = element;
  const rule = elementRule(name);
  if (isIn(nameSpan, offset)) {
    return rule && { described: { kind: 'element', rule }, span: nameSpan };
  }
  const attribute = element.attributes.find((each) => isIn(each.nameSpan, offset) || isIn(each.valueSpan, offset));
  return attribute && attributeAt(element, attribute, offset);
}

function attributeAt(element: XmlElement, attribute: XmlAttribute, offset: number): RuleAt | undefined {
  const { name, nameSpan, value, valueSpan } = attribute;
  if (valueSpan !== undefined && isIn(valueSpan, offset) && isPreference(element.name)) {
    const preference = preferenceRule(name === 'name' ? value : valueOf(element, 'name'));
    return preference && { described: { kind: 'preference', rule: preference }, span: valueSpan };
  }
  const known = elementRule(element.name);
  const rule = known && attributeRule(known, name);
  if (rule === undefined) {
    return undefined;
  }
  if (valueSpan !== undefined && isIn(valueSpan, offset)) {
    const choice = rule.type.kind === 'choice' ? rule.type.values.find((each) => each.value === value) : undefined;
    return choice && { described: { kind: 'choice', value: choice }, span: valueSpan };
  }
  return { described: { kind: 'attribute', rule }, span: nameSpan };
}

function valueOf({ attributes }: XmlElement, name: string): string {
  return attributes.find((each) => each.name === name)?.value ?? '';
}

function isIn(span: Span | undefined, offset: number): boolean {
  return span !== undefined && span.start <= offset && offset <= span.end;
}
