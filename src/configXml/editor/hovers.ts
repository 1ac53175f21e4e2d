import * as vscode from 'vscode';
import { attributeRule, elementRule, preferenceRule } from '../rules/ruleTable.ts';
import { attributeOf } from '../checks/widgetParts.ts';
import type { Span, XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';
import { type ConfigFiles, rangeOf } from './configFiles.ts';
import { describeRule } from './descriptions.ts';
import { isPreference, type SuggestionSubject } from './suggestions.ts';

/** What is known of the element, attribute or preference under the pointer. */
export class Hovers implements vscode.HoverProvider {
  readonly #files: ConfigFiles;

  constructor(files: ConfigFiles) {
    this.#files = files;
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const xml = await this.#files.read(document);
    const found = xml && ruleAt(xml, document.offsetAt(position));
    const description = found && describeRule(found.subject);
    return description && new vscode.Hover(description, rangeOf(document, found.span));
  }
}

interface RuleAt {
  readonly subject: SuggestionSubject;
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
    return rule && { subject: { kind: 'element', rule }, span: nameSpan };
  }
  const attribute = element.attributes.find((each) => isIn(each.nameSpan, offset) || isIn(each.valueSpan, offset));
  return attribute && attributeAt(element, attribute, offset);
}

function attributeAt(element: XmlElement, attribute: XmlAttribute, offset: number): RuleAt | undefined {
  const { name, nameSpan, value, valueSpan } = attribute;
  if (valueSpan !== undefined && isIn(valueSpan, offset) && isPreference(element.name)) {
    const preference = preferenceRule(name === 'name' ? value : (attributeOf(element, 'name')?.value ?? ''));
    return preference && { subject: { kind: 'preference', rule: preference }, span: valueSpan };
  }
  const known = elementRule(element.name);
  const rule = known && attributeRule(known, name);
  return rule === undefined || !isIn(nameSpan, offset)
    ? undefined
    : { subject: { kind: 'attribute', rule }, span: nameSpan };
}

function isIn(span: Span | undefined, offset: number): boolean {
  return span !== undefined && span.start <= offset && offset <= span.end;
}
