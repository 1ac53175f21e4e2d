import * as vscode from 'vscode';
import { type MarkdownBlock, markdownOf } from '../../workbench/markdown.ts';
import { localised } from '../../workbench/notifications.ts';
import { listText } from '../../workbench/values.ts';
import type { AttributeRule, ChoiceValue, ElementRule, Platform, PreferenceRule, ValueType } from '../rules/rule.ts';

/** What a rule describes. */
export type DescribedRule =
  | { readonly kind: 'element'; readonly rule: ElementRule }
  | { readonly kind: 'attribute'; readonly rule: AttributeRule }
  | { readonly kind: 'preference'; readonly rule: PreferenceRule }
  | { readonly kind: 'choice'; readonly value: ChoiceValue };

const PLATFORM_NAMES: Readonly<Record<Platform, string>> = {
  android: 'Android',
  ios: 'iOS',
  browser: 'Browser',
  electron: 'Electron',
  windows: 'Windows',
  osx: 'macOS',
  wp8: 'Windows Phone 8',
  blackberry10: 'BlackBerry 10',
  ubuntu: 'Ubuntu',
};

/** Longer lists of values are no help. */
const MAX_VALUES = 20;

/** A rule in words, with a link to where it is written down. All of it comes from the table of rules. */
export function describeRule(described: DescribedRule): ReturnType<typeof markdownOf> {
  switch (described.kind) {
    case 'element':
      return markdownOf(elementBlocks(described.rule));
    case 'attribute':
      return markdownOf(attributeBlocks(described.rule));
    case 'preference':
      return markdownOf(preferenceBlocks(described.rule));
    case 'choice':
      return markdownOf(choiceBlocks(described.value));
  }
}

function elementBlocks({ name, attributes, description, platforms, leftOut, source }: ElementRule): MarkdownBlock[] {
  const required = attributes.filter(({ isRequired }) => isRequired === true).map((each) => ` ${each.name}="…"`);
  return [
    { kind: 'code', code: `<${name}${required.join('')}>` },
    { kind: 'text', text: localised(description) },
    ...(leftOut === undefined ? [] : [text(localised(leftOut))]),
    ...platformBlocks(platforms),
    link(source),
  ];
}

function attributeBlocks({ name, type, isRequired, description, platforms, source }: AttributeRule): MarkdownBlock[] {
  return [
    { kind: 'code', code: `${name}="…"` },
    { kind: 'text', text: localised(description) },
    ...(isRequired === true ? [text(vscode.l10n.t('It must be there.'))] : []),
    ...platformBlocks(platforms),
    ...plainValues(type).map(text),
    ...valueBlocks(type),
    link(source),
  ];
}

function preferenceBlocks(rule: PreferenceRule): MarkdownBlock[] {
  const { name, type, platforms, defaultValue, description, since, removed, replacedBy, plugin, source } = rule;
  const facts = [
    ...(platforms.length === 0 ? [] : [platformsFact(platforms)]),
    ...(defaultValue === undefined || defaultValue === '' ? [] : [vscode.l10n.t('Default: {0}', defaultValue)]),
    ...(plugin === undefined ? [] : [vscode.l10n.t('Read by the plugin {0}', plugin)]),
    ...plainValues(type),
    ...versions(since).map((version) => vscode.l10n.t('Since {0}', version)),
    ...versions(removed).map((version) => vscode.l10n.t('Without effect since {0}', version)),
    ...(replacedBy === undefined ? [] : [vscode.l10n.t('In its place: {0}', replacedBy)]),
  ];
  return [
    { kind: 'code', code: `<preference name="${name}" value="${defaultValue ?? '…'}" />` },
    { kind: 'text', text: localised(description) },
    { kind: 'list', items: facts },
    ...valueBlocks(type),
    link(source),
  ];
}

function choiceBlocks({ value, description }: ChoiceValue): MarkdownBlock[] {
  return [{ kind: 'code', code: `"${value}"` }, ...(description === undefined ? [] : [text(localised(description))])];
}

function valueBlocks(type: ValueType): MarkdownBlock[] {
  const values = valuesOf(type);
  if (values.every(({ description }) => description === undefined)) {
    return [];
  }
  const items = values.map(({ value, description }) =>
    description === undefined ? value : vscode.l10n.t('{0}: {1}', value, localised(description)),
  );
  return [text(vscode.l10n.t('Values:')), { kind: 'list', items }];
}

/** In one line, when nothing is to be said of any. */
function plainValues(type: ValueType): readonly string[] {
  const values = valuesOf(type);
  return values.length === 0 || values.some(({ description }) => description !== undefined)
    ? []
    : [vscode.l10n.t('Values: {0}', listText(values.map(({ value }) => value)))];
}

function valuesOf(type: ValueType): readonly ChoiceValue[] {
  const values = type.kind === 'choice' ? type.values : [];
  return values.length > MAX_VALUES ? [] : values;
}

/** Such as `cordova-android 10.0.0`. */
function versions(byPlatform: PreferenceRule['since'] = {}): string[] {
  return Object.entries(byPlatform).map(([platform, version]) => `cordova-${platform} ${version}`);
}

function platformBlocks(platforms: readonly Platform[] | undefined): MarkdownBlock[] {
  return platforms === undefined || platforms.length === 0 ? [] : [text(platformsFact(platforms))];
}

function platformsFact(platforms: readonly Platform[]): string {
  return vscode.l10n.t('Platforms: {0}', listText(platforms.map((platform) => PLATFORM_NAMES[platform])));
}

function text(words: string): MarkdownBlock {
  return { kind: 'text', text: words };
}

function link(target: string): MarkdownBlock {
  return { kind: 'link', title: vscode.l10n.t('Documentation'), target };
}
