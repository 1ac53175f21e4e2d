import { colord, extend } from 'colord';
import names from 'colord/plugins/names';
import { type Sentence, valueAlone } from '../errors/index.ts';
import { DEFAULT_START_PAGE, idFault, isWebAddress, isWidget, type XmlDocument } from '../config-xml/index.ts';
import { PNG_HEAD_BYTES, pngSize } from '../android-package/index.ts';
import { type AndroidLinks, type AndroidQueries, readAndroidLinks, readAndroidQueries } from './capacitorProject.ts';
import { type HtmlPage, readPage } from './htmlPage.ts';
import type { ProjectLayout } from './projectLayout.ts';
import { MAX_PATH_BYTES } from './limits.ts';
import { addressInPage, join, toPagePath } from './paths.ts';
import type { ProjectFolder } from './projectFolder.ts';
import { type PackageJson, readPackageJson, readWebManifest, type WebManifest } from './projectJson.ts';
import { readCapacitorConfig } from './tools/buildTools.ts';
import type { ToolConfig } from './tools/toolConfig.ts';

/** A value and its source: a path relative to the project, or a sentence. */
export interface AppFact {
  readonly value: string;
  readonly from: Sentence;
}

/** A fact with the name of the corresponding element or preference in config.xml. */
export interface NamedAppFact extends AppFact {
  readonly name: string;
}

/** Facts about an app in the files of its project. */
export interface AppFacts {
  readonly id: AppFact | undefined;
  readonly name: AppFact | undefined;
  /** Version with three numbers. */
  readonly version?: AppFact | undefined;
  readonly description?: AppFact | undefined;
  readonly author?: (AppFact & Pick<NonNullable<PackageJson['author']>, 'email' | 'url'>) | undefined;
  /** Start page: a path relative to the pages folder, or the address of a website. */
  readonly startPage?: AppFact | undefined;
  /** `http://*` if the app may load from unencrypted addresses. */
  readonly httpOrigins?: AppFact | undefined;
  readonly preferences: readonly NamedAppFact[];
  /** Path of the largest PNG, relative to the project. */
  readonly icon?: AppFact | undefined;
  /** Links that open the app on Android. */
  readonly links?: AndroidLinks | undefined;
  /** Other apps that the app can see on Android. */
  readonly queries?: AndroidQueries | undefined;
  /** Color in Android's format: `#RRGGBB` or `#AARRGGBB`. */
  readonly themeColor?: string | undefined;
}

interface FactSources {
  readonly capacitor: ToolConfig | undefined;
  readonly manifest: (WebManifest & { readonly file: string }) | undefined;
  readonly page: (HtmlPage & { readonly file: string }) | undefined;
  readonly packageJson: PackageJson | undefined;
}

/**
 * Reads the facts about an app from its project's files. If the project has a config.xml, that's the only file it
 * reads.
 *
 * @throws CancelledError
 */
export async function readFacts(folder: ProjectFolder, layout: ProjectLayout): Promise<AppFacts> {
  if (layout.config !== undefined) {
    const { id, name } = getRootFacts(await folder.config(layout.config), layout.config);
    return { id, name, preferences: [] };
  }
  // An older config.xml from before Capacitor. Used only for values that no other file has.
  const config = layout.kind === 'capacitor' ? await folder.config('config.xml') : undefined;
  const old = config !== undefined && isWidget(config) ? getRootFacts(config, 'config.xml') : undefined;
  const sources = await readSources(folder, layout);
  const { capacitor, manifest, page, packageJson } = sources;
  const { author, name: packageName } = packageJson ?? {};
  // Cordova projects have the app ID as the name in package.json.
  const isId = packageName !== undefined && packageName.split('.').length > 2 && idFault(packageName) === undefined;
  const url = literalIn(capacitor, 'server', 'url') ?? '';
  // Capacitor has separate settings for the app and for its pages. The built-in builder has one for both.
  const isHttp = [literalIn(capacitor, 'server', 'cleartext'), literalIn(capacitor, 'android', 'allowMixedContent')];
  return {
    id:
      toFact(literalIn(capacitor, 'appId'), capacitor?.file) ??
      old?.id ??
      toFact(isId ? packageName : undefined, 'package.json'),
    name:
      toFact(literalIn(capacitor, 'appName'), capacitor?.file) ??
      old?.name ??
      toFact(manifest?.name ?? manifest?.short_name, manifest?.file) ??
      toFact(page?.title, page?.file) ??
      toFact(packageName, 'package.json'),
    version: toFact(threeNumbers(packageJson?.version), 'package.json') ?? old?.version,
    description: toFact(manifest?.description, manifest?.file) ?? toFact(packageJson?.description, 'package.json'),
    author: author && { value: author.name, ...author, from: valueAlone('package.json') },
    // As in Capacitor, the website replaces the pages.
    startPage: isWebAddress(url) ? toFact(url, capacitor?.file) : await startPageIn(folder, layout, manifest),
    httpOrigins: isHttp.includes('true') ? toFact('http://*', capacitor?.file) : undefined,
    preferences: preferencesIn(sources),
    icon: await largestIcon(folder, layout, sources),
    links: layout.kind === 'capacitor' ? await readAndroidLinks(folder) : undefined,
    queries: layout.kind === 'capacitor' ? await readAndroidQueries(folder) : undefined,
    themeColor: readCssColor(manifest?.theme_color ?? page?.themeColor),
  };
}

function getRootFacts(config: XmlDocument | undefined, path: string): Pick<AppFacts, 'id' | 'name' | 'version'> {
  const root = config?.root;
  const attribute = (key: string) => root?.attributes.find(({ name }) => name === key)?.value;
  const name = root?.children.find((child) => child.name === 'name')?.text;
  return {
    id: toFact(attribute('id'), path),
    name: toFact(name, path),
    version: toFact(threeNumbers(attribute('version')), path),
  };
}

async function readSources(folder: ProjectFolder, { kind, pages }: ProjectLayout): Promise<FactSources> {
  const pageFile = join(pages, DEFAULT_START_PAGE);
  const html = await folder.readText(pageFile);
  const page = html === undefined ? undefined : { ...readPage(html), file: pageFile };
  const manifestPath =
    page?.manifest === undefined ? undefined : toPagePath(addressInPage(page.manifest, page.base?.href));
  const manifestFile = join(pages, manifestPath ?? '');
  const manifestText = manifestPath === undefined ? undefined : await folder.readText(manifestFile);
  const manifest = manifestText === undefined ? undefined : readWebManifest(manifestText);
  return {
    capacitor: kind === 'capacitor' ? await readCapacitorConfig(folder) : undefined,
    manifest: manifest && { ...manifest, file: manifestFile },
    page,
    packageJson: await readPackageJson(folder),
  };
}

/**
 * Returns the path, relative to the pages folder, of an address in one of the app's files, or undefined if the address
 * is outside the app.
 */
function getPathInPages(pages: string, address: string, file: string): string | undefined {
  return toPagePath(addressInPage(address, undefined, pages === '' ? file : file.slice(pages.length + 1)));
}

function toFact(value: string | undefined, from: string | undefined): AppFact | undefined {
  const text = value?.replace(/\s+/g, ' ').trim().slice(0, MAX_PATH_BYTES).trim();
  return text === undefined || text === '' || from === undefined ? undefined : { value: text, from: valueAlone(from) };
}

/** Returns a literal value from Capacitor's configuration. */
function literalIn(capacitor: ToolConfig | undefined, ...keys: readonly string[]): string | undefined {
  const value = capacitor?.at(...keys);
  return value?.kind === 'literal' && value.value !== null ? String(value.value) : undefined;
}

/** Returns the three numbers at the beginning of a version, except for the common placeholder `0.0.0`. */
function threeNumbers(version: string | undefined): string | undefined {
  const numbers = /^v?(\d{1,4}\.\d{1,4}\.\d{1,4})(?![\d.])/.exec(version ?? '')?.[1];
  return numbers === '0.0.0' ? undefined : numbers;
}

/** Returns the manifest's `start_url` if it's a page of the app other than the default. */
async function startPageIn(
  folder: ProjectFolder,
  { pages }: ProjectLayout,
  manifest: FactSources['manifest'],
): Promise<AppFact | undefined> {
  const path = manifest?.start_url === undefined ? undefined : getPathInPages(pages, manifest.start_url, manifest.file);
  return path === undefined || path === DEFAULT_START_PAGE || !(await folder.isFile(join(pages, path)))
    ? undefined
    : toFact(path, manifest?.file);
}

/**
 * Returns the preferences from Capacitor's configuration, the manifest, and the page. The first value of each
 * preference wins. Sources: capacitorjs.com/docs/config, and the documentation of the two plugins.
 */
function preferencesIn({ capacitor, manifest, page }: FactSources): readonly NamedAppFact[] {
  const own = capacitor?.file;
  const literal = (...keys: readonly string[]) => literalIn(capacitor, ...keys);
  const splashScreen = (key: string) => literal('plugins', 'SplashScreen', key);
  const statusBar = (key: string) => literal('plugins', 'StatusBar', key);
  const hasAndroidBackground = capacitor !== undefined && capacitor.at('android', 'backgroundColor').kind !== 'absent';
  const background = hasAndroidBackground ? literal('android', 'backgroundColor') : literal('backgroundColor');
  const from = manifest?.file;
  const manifestColor = readCssColor(manifest?.background_color);
  const theme = readCssColor(manifest?.theme_color ?? page?.themeColor);
  // Cordova supports only two of the orientations in W3C Screen Orientation.
  const orientation = /^(portrait|landscape)(?:-primary|-secondary)?$/.exec(manifest?.orientation ?? '')?.[1];
  const entries: readonly (readonly [name: string, value: string | undefined, from: string | undefined])[] = [
    ['Scheme', literal('server', 'androidScheme'), own],
    ['Hostname', literal('server', 'hostname'), own],
    ['BackgroundColor', readCssColor(background), own],
    ['AndroidWindowSplashScreenBackground', readCssColor(splashScreen('backgroundColor')), own],
    ['SplashScreenDelay', splashScreen('launchShowDuration'), own],
    ['AutoHideSplashScreen', splashScreen('launchAutoHide'), own],
    ['StatusBarBackgroundColor', readCssColor(statusBar('backgroundColor')), own],
    ['StatusBarStyle', STATUS_BAR_STYLES.get(statusBar('style') ?? ''), own],
    ['StatusBarOverlaysWebView', statusBar('overlaysWebView'), own],
    ['Orientation', orientation, from],
    ['Fullscreen', manifest?.display === 'fullscreen' ? 'true' : undefined, from],
    ['BackgroundColor', manifestColor, from],
    ['AndroidWindowSplashScreenBackground', manifestColor, from],
    ['StatusBarBackgroundColor', theme, manifest?.theme_color === undefined ? page?.file : from],
  ];
  const facts = new Map<string, NamedAppFact>();
  for (const [name, value, file] of entries) {
    if (value !== undefined && file !== undefined && !facts.has(name)) {
      facts.set(name, { name, value, from: valueAlone(file) });
    }
  }
  return [...facts.values()];
}

/** Capacitor's status bar style describes the background, and Cordova's describes the text. */
const STATUS_BAR_STYLES: ReadonlyMap<string, string> = new Map([
  ['DARK', 'lightcontent'],
  ['LIGHT', 'darkcontent'],
]);

/** Default source images of the tools that create icons for Capacitor apps. */
const CAPACITOR_ICONS = ['icon', 'icon-only', 'logo'].flatMap((name) =>
  ['assets', 'resources'].map((folder) => `${folder}/${name}.png`),
);

/** Returns the largest square PNG that the manifest, the page, or Capacitor's tools specify as the app's icon. */
async function largestIcon(
  folder: ProjectFolder,
  { kind, pages }: ProjectLayout,
  { manifest, page }: FactSources,
): Promise<AppFact | undefined> {
  const inPages = (
    addresses: readonly (string | undefined)[] = [],
    file = '',
  ): readonly (readonly [string, string])[] =>
    addresses.flatMap((address) => {
      const path = address === undefined ? undefined : getPathInPages(pages, address, file);
      return path === undefined ? [] : [[join(pages, path), file] as const];
    });
  const named = [
    ...(kind === 'capacitor' ? CAPACITOR_ICONS.map((path) => [path, path] as const) : []),
    ...inPages(
      manifest?.icons.map(({ src }) => src),
      manifest?.file,
    ),
    ...inPages(page?.touchIcons, page?.file),
    ...inPages(page?.icons, page?.file),
  ];
  let largest: AppFact | undefined;
  let width = 0;
  for (const [path, file] of named) {
    const head = await folder.bytes(path, PNG_HEAD_BYTES);
    const size = head === undefined ? undefined : pngSize(Buffer.from(head));
    if (size !== undefined && size.width === size.height && size.width > width) {
      width = size.width;
      largest = { value: path, from: valueAlone(file) };
    }
  }
  return largest;
}

extend([names]);

/**
 * Converts a CSS color to the format of Android and config.xml.
 *
 * @param readText a color name, hexadecimal digits, `rgb()`, or `hsl()`
 * @returns `#RRGGBB`, `#AARRGGBB` for a translucent color, or undefined if the color is invalid
 */
function readCssColor(text = ''): string | undefined {
  const color = colord(text.slice(0, MAX_PATH_BYTES));
  if (!color.isValid()) {
    return undefined;
  }
  const digits = color.toHex().slice(1).toUpperCase();
  // CSS puts alpha last, Android first.
  return `#${digits.slice(6)}${digits.slice(0, 6)}`;
}
