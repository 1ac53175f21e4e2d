/** plugin.xml: what a plugin of Cordova is, needs and does (Cordova, "Plugin.xml"). */
import { parseXml, XmlElement } from '@rgrove/parse-xml';

import { isVersionRange } from '../../../formats/npmPackage.ts';
import { escapeMarkup } from '../webApp.ts';

export interface PluginXml {
  readonly id: string;
  /** The variables without a default, but for those of one platform alone: an app must give them a value. */
  readonly variables: readonly string[];
  /** The plugins that it can't do without. `range`: the versions of it, where plugin.xml names some. */
  readonly dependencies: readonly { readonly name: string; readonly range: string | undefined }[];
  /** The scripts that would run in each build, as they are named. */
  readonly scripts: readonly string[];
  /** Whether it names a file outside of the plugin or the project. */
  readonly namesOutside: boolean;
  /** The same text without these scripts, and without other sources of its dependencies than npm. */
  readonly withoutScripts: string;
}

/** @returns `undefined` for a text that cannot be read */
export function readPluginXml(text: string): PluginXml | undefined {
  // Offsets are those of the text that the parser makes of it.
  const xml = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const root = parse(xml);
  if (root?.name !== 'plugin') {
    return undefined;
  }
  const elements = [...elementsBelow(root)];
  const scripts = elements.filter(isScript);
  const dependencies = elements.filter(({ name }) => name === 'dependency');
  const preferences = childrenOf(root).filter(
    ({ name, attributes }) => name === 'preference' && attributes.default === undefined,
  );
  const changes = [
    ...scripts.map((element) => ({ element, text: '' })),
    ...dependencies.map((element) => ({ element, text: dependencyText(element) })),
  ].sort((a, b) => b.element.start - a.element.start);
  return {
    id: root.attributes.id ?? '',
    variables: [...new Set(preferences.flatMap(({ attributes }) => attributes.name ?? []))],
    dependencies: dependencies.map(dependencyOf),
    scripts: scripts.map(({ attributes: { src, scriptSrc } }) => src ?? scriptSrc ?? ''),
    namesOutside: elements.some(({ attributes }) =>
      Object.values(attributes).some((value) => /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(value)),
    ),
    withoutScripts: changes.reduce(
      (changed, { element, text: replacement }) =>
        changed.slice(0, element.start) + replacement + changed.slice(element.end),
      xml,
    ),
  };
}

function parse(xml: string): XmlElement | undefined {
  try {
    return parseXml(xml, { includeOffsets: true }).root ?? undefined;
  } catch {
    return undefined;
  }
}

/** A hook, or the script that finds out the version of an `<engine>` of the plugin's own. */
function isScript({ name, attributes }: XmlElement): boolean {
  return name === 'hook' || (name === 'engine' && attributes.scriptSrc !== undefined);
}

function dependencyOf({ attributes: { id = '', version = '' } }: XmlElement): PluginXml['dependencies'][number] {
  // Cordova takes a version alone for that one or a compatible one.
  const range = /^\d+(?:\.\d+){0,2}$/.test(version) ? `^${version}` : version;
  return { name: id, range: isVersionRange(range) ? range : undefined };
}

/** Without the `url` that Cordova would fetch it from. */
function dependencyText(element: XmlElement): string {
  const { name, range } = dependencyOf(element);
  return `<dependency id="${escapeMarkup(name)}"${range === undefined ? '' : ` version="${escapeMarkup(range)}"`} />`;
}

function* elementsBelow(element: XmlElement): Generator<XmlElement> {
  for (const child of childrenOf(element)) {
    yield child;
    // What is inside of it goes with it.
    if (!isScript(child)) {
      yield* elementsBelow(child);
    }
  }
}

function childrenOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement);
}
