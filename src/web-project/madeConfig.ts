import { colord } from 'colord';
import { escapeUTF8 } from 'entities/escape';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { sentence, valueAlone } from '../errors/index.ts';
import { writeAndroidLinks, writeAndroidQueries } from './capacitorProject.ts';
import type { AppFacts, AppFact, NamedAppFact } from './appFacts.ts';
import { isBelow } from './paths.ts';
import type { ProjectPlugin } from './projectPlugins.ts';
import { DEFAULT_START_PAGE } from '../config-xml/index.ts';
import { FALLBACK_PAGE, getPackagePath, type ProjectLayout, type MadeFile } from './projectLayout.ts';

/** A generated config.xml for a package. */
export interface MadeConfig {
  readonly text: string;
  /** Values in file order, with their sources. */
  readonly values: readonly NamedAppFact[];
  /** Generated files that config.xml refers to and that don't exist in the project. */
  readonly files: readonly MadeFile[];
  /** Project files outside the pages that config.xml refers to. */
  readonly named: readonly string[];
}

/** Facts about an app from sources other than the files of its project. */
export interface KnownApp {
  /** App ID. Undefined if unknown. */
  readonly id: AppFact | undefined;
  readonly title: AppFact;
  readonly version: AppFact | undefined;
  /** Whether the service has an icon for the app, which an icon in config.xml would replace. */
  readonly hasIcon: boolean;
}

/** File name of an app's config.xml, in its project and in its package. */
export const CONFIG_FILE = 'config.xml';

/** An element of a generated config.xml. Values without a source aren't shown. */
interface ConfigPart extends Omit<NamedAppFact, 'from'> {
  readonly from: NamedAppFact['from'] | undefined;
  readonly xml: string;
}

/**
 * Creates a config.xml for a project without one. Facts in the project's files take precedence over other facts about
 * the app. Adds index.html as the fallback page, because single-page apps request addresses that aren't files.
 */
export async function makeConfig(
  facts: AppFacts,
  layout: ProjectLayout,
  known: KnownApp,
  plugins: readonly ProjectPlugin[] = [],
): Promise<MadeConfig> {
  const id = facts.id ?? known.id;
  const version = facts.version ?? known.version ?? { value: '1.0.0', from: sentence('Not set in any file') };
  const { author, description, httpOrigins, links, queries } = facts;
  const startPage = facts.startPage ?? { value: DEFAULT_START_PAGE, from: undefined };
  const fallback = { value: DEFAULT_START_PAGE, from: sentence('For pages with client-side routing') };
  const icon = await getIcon(facts, layout, known);
  const part = (
    name: string,
    fact: Pick<ConfigPart, 'value' | 'from'> | undefined,
    write: (value: string) => string,
  ): readonly ConfigPart[] => (fact === undefined ? [] : [{ ...fact, name, xml: `  ${write(escape(fact.value))}` }]);
  const parts = [
    ...part('name', facts.name ?? known.title, (value) => `<name>${value}</name>`),
    ...part('description', description, (value) => `<description>${value}</description>`),
    ...part('author', author, (value) => {
      return `<author${attribute('email', author?.email)}${attribute('href', author?.url)}>${value}</author>`;
    }),
    ...part('content', startPage, (value) => `<content src="${value}" />`),
    ...part('access', { value: '*', from: undefined }, (value) => `<access origin="${value}" />`),
    ...part('access', httpOrigins, (value) => `<access origin="${value}" />`),
    ...part('icon', icon, (value) => `<icon src="${value}" />`),
    ...[...facts.preferences, { name: FALLBACK_PAGE, ...fallback }].flatMap(({ name, ...fact }) =>
      part(name, fact, (value) => `<preference name="${name}" value="${value}" />`),
    ),
    ...(links === undefined ? [] : part('intent-filter', links, () => writeAndroidLinks(links, escape))),
    ...(queries === undefined ? [] : part('queries', queries, () => writeAndroidQueries(queries, escape))),
  ];
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<widget${attribute('id', id?.value)} version="${escape(version.value)}" xmlns="http://www.w3.org/ns/widgets">`,
    ...parts.map(({ xml }) => xml),
    ...plugins.map(pluginElement),
    '</widget>',
    '',
  ].join('\n');
  const names = { name: 'plugin', value: joinPluginNames(plugins), from: valueAlone(joinPluginFiles(plugins)) };
  return {
    text,
    values: [
      ...(id === undefined ? [] : [{ name: 'id', ...id }]),
      { name: 'version', ...version },
      ...parts.flatMap(({ name, value, from }) => (from === undefined ? [] : [{ name, value, from }])),
      ...(plugins.length === 0 ? [] : [names]),
    ],
    files: icon?.file === undefined ? [] : [icon.file],
    named: icon?.named ?? [],
  };
}

/**
 * Adds elements for plugins to the text of a config.xml.
 *
 * @returns undefined if there are no plugins to add, or if the file can't be changed because it has no end tag or isn't
 * in UTF-8. The service reports those problems
 */
export function withPlugins(config: string, plugins: readonly ProjectPlugin[]): string | undefined {
  const end = config.lastIndexOf('</widget');
  return end < 0 || plugins.length === 0 || config.includes('\uFFFD')
    ? undefined
    : `${config.slice(0, end)}${plugins.map((plugin) => `${pluginElement(plugin)}\n`).join('')}${config.slice(end)}`;
}

/** Returns the names of plugins on one line. */
export function joinPluginNames(plugins: readonly ProjectPlugin[]): string {
  return plugins.map(({ name }) => name).join(', ');
}

/** Returns the files that declare the plugins, on one line. */
export function joinPluginFiles(plugins: readonly ProjectPlugin[]): string {
  return [...new Set(plugins.map(({ location }) => location.path))].join(', ');
}

function pluginElement({ name, spec, variables, platform }: ProjectPlugin): string {
  const start = `<plugin${attribute('name', name)}${attribute('spec', spec)}`;
  const inner = Object.entries(variables).map(
    ([key, value]) => `<variable name="${escape(key)}" value="${escape(value)}" />`,
  );
  const element = inner.length === 0 ? `${start} />` : `${start}>${inner.join('')}</plugin>`;
  return platform === undefined ? `  ${element}` : `  <platform name="${escape(platform)}">${element}</platform>`;
}

/** An icon with its path in the package. */
interface IconFact extends AppFact {
  readonly file?: MadeFile;
  readonly named?: readonly string[];
}

const PLAIN_ICON = 'icon.png';

/**
 * Returns the largest icon that a file specifies, or a plain icon by default. Returns undefined if the service has an
 * icon.
 */
async function getIcon(
  { icon, themeColor }: AppFacts,
  layout: ProjectLayout,
  known: KnownApp,
): Promise<IconFact | undefined> {
  if (icon !== undefined) {
    const isPage = layout.pages === '' || isBelow(icon.value, layout.pages);
    return { value: getPackagePath(layout, icon.value), from: icon.from, named: isPage ? [] : [icon.value] };
  }
  return known.hasIcon
    ? undefined
    : {
        value: PLAIN_ICON,
        from: sentence('Plain icon: no square PNG found'),
        file: { path: PLAIN_ICON, bytes: await makePlainIcon(themeColor) },
      };
}

function attribute(name: string, value = ''): string {
  return value === '' ? '' : ` ${name}="${escape(value)}"`;
}

/** Escapes text for XML. Replaces characters that XML 1.0 doesn't allow with spaces. */
function escape(text: string): string {
  return escapeUTF8(text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' '));
}

const BLUE = '#2E6BC6';

/**
 * Creates the default icon, in the app's color. Changes the palette of an image that's next to this file and next to
 * the bundle. The palette ranges from the background color to the foreground color (PNG, Third Edition, §11.2.2).
 *
 * @param color a color as `#RRGGBB`. Blue is used if it's undefined, translucent, or invalid
 * @returns the bytes of a PNG file
 */
export async function makePlainIcon(color: string | undefined): Promise<Uint8Array> {
  const background = colord(/^#[\da-f]{6}$/i.test(color ?? '') ? (color ?? BLUE) : BLUE);
  const foreground = colord(background.isLight() ? '#1B1F24' : '#FFFFFF');
  const image = await readFile(path.join(import.meta.dirname, 'plainIcon.png'));
  const type = image.indexOf('PLTE', 0, 'latin1');
  const bytes = image.readUInt32BE(type - 4);
  const [from, to] = [background.toRgb(), foreground.toRgb()];
  for (let at = 0; at < bytes; at += 1) {
    const part = Math.floor(at / 3) / (bytes / 3 - 1);
    const channel = (['r', 'g', 'b'] as const)[at % 3] ?? 'r';
    image[type + 4 + at] = Math.round(from[channel] + (to[channel] - from[channel]) * part);
  }
  image.writeUInt32BE(crc32(image.subarray(type, type + 4 + bytes)), type + 4 + bytes);
  return image;
}
