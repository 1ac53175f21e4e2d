/** The permissions that an app's scripts and plugins ask the user for. */

import { currentName } from './cordovaPlugins.ts';
import { MAX_DISTANCE } from './limits.ts';

export const PAGE_PERMISSIONS = ['camera', 'microphone', 'location'] as const;

export type PagePermission = (typeof PAGE_PERMISSIONS)[number];

/** Plugins that declare a permission; those that start the phone's own camera app need none. Most of Capacitor's have code for the web, which is among the scripts. */
const PERMISSIONS_OF_PLUGINS: ReadonlyMap<string, readonly PagePermission[]> = new Map(
  Object.entries({
    '@capacitor/geolocation': ['location'],
    'cordova-plugin-geolocation': ['location'],
    'cordova-plugin-media': ['microphone'],
  }),
);

/** @param name any that the plugin has had */
export function permissionsOfPlugin(name: string): readonly PagePermission[] {
  return PERMISSIONS_OF_PLUGINS.get(currentName(name)) ?? [];
}

/** The preference of config.xml that names the permissions which an app may ask for, or `none`. */
export const PERMISSIONS_PREFERENCE = 'AndroidPermissions';

/**
 * The permissions that a value of {@link PERMISSIONS_PREFERENCE} leaves.
 *
 * @returns `undefined` for a value with another word in it
 */
export function allowedPermissions(value: string): ReadonlySet<PagePermission> | undefined {
  const words = value
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
  const allowed = new Set(PAGE_PERMISSIONS.filter((permission) => words.includes(permission)));
  const isNone = words.length === 1 && words[0] === 'none';
  return isNone || (allowed.size > 0 && allowed.size === new Set(words).size) ? allowed : undefined;
}

const LOCATION =
  /\bnavigator\s{0,9}\??\.?\s{0,9}(?:geolocation\b|\[["']geolocation["']\])|\bgeolocation\s{0,9}\??\.\s{0,9}(?:getCurrentPosition|watchPosition)\b/;
/** A call of getUserMedia, also by `call` and `apply`; or a name that is given an object. */
const CALL_OR_NAME =
  /[gG]etUserMedia(?:["']\])?\s{0,9}(?:\(|\)?\s{0,9}\.\s{0,9}(?:call|apply|bind)\s{0,9}\((?:[\w$.]{1,60}\s{0,9},)?)\s{0,9}(?:(?=\{)|([\w$]{1,60}))?|(?<![\w$.])([\w$]{1,60})\s{0,9}=\s{0,9}(?=\{)/g;
const MEDIA = /["']?\b(video|audio)["']?\s{0,9}(?:(?=[,}])|:(?!\s{0,9}(?:false\b|!1|null\b|undefined\b|void 0)))/g;

/** What a script asks for. @param script without comments */
export function permissionsIn(script: string): ReadonlySet<PagePermission> {
  const permissions = new Set<PagePermission>(LOCATION.test(script) ? ['location'] : []);
  let hasUnreadCall = false;
  for (const constraints of script.includes('etUserMedia') ? constraintsIn(script) : []) {
    hasUnreadCall ||= constraints === undefined;
    (constraints === undefined ? [] : mediaIn(constraints)).forEach((each) => permissions.add(each));
  }
  // The rest of the script is the best hint at what the call asks for.
  (hasUnreadCall ? mediaIn(script) : []).forEach((each) => permissions.add(each));
  return permissions;
}

/** The object literal that each call of getUserMedia is given, directly or by a name; `undefined` where it isn't to be seen. */
function constraintsIn(script: string): readonly (string | undefined)[] {
  const objects = new Map<string, number>();
  const found: (string | undefined)[] = [];
  for (const { index, 0: match, 1: argument, 2: name } of script.matchAll(CALL_OR_NAME)) {
    const end = index + match.length;
    if (name !== undefined) {
      objects.set(name, end);
    } else {
      const at = argument === undefined ? end : objects.get(argument);
      found.push(at === undefined || end - at > MAX_DISTANCE ? undefined : objectAt(script, at));
    }
  }
  return found;
}

/** The text of an object literal; `undefined` where there is none, or a very long one. */
function objectAt(script: string, at: number): string | undefined {
  let depth = 0;
  for (let index = at; index < Math.min(script.length, at + MAX_DISTANCE); index += 1) {
    depth += script[index] === '{' ? 1 : script[index] === '}' ? -1 : 0;
    if (depth === 0) {
      return index === at ? undefined : script.slice(at, index + 1);
    }
  }
  return undefined;
}

/** The parts that constraints name; both where they name none. */
function mediaIn(text: string): readonly PagePermission[] {
  const named = new Set(Array.from(text.matchAll(MEDIA), ([, kind]) => kind));
  return named.size === 1 ? [named.has('video') ? 'camera' : 'microphone'] : ['camera', 'microphone'];
}
