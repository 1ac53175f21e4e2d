import { colord } from 'colord';
import { escapeUTF8 } from 'entities/escape';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type * as vscode from 'vscode';
import { sentence, valueAlone, type Sentence } from '../api/errors/sentence.ts';
import type { AppFacts, Fact } from './appFacts.ts';
import { isBelow, uriBelow } from './paths.ts';
import type { ProjectPlugin } from './projectPlugins.ts';
import { FALLBACK_PAGE, packagePathOf, type Layout } from './layout.ts';

/** A file of the package that is in no folder. */
export interface MadeFile {
  /** In the package, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A value of a config.xml that was made, and where it comes from. */
interface MadeValue {
  readonly name: string;
  readonly value: string;
  readonly from: Sentence;
}

/** A config.xml that was made for a package. */
export interface MadeConfig {
  readonly text: string;
  /** In the order of the file. */
  readonly values: readonly MadeValue[];
  /** Files that it names and no folder has. */
  readonly files: readonly MadeFile[];
  /** Files of the project that it names, and which are not among the pages. */
  readonly named: readonly string[];
}

/** Facts about an app that do not come from the files of its project. */
export interface KnownApp {
  /** Undefined where nothing gives one. */
  readonly id: MadeIdentity | undefined;
  readonly title: MadeIdentity;
  readonly version: MadeIdentity | undefined;
  /** The app has an icon at the service, which one of config.xml would replace. */
  readonly hasIcon: boolean;
}

/** A value that comes from no file. */
export interface MadeIdentity {
  readonly value: string;
  readonly from: Sentence;
}

/** Scheme of the documents that show it. */
export const MADE_CONFIG_SCHEME = 'app-build-config';

/** Where the made config.xml of a project can be read: beside its files, by the path. @param project its folder */
export function madeConfigUri(project: vscode.Uri): vscode.Uri {
  const uri = uriBelow(project, CONFIG_FILE);
  return uri.with({ scheme: MADE_CONFIG_SCHEME, path: uri.path });
}

/** Of an app, in its project and in its package. */
export const CONFIG_FILE = 'config.xml';

const FIRST_VERSION = '1.0.0';
const PLAIN_ICON = 'icon.png';

/**
 * Makes the config.xml of a project that has none: what the files of the project say, and where they say nothing, what is known of
 * the app. Pages that route by themselves are asked for under addresses that are no files, so index.html answers these.
 */
export async function makeConfig(
  facts: AppFacts,
  layout: Layout,
  known: KnownApp,
  plugins: readonly ProjectPlugin[] = [],
): Promise<MadeConfig> {
  const id = madeOf(facts.id) ?? known.id;
  const name = madeOf(facts.name) ?? known.title;
  const version = madeOf(facts.version) ??
    known.version ?? { value: FIRST_VERSION, from: sentence('No file says one') };
  const icon = await getIcon(facts, layout, known);
  const preferences = [
    ...facts.preferences.map((fact) => ({ name: fact.name, value: fact.value, from: valueAlone(fact.from) })),
    { name: FALLBACK_PAGE, value: 'index.html', from: sentence('For pages that route by themselves') },
  ];
  const { author, description, httpOrigins, startPage } = facts;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<widget${id === undefined ? '' : ` id="${escape(id.value)}"`} version="${escape(version.value)}" xmlns="http://www.w3.org/ns/widgets">`,
    `  <name>${escape(name.value)}</name>`,
    ...(description === undefined ? [] : [`  <description>${escape(description.value)}</description>`]),
    ...(author === undefined
      ? []
      : [
          `  <author${attribute('email', author.email)}${attribute('href', author.url)}>${escape(author.name)}</author>`,
        ]),
    `  <content src="${escape(startPage?.value ?? 'index.html')}" />`,
    '  <access origin="*" />',
    ...(httpOrigins === undefined ? [] : [`  <access origin="${escape(httpOrigins.value)}" />`]),
    ...(icon === undefined ? [] : [`  <icon src="${escape(icon.path)}" />`]),
    ...preferences.map(({ name: key, value }) => `  <preference name="${key}" value="${escape(value)}" />`),
    ...plugins.map(pluginElement),
    '</widget>',
    '',
  ];
  return {
    text: lines.join('\n'),
    values: [
      ...(id === undefined ? [] : [{ name: 'id', ...id }]),
      { name: 'version', ...version },
      { name: 'name', ...name },
      ...(description === undefined
        ? []
        : [{ name: 'description', ...description, from: valueAlone(description.from) }]),
      ...(author === undefined ? [] : [{ name: 'author', value: author.name, from: valueAlone(author.from) }]),
      ...(startPage === undefined ? [] : [{ name: 'content', ...startPage, from: valueAlone(startPage.from) }]),
      ...(httpOrigins === undefined ? [] : [{ name: 'access', ...httpOrigins, from: valueAlone(httpOrigins.from) }]),
      ...(icon === undefined ? [] : [{ name: 'icon', value: icon.path, from: icon.from }]),
      ...preferences,
      ...(plugins.length === 0
        ? []
        : [{ name: 'plugin', value: namesOfPlugins(plugins), from: valueAlone(filesOfPlugins(plugins)) }]),
    ],
    files: icon?.file === undefined ? [] : [icon.file],
    named: icon?.named ?? [],
  };
}

/**
 * Adds elements for plugins to the text of a config.xml.
 *
 * @returns undefined if it has no end tag or isn't in UTF-8, which the service reports
 */
export function withPlugins(config: string, plugins: readonly ProjectPlugin[]): string | undefined {
  const end = config.lastIndexOf('</widget');
  return end < 0 || plugins.length === 0 || config.includes('\uFFFD')
    ? undefined
    : `${config.slice(0, end)}${plugins.map((plugin) => `${pluginElement(plugin)}\n`).join('')}${config.slice(end)}`;
}

/** On one line. */
export function namesOfPlugins(plugins: readonly ProjectPlugin[]): string {
  return plugins.map(({ name }) => name).join(', ');
}

/** On one line. */
export function filesOfPlugins(plugins: readonly ProjectPlugin[]): string {
  return [...new Set(plugins.map(({ place }) => place.path))].join(', ');
}

function pluginElement({ name, spec, variables, platform }: ProjectPlugin): string {
  const start = `<plugin name="${escape(name)}"${spec === undefined ? '' : ` spec="${escape(spec)}"`}`;
  const inner = Object.entries(variables).map(
    ([key, value]) => `<variable name="${escape(key)}" value="${escape(value)}" />`,
  );
  const element = inner.length === 0 ? `${start} />` : `${start}>${inner.join('')}</plugin>`;
  return platform === undefined ? `  ${element}` : `  <platform name="${escape(platform)}">${element}</platform>`;
}

interface Icon {
  /** In the package. */
  readonly path: string;
  readonly from: Sentence;
  readonly file?: MadeFile;
  readonly named?: readonly string[];
}

/** The largest image that a file names, else what the service has, else a plain one. */
async function getIcon({ icon, themeColour }: AppFacts, layout: Layout, known: KnownApp): Promise<Icon | undefined> {
  if (icon !== undefined) {
    const isPage = layout.pages === '' || isBelow(icon.value, layout.pages);
    return {
      path: packagePathOf(layout, icon.value),
      from: valueAlone(icon.from),
      named: isPage ? [] : [icon.value],
    };
  }
  return known.hasIcon
    ? undefined
    : {
        path: PLAIN_ICON,
        from: sentence('Plain: no file names a square PNG'),
        file: { path: PLAIN_ICON, bytes: await makePlainIcon(themeColour) },
      };
}

function madeOf(fact: Fact | undefined): MadeIdentity | undefined {
  return fact && { value: fact.value, from: valueAlone(fact.from) };
}

function attribute(name: string, value: string): string {
  return value === '' ? '' : ` ${name}="${escape(value)}"`;
}

/** Characters that XML 1.0 has no way to write are left out. */
function escape(text: string): string {
  return escapeUTF8(text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' '));
}

const BLUE = '#2E6BC6';

/**
 * The icon of an app that has none: one picture for all of them, in the app's color. The picture is beside this file, and beside the
 * bundle. Its palette goes from the background to the foreground (PNG, Third Edition, §11.2.2).
 *
 * @param color as `#RRGGBB`; blue where it's undefined, translucent, or not a color
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
