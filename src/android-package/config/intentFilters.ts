/**
 * Reads the links that open an app on Android. They come from intent filters that config.xml adds to the manifest, from
 * `<universal-links>`, and from variables of plugins.
 */
import type { XmlElement } from '@rgrove/parse-xml';

import { currentName } from '../plugins/cordovaPlugins.ts';
import { getAttribute, getChildren } from './xmlElements.ts';

/** An intent filter for links: the action is `VIEW`, and a category is `BROWSABLE`. */
export interface IntentFilter {
  /** Whether Android asks the website to confirm that its links can open the app. */
  readonly autoVerify: boolean;
  /** Attributes of the `<data>` elements, without `android:`. Never empty. */
  readonly data: readonly LinkData[];
}

/** Attributes of a `<data>` element, keyed by name. */
export type LinkData = Readonly<Record<string, string>>;

/** A plugin and the values of its variables. */
interface PluginVariables {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Link attributes that variables provide, keyed by the plugin's current name. Copied from the plugins' plugin.xml
 * files.
 */
const PLUGIN_LINKS: ReadonlyMap<string, readonly LinkData[]> = new Map([
  [
    'cordova-plugin-customurlscheme',
    [{ scheme: 'URL_SCHEME' }, { scheme: 'ANDROID_SCHEME', host: 'ANDROID_HOST', pathPrefix: 'ANDROID_PATHPREFIX' }],
  ],
  [
    'ionic-plugin-deeplinks',
    [
      { scheme: 'URL_SCHEME' },
      ...['', '2_', '3_', '4_', '5_'].map((number) => ({
        scheme: `DEEPLINK_${number}SCHEME`,
        host: `DEEPLINK_${number}HOST`,
        pathPrefix: `ANDROID_${number}PATH_PREFIX`,
      })),
    ],
  ],
]);
/** Prefix of the attributes that Android defines. */
const PREFIX = 'android:';
const DEFAULTS: Readonly<Record<string, string>> = { DEEPLINK_SCHEME: 'https' };

/** Returns the intent filters of an app. @param elements elements in config.xml that apply to Android */
export function readIntentFilters(
  elements: readonly XmlElement[],
  plugins: readonly PluginVariables[],
): readonly IntentFilter[] {
  return [...elements.flatMap(filtersInElement), ...plugins.flatMap(getPluginFilters)];
}

/** Reports whether the only effect of an element is to add links that open the app. */
export function addsOnlyLinks(element: XmlElement): boolean {
  const count = filtersInElement(element).length;
  return count > 0 && (element.name === 'universal-links' || count === getChildren(element).length);
}

function filtersInElement(element: XmlElement): readonly IntentFilter[] {
  if (element.name === 'universal-links') {
    return getChildren(element)
      .filter(({ name }) => name === 'host')
      .flatMap(parseHostFilters);
  }
  const isChange = element.name === 'config-file' || element.name === 'gap:config-file';
  return isChange && /\/activity(?:$|[[/])/.test(getAttribute(element, 'parent'))
    ? getChildren(element).flatMap(parseManifestFilter)
    : [];
}

function parseManifestFilter(element: XmlElement): readonly IntentFilter[] {
  const children = getChildren(element);
  const has = (name: string, value: string): boolean =>
    children.some((child) => child.name === name && getAttribute(child, 'android:name') === value);
  if (
    element.name !== 'intent-filter' ||
    !has('action', 'android.intent.action.VIEW') ||
    !has('category', 'android.intent.category.BROWSABLE')
  ) {
    return [];
  }
  const data = children
    .filter(({ name }) => name === 'data')
    .map(({ attributes }) =>
      withoutEmpty(
        Object.entries(attributes).flatMap(([name, value]) =>
          name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value] as const] : [],
        ),
      ),
    );
  return [{ autoVerify: getAttribute(element, 'android:autoVerify') === 'true', data }];
}

/** Returns the links of `<universal-links>`, an element of cordova-universal-links-plugin. */
function parseHostFilters(host: XmlElement): readonly IntentFilter[] {
  const scheme = getAttribute(host, 'scheme') || 'http';
  const paths = getChildren(host).map((path) => getAttribute(path, 'url') || '*');
  return (paths.length === 0 ? ['*'] : paths).flatMap((path) => {
    const absolute = path.startsWith('/') ? path : `/${path}`;
    const part =
      path === '*' ? {} : path.includes('*') ? { pathPattern: absolute.replaceAll('*', '.*') } : { path: absolute };
    return ownFilter(withoutEmpty(Object.entries({ scheme, host: getAttribute(host, 'name'), ...part })));
  });
}

/** Returns the links of a plugin. A link requires all of the plugin's variables except the path. */
function getPluginFilters({ name, variables }: PluginVariables): readonly IntentFilter[] {
  const values: Readonly<Record<string, string>> = { ...DEFAULTS, ...variables };
  return (PLUGIN_LINKS.get(currentName(name)) ?? []).flatMap((attributes) => {
    const data = withoutEmpty(Object.entries(attributes).map(([key, variable]) => [key, values[variable] ?? '']));
    return Object.keys(attributes).every((key) => key in data || key === 'pathPrefix') ? ownFilter(data) : [];
  });
}

function ownFilter(data: LinkData): readonly IntentFilter[] {
  return [{ autoVerify: /^https?$/i.test(data.scheme ?? ''), data: [data] }];
}

function withoutEmpty(entries: readonly (readonly [string, string])[]): LinkData {
  const trimmed = entries.map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}
