/** Reads the plugin.xml of Cordova plugins (Cordova, "Plugin.xml"). */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml';

import { escapeMarkup, getChildren, isVersionRange, xmlAttributes } from '../../../android-package/index.ts';

/** Facts from a plugin.xml. */
export interface PluginXml {
  readonly id: string;
  /** Variables that an app must set: those without a default, except variables for a single platform. */
  readonly variables: readonly string[];
  /** Plugins that this plugin depends on. `range` is `undefined` unless it's an npm version range. */
  readonly dependencies: readonly { readonly name: string; readonly range: string | undefined }[];
  /** Script files that would run in every build. */
  readonly scripts: readonly string[];
  /** Whether the file refers to files outside the plugin or the project. */
  readonly namesOutside: boolean;
  /** The plugin.xml without scripts and with dependencies only from npm. */
  readonly withoutScripts: string;
}

/** Reads the plugin.xml in a plugin's folder. @returns `undefined` if the file is missing or can't be parsed */
export async function readPlugin(folder: string): Promise<PluginXml | undefined> {
  const xml = await readFile(path.join(folder, 'plugin.xml'), 'utf8').catch(() => undefined);
  return xml === undefined ? undefined : readPluginXml(xml);
}

/** Parses a plugin.xml. @returns `undefined` if the text can't be parsed */
export function readPluginXml(text: string): PluginXml | undefined {
  const root = parse(text);
  if (root?.name !== 'plugin') {
    return undefined;
  }
  const elements = [...getDescendants(root)];
  const preferences = getChildren(root).filter(
    ({ name, attributes }) => name === 'preference' && attributes.default === undefined,
  );
  return {
    id: root.attributes.id ?? '',
    variables: [...new Set(preferences.flatMap(({ attributes }) => attributes.name ?? []))],
    dependencies: elements.filter(({ name }) => name === 'dependency').map(toDependency),
    scripts: elements.filter(isScript).map(({ attributes: { src, scriptSrc } }) => src ?? scriptSrc ?? ''),
    namesOutside: elements.some(({ attributes }) =>
      Object.values(attributes).some((value) => /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(value)),
    ),
    withoutScripts: xmlWithoutScripts(root),
  };
}

function parse(text: string): XmlElement | undefined {
  try {
    return parseXml(text).root ?? undefined;
  } catch {
    return undefined;
  }
}

/** Reports whether an element is a hook, or an `<engine>` that has a script to determine its version. */
function isScript({ name, attributes }: XmlElement): boolean {
  return name === 'hook' || (name === 'engine' && attributes.scriptSrc !== undefined);
}

function toDependency({ attributes: { id = '', version = '' } }: XmlElement): PluginXml['dependencies'][number] {
  // Cordova reads `1.2.3` as `^1.2.3`.
  const range = /^\d+(?:\.\d+){0,2}$/.test(version) ? `^${version}` : version;
  return { name: id, range: isVersionRange(range) ? range : undefined };
}

/**
 * Serializes an element from its parsed values. Never copies its text, because Cordova's parser could find a script
 * where this one doesn't.
 */
function xmlWithoutScripts(element: XmlElement): string {
  const { name, attributes, children } = element;
  if (name === 'dependency') {
    // Omit `url`, because Cordova would fetch the plugin from it.
    const { name: id, range } = toDependency(element);
    return formatElement(name, range === undefined ? { id } : { id, version: range }, '');
  }
  const content = children.map((child) =>
    child instanceof XmlText
      ? child.text.split('\n').map(escapeMarkup).join('\n')
      : child instanceof XmlElement && !isScript(child)
        ? xmlWithoutScripts(child)
        : '',
  );
  return formatElement(name, attributes, content.join(''));
}

function formatElement(name: string, attributes: Readonly<Record<string, string>>, content: string): string {
  return `<${name}${xmlAttributes(attributes)}>${content}</${name}>`;
}

function* getDescendants(element: XmlElement): Generator<XmlElement> {
  for (const child of getChildren(element)) {
    yield child;
    yield* getDescendants(child);
  }
}
