import { type Sentence, valueAlone } from '../api/errors/sentence.ts';
import { attributeOf } from '../configXml/widget.ts';
import { parseXml, type XmlElement } from '../configXml/xmlDocument.ts';
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

/** The manifest of a Capacitor app's Android project. */
const MANIFEST = 'android/app/src/main/AndroidManifest.xml';
const STRINGS = 'android/app/src/main/res/values/strings.xml';

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
            .filter(({ name }) => name.startsWith('android:'))
            .map(({ name, value }) => [name, resources.get(value) ?? value]),
        ),
      ),
  }));
  const shown = filters.flatMap(({ data }) => data.map(toShown)).filter((text) => text !== '');
  return { value: [...new Set(shown)].join(', '), from: valueAlone(MANIFEST), filters };
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
  return (
    '<platform name="android"><config-file target="AndroidManifest.xml" parent="/manifest/application/activity" ' +
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
