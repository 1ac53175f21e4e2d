/** Facts about a Capacitor app: links and other apps from its Android project's manifest, plugins from the scripts of its pages. */
import { type Sentence, valueAlone } from '../api/errors/sentence.ts';
import { attributeOf } from '../configXml/widget.ts';
import { parseXml, type XmlElement } from '../configXml/xmlDocument.ts';
import { CAPACITOR_CORE, getNativePlugin } from '../formats/nativePlugins.ts';
import { MAX_SEARCHED_BYTES } from './limits.ts';
import { readCapacitorConfig } from './tools/buildTools.ts';
import type { ProjectFolder } from './projectFolder.ts';

/** Intent filters for links. */
export interface AndroidLinks {
  /** The links, on one line. */
  readonly value: string;
  /** The file that names them. */
  readonly from: Sentence;
  readonly filters: readonly IntentFilter[];
}

interface IntentFilter {
  /** Whether Android asks the website whether its links may open the app. */
  readonly autoVerify: boolean;
  /** The attributes of each `<data>`, by their names with `android:`. */
  readonly data: readonly Readonly<Record<string, string>>[];
}

/** The apps that an app looks for. */
export interface AndroidQueries {
  /** Their names, actions and schemes, on one line. */
  readonly value: string;
  /** The file that names them. */
  readonly from: Sentence;
  readonly elements: readonly XmlElement[];
}

/** The manifest of a Capacitor app's Android project. */
const MANIFEST = 'android/app/src/main/AndroidManifest.xml';
const STRINGS = 'android/app/src/main/res/values/strings.xml';
/** The attributes that Android reads. */
const ANDROID = 'android:';

/** Reads which links open an app of Capacitor: from the manifest of its Android project. @throws CancelledError */
export async function readAndroidLinks(folder: ProjectFolder): Promise<AndroidLinks | undefined> {
  const manifest = parseXml((await folder.text(MANIFEST)) ?? '');
  const found = manifest.elements.filter(isForLinks);
  if (found.length === 0) {
    return undefined;
  }
  const strings = parseXml((await folder.text(STRINGS)) ?? '').elements.filter(({ name }) => name === 'string');
  const resources = new Map(strings.map((each) => [`@string/${valueOf(each, 'name')}`, each.text.trim()]));
  const filters = found.map((filter) => ({
    autoVerify: valueOf(filter, 'android:autoVerify') === 'true',
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
  const shown = filters.flatMap(({ data }) => data.map(toShown)).filter((text) => text !== '');
  return { value: [...new Set(shown)].join(', '), from: valueAlone(MANIFEST), filters };
}

/** Reads which other apps an app of Capacitor sees: from the manifest of its Android project. @throws CancelledError */
export async function readAndroidQueries(folder: ProjectFolder): Promise<AndroidQueries | undefined> {
  const elements = parseXml((await folder.text(MANIFEST)) ?? '')
    .elements.filter(({ name }) => name === 'queries')
    .flatMap(({ children }) => children)
    .filter(({ name }) => name === 'package' || name === 'intent');
  const shown = elements.flatMap(namesIn);
  return elements.length === 0 ? undefined : { value: shown.join(', '), from: valueAlone(MANIFEST), elements };
}

/** As {@link AndroidLinks} are written into config.xml. @param escape makes a value of an attribute */
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

/** As {@link AndroidQueries} are written into config.xml. @param escape makes a value of an attribute */
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
  const names = children.map((child) => valueOf(child, 'android:name'));
  return name === 'intent-filter' && names.includes(VIEW) && names.includes(BROWSABLE);
}

function valueOf(element: XmlElement, attribute: string): string {
  return attributeOf(element, attribute)?.value ?? '';
}

function toShown(data: Readonly<Record<string, string>>): string {
  const { 'android:scheme': scheme, 'android:host': host = '' } = data;
  return scheme === undefined ? host : `${scheme}:${host === '' ? '' : `//${host}`}`;
}

function namesIn({ attributes, children }: XmlElement): readonly string[] {
  const own = attributes.filter(({ name }) => name.startsWith(ANDROID)).map(({ value }) => value);
  return [...own, ...children.flatMap(namesIn)];
}

/** Below the project. */
interface PageFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** How the scripts of the pages use a plugin. */
export interface PluginCalls {
  /**
   * The arguments of its registration: only its name, which other functions may be called with, too; an object without code that runs
   * here; or code for the web or for Android, which both run here.
   */
  readonly by: 'name' | 'object' | 'code';
  /** Whether any script calls its function of this name. */
  readonly calls: (name: string) => boolean;
  /** Whether the script that registers it calls that function. */
  readonly isCalledHere: (name: string) => boolean;
}

/**
 * A call with the name of a plugin: `registerPlugin("Camera",{web:…})`, `registerPlugin("Keyboard")`. Bundlers rename the function,
 * and leave the name and the keys. Bounded, so that it takes time in proportion to the text.
 */
const REGISTRATION = /\(\s{0,20}["'`](\w{2,60})["'`]\s{0,20}(?:(,\s{0,20}\{)|[,)])/g;
/** In the object after the name: a WebView runs the code of these keys. */
const CODE_KEY = /\b(?:web|android)\s{0,20}:/;
/** Before the call: the variable that gets the plugin. */
const VARIABLE = /([A-Za-z_$][\w$]{0,60})\s{0,5}=[\w$.,()\s]{0,60}$/;
/** It asks whether there is the plugin, and has an answer for both. */
const QUESTION = 'isPluginAvailable';
/** A plugin of Capacitor itself, which every app has. */
export const HTTP = 'CapacitorHttp';
const HTTP_FUNCTIONS: readonly string[] = [...(getNativePlugin(CAPACITOR_CORE)?.methods.get(HTTP) ?? [])];
/** Shorter names are too common to show which plugin has the function. */
const MIN_TELLING_LENGTH = 5;

/** Whether an app uses Capacitor's HTTP client: its pages call it, or it's enabled. @throws CancelledError */
export async function usesCapacitorHttp(folder: ProjectFolder, files: readonly PageFile[]): Promise<boolean> {
  return (await findEnabledHttp(folder)) !== undefined || callsHttp(await usesIn(folder, files));
}

/** Whether the pages call Capacitor's HTTP client. */
export function callsHttp(uses: ReadonlyMap<string, PluginCalls>): boolean {
  const use = uses.get(HTTP);
  return use !== undefined && HTTP_FUNCTIONS.some((name) => use.isCalledHere(name));
}

/** Finds the place in Capacitor's configuration that enables the HTTP client. @returns undefined without one. @throws CancelledError */
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

/** How the pages use plugins, by the names under which these are registered. @throws CancelledError */
export async function usesIn(
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

/** If the script that registers a plugin doesn't use it, another script does, under a name that isn't known. */
function isCalledInAny(name: string, scripts: readonly string[]): boolean {
  return name.length >= MIN_TELLING_LENGTH && scripts.some((each) => each.includes(`.${name}(`));
}

/** Whether a text has these words, and not only as the end of a longer name. */
function has(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!/[\w$.]/.test(text[at - 1] ?? '')) {
      return true;
    }
  }
  return false;
}
