import { startPageOf } from '../../configXml/checks/files.ts';
import type { Span, XmlDocument, XmlElement } from '../../configXml/xmlDocument.ts';
import type { ProjectPlace } from './projectFinding.ts';

/** A `<plugin>` of config.xml. */
export interface NamedPlugin {
  readonly name: string;
  /** Names and values of its `<variable>` and `<param>` elements. */
  readonly variables: Readonly<Record<string, string>>;
  /** The platform whose element it stands in; undefined for all. */
  readonly platform: string | undefined;
  readonly place: ProjectPlace;
}

/** What config.xml says of the app, as far as the other checks need it. */
export interface ConfigFacts {
  readonly id: string | undefined;
  /** Of the attribute `id`. */
  readonly idPlace: ProjectPlace | undefined;
  /** The id that iOS apps have in place of `id`. */
  readonly iosId: string | undefined;
  /** The page that `<content src>` names, below the pages. */
  readonly startPage: string;
  readonly plugins: readonly NamedPlugin[];
}

/** @param placeOf where a part of the text is */
export function factsOf(document: XmlDocument, placeOf: (span: Span) => ProjectPlace): ConfigFacts {
  const { root } = document;
  const id = root?.attributes.find(({ name }) => name === 'id');
  return {
    id: id?.value,
    idPlace: id && placeOf(id.valueSpan ?? id.nameSpan),
    startPage: startPageOf(document),
    iosId: root && attributeOf(root, 'ios-CFBundleIdentifier'),
    plugins: (root?.children ?? []).flatMap((element) =>
      element.name === 'platform'
        ? element.children.flatMap((child) => pluginOf(child, attributeOf(element, 'name'), placeOf))
        : pluginOf(element, undefined, placeOf),
    ),
  };
}

function pluginOf(
  element: XmlElement,
  platform: string | undefined,
  placeOf: (span: Span) => ProjectPlace,
): readonly NamedPlugin[] {
  const name = attributeOf(element, 'name');
  if (!/^(?:gap:)?plugin$/.test(element.name) || name === undefined || name === '') {
    return [];
  }
  const variables = element.children
    .filter((child) => child.name === 'variable' || child.name === 'param')
    .map((child): [string, string] => [attributeOf(child, 'name') ?? '', valueOf(child)]);
  return [{ name, variables: Object.fromEntries(variables), platform, place: placeOf(element.startTag) }];
}

function attributeOf({ attributes }: XmlElement, wanted: string): string | undefined {
  return attributes.find(({ name }) => name === wanted)?.value;
}

/** An empty value counts as none. */
function valueOf(variable: XmlElement): string {
  const value = attributeOf(variable, 'value') ?? '';
  return value === '' ? (attributeOf(variable, 'default') ?? '') : value;
}
