/**
 * Reads facts about a Capacitor app: links and visible apps from its Android project's manifest, and plugin calls from
 * the scripts of its pages.
 */
import { type Sentence, valueAlone } from '../errors/index.ts';
import { findAttribute, parseXml, type XmlElement } from '../config-xml/index.ts';
import { CAPACITOR_CORE, getNativePlugin } from '../android-package/index.ts';
import { MAX_SEARCHED_BYTES } from './limits.ts';
import { readCapacitorConfig } from './tools/buildTools.ts';
import type { ProjectFolder } from './projectFolder.ts';

/** Links that open the app on Android. */
export interface AndroidLinks {
  /** All links on one line. */
  readonly value: string;
  /** The file that defines them. */
  readonly from: Sentence;
  readonly filters: readonly CapacitorIntentFilter[];
}

interface CapacitorIntentFilter {
  /** Whether Android asks the website to confirm that its links may open the app. */
  readonly autoVerify: boolean;
  /** Attributes of every `<data>` element, keyed by name with the prefix `android:`. */
  readonly data: readonly Readonly<Record<string, string>>[];
}

/** Other apps that the app can see on Android. */
export interface AndroidQueries {
  /** The names, actions, and schemes of the apps on one line. */
  readonly value: string;
  /** The file that defines them. */
  readonly from: Sentence;
  readonly elements: readonly XmlElement[];
}

/** Path of the manifest in a Capacitor app's Android project. */
const MANIFEST = 'android/app/src/main/AndroidManifest.xml';
const STRINGS = 'android/app/src/main/res/values/strings.xml';
/** Prefix of the attributes that Android defines. */
const ANDROID = 'android:';

/**
 * Reads the links that open a Capacitor app from the manifest of its Android project.
 *
 * @throws CancelledError
 */
export async function readAndroidLinks(folder: ProjectFolder): Promise<AndroidLinks | undefined> {
  const manifest = parseXml((await folder.readText(MANIFEST)) ?? '');
  const found = manifest.elements.filter(isForLinks);
  if (found.length === 0) {
    return undefined;
  }
  const strings = parseXml((await folder.readText(STRINGS)) ?? '').elements.filter(({ name }) => name === 'string');
  const resources = new Map(strings.map((each) => [`@string/${getAttributeText(each, 'name')}`, each.text.trim()]));
  const filters = found.map((filter) => ({
    autoVerify: getAttributeText(filter, 'android:autoVerify') === 'true',
    data: filter.children
      .filter(({ name }) => name === 'data')
      .map(({ attributes }) =>
        Object.fromEntries(
          attributes
            .filter(({ name }) => name.startsWith(ANDROID))
            .map(({ name, value }) => [name, resources.get(value) ?? value]),
        ),
      ),
  }));
  const shown = filters.flatMap(({ data }) => data.map(toDisplayText)).filter((text) => text !== '');
  return { value: [...new Set(shown)].join(', '), from: valueAlone(MANIFEST), filters };
}

/**
 * Reads the other apps that a Capacitor app can see from the manifest of its Android project.
 *
 * @throws CancelledError
 */
export async function readAndroidQueries(folder: ProjectFolder): Promise<AndroidQueries | undefined> {
  const elements = parseXml((await folder.readText(MANIFEST)) ?? '')
    .elements.filter(({ name }) => name === 'queries')
    .flatMap(({ children }) => children)
    .filter(({ name }) => name === 'package' || name === 'intent');
  const shown = elements.flatMap(namesIn);
  return elements.length === 0 ? undefined : { value: shown.join(', '), from: valueAlone(MANIFEST), elements };
}

/**
 * Returns the config.xml element for {@link AndroidLinks}.
 *
 * @param escape escapes the value of an attribute
 */
export function writeAndroidLinks({ filters }: AndroidLinks, escape: (text: string) => string): string {
  const attributes = (values: Readonly<Record<string, string>>): string =>
    Object.entries(values)
      .map(([name, value]) => ` ${name}="${escape(value)}"`)
      .join('');
  const elements = filters.map(
    ({ autoVerify, data }) =>
      `<intent-filter${attributes(autoVerify ? { 'android:autoVerify': 'true' } : {})}>` +
      `<action android:name="${VIEW}" /><category android:name="${DEFAULT}" /><category android:name="${BROWSABLE}" />` +
      `${data.map((values) => `<data${attributes(values)} />`).join('')}</intent-filter>`,
  );
  return writeManifestChange('/manifest/application/activity', elements);
}

/**
 * Returns the config.xml element for {@link AndroidQueries}.
 *
 * @param escape escapes the value of an attribute
 */
export function writeAndroidQueries({ elements }: AndroidQueries, escape: (text: string) => string): string {
  const write = ({ name, attributes, children }: XmlElement): string => {
    const own = attributes.filter((each) => each.name.startsWith(ANDROID));
    const values = own.map((each) => ` ${each.name}="${escape(each.value)}"`).join('');
    return `<${name}${values}>${children.map(write).join('')}</${name}>`;
  };
  return writeManifestChange('/manifest/queries', elements.map(write));
}

function writeManifestChange(parent: string, elements: readonly string[]): string {
  return (
    `<platform name="android"><config-file target="AndroidManifest.xml" parent="${parent}" ` +
    `xmlns:android="http://schemas.android.com/apk/res/android">${elements.join('')}</config-file></platform>`
  );
}

const VIEW = 'android.intent.action.VIEW';
const DEFAULT = 'android.intent.category.DEFAULT';
const BROWSABLE = 'android.intent.category.BROWSABLE';

function isForLinks({ name, children }: XmlElement): boolean {
  const names = children.map((child) => getAttributeText(child, 'android:name'));
  return name === 'intent-filter' && names.includes(VIEW) && names.includes(BROWSABLE);
}

function getAttributeText(element: XmlElement, attribute: string): string {
  return findAttribute(element, attribute)?.value ?? '';
}

function toDisplayText(data: Readonly<Record<string, string>>): string {
  const { 'android:scheme': scheme, 'android:host': host = '' } = data;
  return scheme === undefined ? host : `${scheme}:${host === '' ? '' : `//${host}`}`;
}

function namesIn({ attributes, children }: XmlElement): readonly string[] {
  const own = attributes.filter(({ name }) => name.startsWith(ANDROID)).map(({ value }) => value);
  return [...own, ...children.flatMap(namesIn)];
}

/** A file in the pages folder. The path is relative to the project. */
interface PageFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** How the scripts of the pages use a plugin. */
export interface PluginCalls {
  /**
   * How the plugin is registered:
   * - `name`: with only a name. Other functions may be called the same way
   * - `object`: with an object that has no code for Android
   * - `code`: with code for the web or Android, which a WebView runs
   */
  readonly by: 'name' | 'object' | 'code';
  /** Reports whether any script calls the plugin's function with this name. */
  readonly calls: (name: string) => boolean;
  /** Reports whether the script that registers the plugin calls the plugin's function with this name. */
  readonly isCalledHere: (name: string) => boolean;
}

/**
 * Matches a call with the name of a plugin: `registerPlugin("Camera",{web:…})`, `registerPlugin("Keyboard")`. Bundlers
 * rename the function but keep the name and the keys. The bounded repetitions keep the time linear.
 */
const REGISTRATION = /\(\s{0,20}["'`](\w{2,60})["'`]\s{0,20}(?:(,\s{0,20}\{)|[,)])/g;
/** Matches the keys of code that a WebView runs, in the object after the name. */
const CODE_KEY = /\b(?:web|android)\s{0,20}:/;
/** Matches the variable that the result of the call is assigned to. */
const VARIABLE = /([A-Za-z_$][\w$]{0,60})\s{0,5}=[\w$.,()\s]{0,60}$/;
/** A function that checks whether the plugin exists. Code that calls it handles a missing plugin. */
const QUESTION = 'isPluginAvailable';
/** The HTTP client of Capacitor, a plugin that's part of every Capacitor app. */
export const HTTP = 'CapacitorHttp';
const HTTP_FUNCTIONS: readonly string[] = [...(getNativePlugin(CAPACITOR_CORE)?.methods.get(HTTP) ?? [])];
/** Minimum length of a function name that identifies a plugin. Shorter names are too common. */
const MIN_DISTINCTIVE_LENGTH = 5;

/**
 * Reports whether an app uses Capacitor's HTTP client: its pages call it, or the configuration enables it.
 *
 * @throws CancelledError
 */
export async function usesCapacitorHttp(folder: ProjectFolder, files: readonly PageFile[]): Promise<boolean> {
  return (await findEnabledHttp(folder)) !== undefined || callsHttp(await findPluginCalls(folder, files));
}

/** Reports whether the pages call Capacitor's HTTP client. */
export function callsHttp(uses: ReadonlyMap<string, PluginCalls>): boolean {
  const use = uses.get(HTTP);
  return use !== undefined && HTTP_FUNCTIONS.some((name) => use.isCalledHere(name));
}

/**
 * Returns the location of the setting in Capacitor's configuration that enables the HTTP client, or undefined if it
 * isn't enabled.
 *
 * @throws CancelledError
 */
export async function findEnabledHttp(
  folder: ProjectFolder,
): Promise<{ readonly file: string; readonly line: number } | undefined> {
  const found = await readCapacitorConfig(folder);
  const enabled = found?.at('plugins', HTTP, 'enabled');
  return found !== undefined && enabled?.kind === 'literal' && enabled.value === true
    ? { file: found.file, line: enabled.line }
    : undefined;
}

function isScript({ path }: PageFile): boolean {
  return /\.[cm]?js$/i.test(path);
}

/**
 * Returns the plugin calls in the pages, keyed by the plugins' registered names.
 *
 * @param files the files of the pages. Only scripts are read, up to {@link MAX_SEARCHED_BYTES} each
 * @throws CancelledError
 */
export async function findPluginCalls(
  folder: ProjectFolder,
  files: readonly PageFile[],
): Promise<ReadonlyMap<string, PluginCalls>> {
  const texts: string[] = [];
  for (const { path, sizeBytes } of files.filter(isScript)) {
    texts.push(new TextDecoder().decode(await folder.bytes(path, Math.min(sizeBytes, MAX_SEARCHED_BYTES))));
  }
  const uses = new Map<string, PluginCalls>();
  for (const text of texts) {
    const registrations = [...text.matchAll(REGISTRATION)];
    for (const [at, { 0: call, index, 1: name = '', 2: object }] of registrations.entries()) {
      const start = index + call.length;
      const keys = text.slice(start, Math.min(start + 300, registrations[at + 1]?.index ?? text.length));
      const by = object === undefined ? 'name' : CODE_KEY.test(keys) ? 'code' : 'object';
      const known = uses.get(name)?.by;
      const isBetter = by === 'code' || known === undefined || (by === 'object' && known === 'name');
      if (!isBetter || text.startsWith(QUESTION, index - QUESTION.length)) {
        continue;
      }
      const variable = VARIABLE.exec(text.slice(Math.max(0, index - 140), index))?.[1];
      const isCalledHere = (called: string) => variable !== undefined && has(text, `${variable}.${called}(`);
      const isUsedHere = variable !== undefined && has(text, `${variable}.`);
      const calls = (called: string) => (isUsedHere ? isCalledHere(called) : isCalledInAny(called, texts));
      uses.set(name, { by, isCalledHere, calls });
    }
  }
  return uses;
}

/**
 * Reports whether any script calls a method with this name. Used for a plugin whose registering script doesn't call it,
 * because other scripts call it through a variable with an unknown name.
 */
function isCalledInAny(name: string, scripts: readonly string[]): boolean {
  return name.length >= MIN_DISTINCTIVE_LENGTH && scripts.some((each) => each.includes(`.${name}(`));
}

/** Reports whether code contains the words, other than as the end of a longer name. */
function has(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!/[\w$.]/.test(text[at - 1] ?? '')) {
      return true;
    }
  }
  return false;
}
