import { colord, extend } from 'colord';
import names from 'colord/plugins/names';
import { idFault } from '../configXml/checks/appId.ts';
import { DEFAULT_START_PAGE, isWebAddress, isWidget } from '../configXml/widget.ts';
import type { XmlDocument } from '../configXml/xmlDocument.ts';
import { PNG_HEAD_BYTES, pngSize } from '../formats/png.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';
import type { Layout } from './layout.ts';
import { type PackageJson, readPackageJson, readWebManifest, type WebManifest } from './projectJson.ts';
import { join, addressInPage, pathOfAddress } from './paths.ts';
import { type Page, readPage } from './htmlPage.ts';
import type { ProjectFolder } from './projectFolder.ts';
import { readCapacitorConfig } from './tools/buildTools.ts';
import { getText, type ToolConfig } from './tools/toolConfig.ts';

/** A value, and which file of the project says it. */
export interface Fact {
  readonly value: string;
  /** Below the project. */
  readonly from: string;
}

/** A preference of config.xml, and which file says it in its own way. */
interface PreferenceFact extends Fact {
  readonly name: string;
}

/** What the files of a project say of the app. */
export interface AppFacts {
  readonly id: Fact | undefined;
  readonly name: Fact | undefined;
  /** Three numbers. */
  readonly version?: Fact | undefined;
  readonly description?: Fact | undefined;
  readonly author?: (NonNullable<PackageJson['author']> & { readonly from: string }) | undefined;
  /** Path below the pages, or the address of a website. */
  readonly startPage?: Fact | undefined;
  /** `http://*` if the app may load from unencrypted addresses. */
  readonly httpOrigins?: Fact | undefined;
  readonly preferences: readonly PreferenceFact[];
  /** Path of the largest PNG below the project. */
  readonly icon?: Fact | undefined;
  /** As Android writes it: `#RRGGBB`, or `#AARRGGBB`. */
  readonly themeColour?: string | undefined;
}

interface Sources {
  readonly capacitor: ToolConfig | undefined;
  readonly manifest: (WebManifest & { readonly file: string }) | undefined;
  readonly page: (Page & { readonly file: string }) | undefined;
  readonly packageJson: PackageJson | undefined;
}

/** Reads what the files of a project say of its app; of one with a config.xml, only that. @throws CancelledError */
export async function readFacts(folder: ProjectFolder, layout: Layout): Promise<AppFacts> {
  if (layout.config !== undefined) {
    const { id, name } = factsOfRoot(await folder.config(layout.config), layout.config);
    return { id, name, preferences: [] };
  }
  // From before Capacitor: it only fills in values that no other file has.
  const config = layout.kind === 'capacitor' ? await folder.config('config.xml') : undefined;
  const old = config !== undefined && isWidget(config) ? factsOfRoot(config, 'config.xml') : undefined;
  const sources = await readSources(folder, layout);
  const { capacitor, manifest, page, packageJson } = sources;
  return {
    id: capacitorFact(capacitor, 'appId') ?? old?.id ?? idInPackageJson(packageJson),
    name:
      capacitorFact(capacitor, 'appName') ??
      old?.name ??
      factOf(manifest?.name ?? manifest?.shortName, manifest?.file) ??
      factOf(page?.title, page?.file) ??
      factOf(packageJson?.name, 'package.json'),
    version: factOf(threeNumbers(packageJson?.version), 'package.json') ?? old?.version,
    description: factOf(manifest?.description, manifest?.file) ?? factOf(packageJson?.description, 'package.json'),
    author: packageJson?.author && { ...packageJson.author, from: 'package.json' },
    startPage: serverUrl(capacitor) ?? (await startPageIn(folder, layout, manifest)),
    httpOrigins: capacitorHttpOrigins(capacitor),
    preferences: [...capacitorPreferences(capacitor), ...manifestPreferences(sources, capacitor)],
    icon: await largestIcon(folder, layout, sources),
    themeColour: colourOf(manifest?.themeColor ?? page?.themeColor),
  };
}

function factsOfRoot(config: XmlDocument | undefined, path: string): Pick<AppFacts, 'id' | 'name' | 'version'> {
  const root = config?.root;
  const attribute = (key: string) => root?.attributes.find(({ name }) => name === key)?.value;
  const name = root?.children.find((child) => child.name === 'name')?.text;
  return {
    id: factOf(attribute('id'), path),
    name: factOf(name, path),
    version: factOf(threeNumbers(attribute('version')), path),
  };
}

async function readSources(folder: ProjectFolder, { kind, pages }: Layout): Promise<Sources> {
  const pageFile = join(pages, DEFAULT_START_PAGE);
  const html = await folder.text(pageFile);
  const page = html === undefined ? undefined : { ...readPage(html), file: pageFile };
  const manifestPath =
    page?.manifest === undefined ? undefined : pathOfAddress(addressInPage(page.manifest, page.base?.href));
  const manifestFile = manifestPath === undefined ? undefined : join(pages, manifestPath);
  const manifestText = manifestFile === undefined ? undefined : await folder.text(manifestFile);
  return {
    capacitor: kind === 'capacitor' ? await readCapacitorConfig(folder) : undefined,
    manifest:
      manifestFile === undefined || manifestText === undefined
        ? undefined
        : { ...readWebManifest(manifestText), file: manifestFile },
    page,
    packageJson: await readPackageJson(folder),
  };
}

/** The path below the pages that an address in one of their files leads to; undefined when it leads out of the app. */
function pathBelow(address: string, file: string): string | undefined {
  return pathOfAddress(addressInPage(address, undefined, file));
}

function colourOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readCssColour(text);
}

function factOf(value: string | undefined, from: string | undefined): Fact | undefined {
  const text = value?.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH).trim();
  return text === undefined || text === '' || from === undefined ? undefined : { value: text, from };
}

/** A name such as `com.example.app` counts as the ID: Cordova writes it into package.json. */
function idInPackageJson(packageJson: PackageJson | undefined): Fact | undefined {
  const name = packageJson?.name ?? '';
  return name.split('.').length > 2 && idFault(name) === undefined ? factOf(name, 'package.json') : undefined;
}

function capacitorFact(capacitor: ToolConfig | undefined, key: string): Fact | undefined {
  return capacitor && factOf(getText(capacitor.at(key)), capacitor.file);
}

/** The website that the app shows instead of its pages. As in Capacitor, `server.url` wins. */
function serverUrl(capacitor: ToolConfig | undefined): Fact | undefined {
  const url = capacitor && getText(capacitor.at('server', 'url'));
  return capacitor && url !== undefined && isWebAddress(url) ? factOf(url, capacitor.file) : undefined;
}

/** Capacitor has a setting for the phone and one for the pages; the built-in builder has one for both. */
function capacitorHttpOrigins(capacitor: ToolConfig | undefined): Fact | undefined {
  const isOn = (...keys: string[]): boolean => {
    const value = capacitor?.at(...keys);
    return value?.kind === 'literal' && value.value === true;
  };
  const isAllowed = isOn('server', 'cleartext') || isOn('android', 'allowMixedContent');
  return isAllowed ? factOf('http://*', capacitor?.file) : undefined;
}

/** The numbers at the beginning of a version; none of `0.0.0`, which tools write. */
function threeNumbers(version: string | undefined): string | undefined {
  const numbers = /^v?(\d{1,4}\.\d{1,4}\.\d{1,4})(?![\d.])/.exec(version ?? '')?.[1];
  return numbers === '0.0.0' ? undefined : numbers;
}

/** `start_url` of a manifest, where it leads to a page of the app other than the first. */
async function startPageIn(
  folder: ProjectFolder,
  { pages }: Layout,
  manifest: Sources['manifest'],
): Promise<Fact | undefined> {
  const path =
    manifest?.startUrl === undefined ? undefined : pathBelow(manifest.startUrl, relativeTo(manifest.file, pages));
  if (path === undefined || manifest === undefined || path === '' || path === DEFAULT_START_PAGE) {
    return undefined;
  }
  return (await folder.isFile(join(pages, path))) ? { value: path, from: manifest.file } : undefined;
}

function relativeTo(file: string, folder: string): string {
  return folder === '' ? file : file.slice(folder.length + 1);
}

/** Source: capacitorjs.com/docs/config, and the pages of the two plugins. */
function capacitorPreferences(capacitor: Sources['capacitor']): readonly PreferenceFact[] {
  if (capacitor === undefined) {
    return [];
  }
  const { file } = capacitor;
  const literal = (...keys: string[]): string | undefined => {
    const value = capacitor.at(...keys);
    return value.kind === 'literal' && value.value !== null ? String(value.value) : undefined;
  };
  const splashScreen = (key: string): string | undefined => literal('plugins', 'SplashScreen', key);
  const statusBar = (key: string): string | undefined => literal('plugins', 'StatusBar', key);
  const hasAndroidBackground = capacitor.at('android', 'backgroundColor').kind !== 'absent';
  const background = hasAndroidBackground ? literal('android', 'backgroundColor') : literal('backgroundColor');
  const entries: readonly (readonly [name: string, value: string | undefined])[] = [
    ['Scheme', literal('server', 'androidScheme')],
    ['Hostname', literal('server', 'hostname')],
    ['BackgroundColor', colourOf(background)],
    ['AndroidWindowSplashScreenBackground', colourOf(splashScreen('backgroundColor'))],
    ['SplashScreenDelay', splashScreen('launchShowDuration')],
    ['AutoHideSplashScreen', splashScreen('launchAutoHide')],
    ['StatusBarBackgroundColor', colourOf(statusBar('backgroundColor'))],
    ['StatusBarStyle', STATUS_BAR_STYLES.get(statusBar('style') ?? '')],
    ['StatusBarOverlaysWebView', statusBar('overlaysWebView')],
  ];
  return entries.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value, from: file }]));
}

/** `Style` of Capacitor's status bar is named for the background, Cordova's for the text. */
const STATUS_BAR_STYLES: ReadonlyMap<string, string> = new Map([
  ['DARK', 'lightcontent'],
  ['LIGHT', 'darkcontent'],
]);

/** What a manifest and its page say, but for what Capacitor says. */
function manifestPreferences({ manifest, page }: Sources, capacitor: Sources['capacitor']): readonly PreferenceFact[] {
  const from = manifest?.file;
  const background = colourOf(manifest?.backgroundColor);
  const entries: readonly (readonly [name: string, value: string | undefined, from: string | undefined])[] = [
    ['Orientation', orientationOf(manifest?.orientation), from],
    ['Fullscreen', manifest?.display === 'fullscreen' ? 'true' : undefined, from],
    ['BackgroundColor', background, from],
    ['AndroidWindowSplashScreenBackground', background, from],
    [
      'StatusBarBackgroundColor',
      colourOf(manifest?.themeColor ?? page?.themeColor),
      manifest?.themeColor === undefined ? page?.file : from,
    ],
  ];
  const known = new Set(capacitorPreferences(capacitor).map(({ name }) => name));
  return entries.flatMap(([name, value, file]) =>
    value === undefined || file === undefined || known.has(name) ? [] : [{ name, value, from: file }],
  );
}

/** Cordova knows two (W3C Screen Orientation has eight). */
function orientationOf(orientation: string | undefined): string | undefined {
  return /^(portrait|landscape)(?:-primary|-secondary)?$/.exec(orientation ?? '')?.[1];
}

/** Where tools for the icons of Capacitor apps have the image that they make the others of. */
const CAPACITOR_ICONS = ['icon', 'icon-only', 'logo'].flatMap((name) =>
  ['assets', 'resources'].map((folder) => `${folder}/${name}.png`),
);

/** The largest PNG that the manifest, the page or Capacitor's tools name as the app's icon. */
async function largestIcon(
  folder: ProjectFolder,
  { kind, pages }: Layout,
  { manifest, page }: Sources,
): Promise<Fact | undefined> {
  const inPages = (address: string, from: string): Fact[] => {
    const path = pathBelow(address, relativeTo(from, pages));
    return path === undefined ? [] : [{ value: join(pages, path), from }];
  };
  const named: readonly Fact[] = [
    ...(kind === 'capacitor' ? CAPACITOR_ICONS.map((value) => ({ value, from: value })) : []),
    ...(manifest?.icons ?? []).flatMap((src) => inPages(src, manifest?.file ?? '')),
    ...(page?.touchIcons ?? []).flatMap((href) => inPages(href, page?.file ?? '')),
    ...(page?.icons ?? []).flatMap((href) => inPages(href, page?.file ?? '')),
  ];
  let largest: (Fact & { readonly width: number }) | undefined;
  for (const fact of named) {
    const head = await folder.bytes(fact.value, PNG_HEAD_BYTES);
    const size = head === undefined ? undefined : pngSize(Buffer.from(head));
    if (size !== undefined && size.width === size.height && size.width > (largest?.width ?? 0)) {
      largest = { ...fact, width: size.width };
    }
  }
  return largest && { value: largest.value, from: largest.from };
}

extend([names]);

/**
 * Reads a colour of CSS: a name, hexadecimal digits, `rgb()`, `hsl()`.
 *
 * @returns as Android and config.xml write it, `#RRGGBB`, or `#AARRGGBB` where it is translucent; `undefined` for what is none
 */
function readCssColour(text: string): string | undefined {
  const colour = text.length > MAX_TEXT_LENGTH ? undefined : colord(text);
  if (colour === undefined || !colour.isValid()) {
    return undefined;
  }
  const digits = colour.toHex().slice(1).toUpperCase();
  // CSS has the alpha last.
  return `#${digits.slice(6)}${digits.slice(0, 6)}`;
}
