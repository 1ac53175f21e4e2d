import * as vscode from 'vscode';
import { currentName, isPackageName } from '../../android-package/index.ts';
import { createMarkdown } from '../workbench/markdown.ts';
import { localize } from '../workbench/notifications.ts';
import { listText } from '../workbench/texts.ts';
import {
  attributeRule,
  elementRule,
  findAttribute,
  LEFT_OUT_REASONS,
  PLATFORM_NAMES,
  preferenceRule,
  type Span,
  type ValueType,
  type XmlAttribute,
  type XmlDocument,
  type XmlElement,
} from '../../config-xml/index.ts';
import { type ConfigFiles, toRange } from './configFiles.ts';
import { describePlugin, pluginFacts, type PluginSupport } from './plugins.ts';
import { isPluginName, isPreference, type SuggestionSubject } from './suggestions.ts';

/** Returns the description of the element, attribute, or preference under the pointer. */
export async function hoverAt(
  files: ConfigFiles,
  document: vscode.TextDocument,
  position: vscode.Position,
  support: PluginSupport | undefined,
): Promise<vscode.Hover | undefined> {
  const xml = await files.get(document)?.read();
  const found = xml && ruleAt(xml, document.offsetAt(position));
  const description = found && describeSubject(found.subject, support);
  return description && new vscode.Hover(description, toRange(document, found.span));
}

interface RuleSpan {
  readonly subject: SuggestionSubject;
  readonly span: Span;
}

function ruleAt({ elements }: XmlDocument, offset: number): RuleSpan | undefined {
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

function attributeAt(element: XmlElement, attribute: XmlAttribute, offset: number): RuleSpan | undefined {
  const { name, nameSpan, value, valueSpan } = attribute;
  if (valueSpan !== undefined && isIn(valueSpan, offset) && isPreference(element.name)) {
    const preference = preferenceRule(name === 'name' ? value : (findAttribute(element, 'name')?.value ?? ''));
    return preference && { subject: { kind: 'preference', rule: preference }, span: valueSpan };
  }
  if (valueSpan !== undefined && isIn(valueSpan, offset) && isPluginName(element.name, name)) {
    return { subject: { kind: 'plugin', name: value }, span: valueSpan };
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

/**
 * Describes a rule with a link to its documentation. For a plugin, describes its purpose and whether the app can use
 * it.
 *
 * @returns undefined for an element or attribute without a description
 */
export function describeSubject(
  subject: SuggestionSubject,
  support: PluginSupport | undefined,
): ReturnType<typeof createMarkdown> | undefined {
  return subject.kind === 'plugin' ? describePluginUse(subject.name, support) : describeRule(subject);
}

function describePluginUse(name: string, support: PluginSupport | undefined): ReturnType<typeof createMarkdown> {
  const purpose = describePlugin(name);
  return createMarkdown([
    { kind: 'code', code: `<plugin name="${name}" />` },
    ...(purpose === undefined ? [] : [{ kind: 'text' as const, text: purpose }]),
    { kind: 'list', items: pluginFacts(name, support) },
    // The registry has pages only for valid package names.
    ...(isPackageName(name)
      ? [{ kind: 'link' as const, title: vscode.l10n.t('Documentation'), target: `${NPM}${currentName(name)}` }]
      : []),
  ]);
}

const NPM = 'https://www.npmjs.com/package/';

type RuleSubject = Exclude<SuggestionSubject, { kind: 'plugin' }>;

function describeRule(subject: RuleSubject): ReturnType<typeof createMarkdown> | undefined {
  const { description, source } = subject.rule;
  if (description === undefined) {
    return undefined;
  }
  const { code, facts } = getRuleFacts(subject);
  return createMarkdown([
    { kind: 'code', code },
    // The table contains the English text, so that `npm run l10n` finds it.
    { kind: 'text', text: localize({ template: description, args: [] }) },
    { kind: 'list', items: facts },
    { kind: 'link', title: vscode.l10n.t('Documentation'), target: source },
  ]);
}

function getRuleFacts({ kind, rule }: RuleSubject): { readonly code: string; readonly facts: readonly string[] } {
  const { name, platforms = [] } = rule;
  const named = platforms.map((platform) => PLATFORM_NAMES[platform]);
  const platformsFact = named.length === 0 ? [] : [vscode.l10n.t('Platforms: {0}', listText(named))];
  switch (kind) {
    case 'element': {
      const required = rule.attributes.filter(({ isRequired }) => isRequired === true);
      const reason = rule.leftOut === undefined ? [] : [localize(LEFT_OUT_REASONS[rule.leftOut])];
      const attributes = required.map((each) => ` ${each.name}="…"`).join('');
      return { code: `<${name}${attributes}>`, facts: [...reason, ...platformsFact] };
    }
    case 'attribute': {
      const isRequired = rule.isRequired === true ? [vscode.l10n.t('It’s required.')] : [];
      return { code: `${name}="…"`, facts: [...isRequired, ...platformsFact, ...valuesFact(rule.type)] };
    }
    case 'preference': {
      const { type, defaultValue, removed = {}, replacedBy, plugin } = rule;
      return {
        code: `<preference name="${name}" value="${defaultValue ?? '…'}" />`,
        facts: [
          ...platformsFact,
          ...(defaultValue === undefined || defaultValue === '' ? [] : [vscode.l10n.t('Default: {0}', defaultValue)]),
          ...(plugin === undefined ? [] : [vscode.l10n.t('Used by the plugin {0}', plugin)]),
          ...valuesFact(type),
          ...Object.entries(removed).map(([platform, version]) =>
            vscode.l10n.t('No effect since {0}', `cordova-${platform} ${version}`),
          ),
          ...(replacedBy === undefined ? [] : [vscode.l10n.t('Use instead: {0}', replacedBy)]),
        ],
      };
    }
  }
}

/** Returns the allowed values on one line. */
function valuesFact(type: ValueType): readonly string[] {
  const values = type.kind === 'choice' ? type.values : [];
  return values.length === 0 ? [] : [vscode.l10n.t('Values: {0}', listText(values))];
}
