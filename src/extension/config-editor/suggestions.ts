import {
  type AttributeRule,
  attributeRule,
  type ConfigPlatform,
  declaredPrefixes,
  type ElementRule,
  elementRule,
  elementsIn,
  findAttribute,
  type PreferenceRule,
  preferenceRule,
  PREFERENCES,
  type StartTag,
  typeIn,
  type ValueType,
  type XmlElement,
} from '../../config-xml/index.ts';
import type { AttributeContext, CompletionContext, ElementContext, ValueContext } from './completionContext.ts';

/** A suggestion at the cursor position. */
export interface Suggestion {
  readonly kind: 'element' | 'endTag' | 'attribute' | 'preference' | 'plugin' | 'value';
  readonly label: string;
  /** Text to insert. A part that is `undefined` is a cursor position. */
  readonly parts: readonly (string | undefined)[];
  readonly subject?: SuggestionSubject;
  /** Whether the list opens again at the new cursor position. */
  readonly suggestsNext?: boolean;
  readonly isDeprecated?: boolean;
}

/** The rule that describes a suggestion. */
export type SuggestionSubject =
  | { readonly kind: 'element'; readonly rule: ElementRule }
  | { readonly kind: 'attribute'; readonly rule: AttributeRule }
  | { readonly kind: 'preference'; readonly rule: PreferenceRule }
  | { readonly kind: 'plugin'; readonly name: string };

/**
 * Returns the suggestions for a place, according to the rules. {@link pathContext} handles files.
 *
 * @param plugins the names of plugins that the app can use
 */
export function suggestionsFor(context: CompletionContext, plugins: readonly string[]): readonly Suggestion[] {
  switch (context.kind) {
    case 'element':
      return elementSuggestions(context);
    case 'endTag':
      return [{ kind: 'endTag', label: `/${context.name}`, parts: [context.name, ...(context.hasRest ? [] : ['>'])] }];
    case 'attribute':
      return attributeSuggestions(context);
    case 'value':
      return isPluginName(context.tag.name, context.attribute.name)
        ? pluginSuggestions(context, plugins)
        : valueSuggestions(context);
  }
}

/** Returns the kind of file that a value refers to, or undefined if it isn't a file. */
export function pathContext(context: CompletionContext): 'page' | 'file' | undefined {
  const type = context.kind === 'value' ? valueType(context) : undefined;
  return type?.kind === 'path' ? type.of : undefined;
}

function elementSuggestions({ ancestors, isBegun, hasRest }: ElementContext): readonly Suggestion[] {
  const parent = ancestors.find(({ name }) => elementsIn(name).length > 0);
  if (parent === undefined) {
    return [];
  }
  const present = new Set(parent.children.map(({ name }) => name));
  const prefixes = new Set(ancestors.flatMap(declaredPrefixes));
  const elements = elementsIn(parent.name)
    .filter(({ name, isOnce }) => !(isOnce === true && present.has(name)))
    .filter(({ name }) => !name.includes(':') || prefixes.has(name.slice(0, name.indexOf(':'))))
    // Elements that build services ignore come last.
    .sort((a, b) => Number(a.leftOut !== undefined) - Number(b.leftOut !== undefined))
    .map((rule): Suggestion => ({
      kind: 'element',
      label: rule.name,
      parts: [isBegun ? '' : '<', ...(hasRest ? [rule.name] : elementParts(rule))],
      subject: { kind: 'element', rule },
      suggestsNext: !hasRest && asksForChoice(rule),
    }));
  const [innermost] = ancestors;
  return innermost === undefined || hasRest
    ? elements
    : [
        ...elements,
        { kind: 'endTag', label: `/${innermost.name}`, parts: [isBegun ? '' : '<', `/${innermost.name}>`] },
      ];
}

/** Reports whether suggestions exist at the first cursor position. */
function asksForChoice({ name, attributes, hasText }: ElementRule): boolean {
  const required = attributes.find(({ isRequired }) => isRequired === true);
  return required === undefined
    ? hasText !== true && elementsIn(name).length === 0 && attributes.length > 0
    : hasChoices(required.type) || isPreferenceName(name, required.name) || isPluginName(name, required.name);
}

/** Returns the text of an element with the attributes that it requires or nearly always has. */
function elementParts(rule: ElementRule): readonly (string | undefined)[] {
  const attributes = rule.attributes
    .filter(({ name, isRequired }) => isRequired === true || isPreferenceValue(rule.name, name))
    .flatMap(({ name }) => [` ${name}="`, undefined, '"']);
  const hasContent = rule.hasText === true || elementsIn(rule.name).length > 0;
  const isBlock = rule.hasText !== true;
  return [
    rule.name,
    ...attributes,
    ...(hasContent
      ? [isBlock ? '>\n\t' : '>', undefined, `${isBlock ? '\n' : ''}</${rule.name}>`]
      : [...(attributes.length > 0 ? [] : [' ', undefined]), ' />']),
  ];
}

function attributeSuggestions({ tag, attribute, ancestors }: AttributeContext): readonly Suggestion[] {
  const platform = findPlatform(ancestors);
  const others = tag.attributes.filter((each) => each !== attribute).map(({ name }) => name);
  const hasValue = attribute?.hasEquals === true;
  return (elementRule(tag.name)?.attributes ?? [])
    .filter(({ name, platforms }) => !others.includes(name) && isFor(platform, platforms))
    .map((rule) => ({
      kind: 'attribute',
      label: rule.name,
      parts: hasValue ? [rule.name] : [`${rule.name}="`, undefined, '"'],
      subject: { kind: 'attribute', rule },
      suggestsNext:
        !hasValue &&
        (hasChoices(rule.type) || isPreferenceName(tag.name, rule.name) || isPluginName(tag.name, rule.name)),
    }));
}

function valueSuggestions(context: ValueContext): readonly Suggestion[] {
  const { tag, attribute, ancestors } = context;
  const hasQuote = attribute.quote !== undefined;
  if (isPreferenceName(tag.name, attribute.name)) {
    return preferenceSuggestions(ancestors, hasQuote);
  }
  const type = valueType(context);
  const choices = type === undefined ? [] : getChoices(type);
  const defaultValue = isPreferenceValue(tag.name, attribute.name) ? preferenceIn(tag)?.defaultValue : undefined;
  // Without choices, the default value serves as an example.
  const values = choices.length > 0 || defaultValue === undefined ? choices : [defaultValue];
  return values.map((value) => ({ kind: 'value', label: value, parts: quoted(value, hasQuote) }));
}

/** Returns the plugins that no other element declares. */
function pluginSuggestions({ ancestors, attribute }: ValueContext, plugins: readonly string[]): readonly Suggestion[] {
  const [parent] = ancestors;
  const named = (parent?.children ?? []).filter(({ name }) => isPluginName(name, 'name'));
  const present = new Set(named.map((element) => findAttribute(element, 'name')?.value));
  return plugins
    .filter((name) => !present.has(name))
    .map((name) => ({
      kind: 'plugin',
      label: name,
      parts: quoted(name, attribute.quote !== undefined),
      subject: { kind: 'plugin', name },
    }));
}

function preferenceSuggestions(ancestors: readonly XmlElement[], hasQuote: boolean): readonly Suggestion[] {
  const platform = findPlatform(ancestors);
  const present = new Set(
    ancestors[0]?.children
      .filter(({ name }) => isPreference(name))
      .map((element) => findAttribute(element, 'name')?.value.toLowerCase()),
  );
  return PREFERENCES.filter(
    ({ name, platforms }) =>
      isFor(platform, platforms.length === 0 ? undefined : platforms) && !present.has(name.toLowerCase()),
  ).map((rule) => ({
    kind: 'preference',
    label: rule.name,
    parts: quoted(rule.name, hasQuote),
    subject: { kind: 'preference', rule },
    isDeprecated: isDropped(rule, platform),
  }));
}

/** Reports whether the latest versions of all of a preference's platforms ignore it. */
function isDropped({ platforms, removed = {} }: PreferenceRule, platform: string | undefined): boolean {
  const versions = new Map(Object.entries(removed));
  const readers = platform === undefined ? platforms : [platform];
  return readers.length > 0 && readers.every((each) => versions.has(each));
}

function quoted(value: string, hasQuote: boolean): readonly string[] {
  return hasQuote ? [value] : [`"${value}"`];
}

function valueType({ tag, attribute, ancestors }: ValueContext): ValueType | undefined {
  if (isPreferenceValue(tag.name, attribute.name)) {
    const preference = preferenceIn(tag);
    return preference && typeIn(preference, findPlatform(ancestors));
  }
  const rule = elementRule(tag.name);
  return rule && attributeRule(rule, attribute.name)?.type;
}

function getChoices(type: ValueType): readonly string[] {
  if (type.kind === 'boolean') {
    return ['true', 'false'];
  }
  return type.kind === 'choice' ? type.values : [];
}

function hasChoices(type: ValueType): boolean {
  return type.kind === 'path' || getChoices(type).length > 0;
}

/** Reports whether an element is a `preference`, with or without one of Cordova's prefixes. */
export function isPreference(element: string): boolean {
  return elementRule(element)?.name === 'preference';
}

function isPreferenceName(element: string, attribute: string): boolean {
  return isPreference(element) && attribute === 'name';
}

/** Reports whether an attribute contains the name of a `plugin` element, with or without a prefix. */
export function isPluginName(element: string, attribute: string): boolean {
  return /^(?:gap:|cdv:)?plugin$/.test(element) && attribute === 'name';
}

function isPreferenceValue(element: string, attribute: string): boolean {
  return isPreference(element) && attribute === 'value';
}

function preferenceIn(tag: StartTag): PreferenceRule | undefined {
  return preferenceRule(findAttribute(tag, 'name')?.value ?? '');
}

/** Returns the name of the enclosing `<platform>`, or undefined outside of one. */
function findPlatform(ancestors: readonly XmlElement[]): string | undefined {
  const platform = ancestors.find(({ name }) => name === 'platform');
  return platform && findAttribute(platform, 'name')?.value;
}

function isFor(platform: string | undefined, platforms: readonly ConfigPlatform[] | undefined): boolean {
  return platform === undefined || platforms === undefined || platforms.some((each) => each === platform);
}
