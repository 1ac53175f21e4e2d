/** The plugin.xml of a Cordova plugin (Cordova, "Plugin.xml"). */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml';

import { isVersionRange } from '../../../formats/cordovaPlugins.ts';
import { escapeMarkup, xmlAttributes } from '../appValues.ts';
import { childrenOf } from '../packages/xmlElements.ts';

export interface PluginXml {
  readonly id: string;
  /** The variables that an app must set: those without a default, except for those of one platform. */
  readonly variables: readonly string[];
  /** The plugins that it needs. `range` is `undefined` where it names no versions that npm has. */
  readonly dependencies: readonly { readonly name: string; readonly range: string | undefined }[];
  /** The files of the scripts that would run in each build. */
  readonly scripts: readonly string[];
  /** Whether it names a file outside of the plugin or the project. */
  readonly namesOutside: boolean;
  /** The plugin.xml without these scripts, and with dependencies that come from npm. */
  readonly withoutScripts: string;
}

/** Reads the plugin.xml in the folder of a plugin. @returns `undefined` where there is none that can be read */
export async function readPlugin(folder: string): Promise<PluginXml | undefined> {
  const xml = await readFile(path.join(folder, 'plugin.xml'), 'utf8').catch(() => undefined);
  return xml === undefined ? undefined : readPluginXml(xml);
}

/** @returns `undefined` for a text that cannot be read */
export function readPluginXml(text: string): PluginXml | undefined {
  const root = parse(text);
  if (root?.name !== 'plugin') {
    return undefined;
  }
  const elements = [...elementsBelow(root)];
  const preferences = childrenOf(root).filter(
    ({ name, attributes }) => name === 'preference' && attributes.default === undefined,
  );
  return {
    id: root.attributes.id ?? '',
    variables: [...new Set(preferences.flatMap(({ attributes }) => attributes.name ?? []))],
    dependencies: elements.filter(({ name }) => name === 'dependency').map(dependencyOf),
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

/** A hook, or the script that finds out the version of an `<engine>` of the plugin's own. */
function isScript({ name, attributes }: XmlElement): boolean {
  return name === 'hook' || (name === 'engine' && attributes.scriptSrc !== undefined);
}

function dependencyOf({ attributes: { id = '', version = '' } }: XmlElement): PluginXml['dependencies'][number] {
  // Cordova reads `1.2.3` as `^1.2.3`.
  const range = /^\d+(?:\.\d+){0,2}$/.test(version) ? `^${version}` : version;
  return { name: id, range: isVersionRange(range) ? range : undefined };
}

/**
 * Writes an element from the parsed values, never from its text: Cordova reads it with another parser, which could find a script where
 * this one found none.
 */
function xmlWithoutScripts(element: XmlElement): string {
  const { name, attributes, children } = element;
  if (name === 'dependency') {
    // Without its `url`, from which Cordova would fetch it.
    const { name: id, range } = dependencyOf(element);
    return xmlOf(name, range === undefined ? { id } : { id, version: range }, '');
  }
  const content = children.map((child) =>
    child instanceof XmlText
      ? child.text.split('\n').map(escapeMarkup).join('\n')
      : child instanceof XmlElement && !isScript(child)
        ? xmlWithoutScripts(child)
        : '',
  );
  return xmlOf(name, attributes, content.join(''));
}

function xmlOf(name: string, attributes: Readonly<Record<string, string>>, content: string): string {
  return `<${name}${xmlAttributes(attributes)}>${content}</${name}>`;
}

function* elementsBelow(element: XmlElement): Generator<XmlElement> {
  for (const child of childrenOf(element)) {
    yield child;
    yield* elementsBelow(child);
  }
}
