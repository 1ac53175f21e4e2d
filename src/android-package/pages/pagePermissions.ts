/** Finds the permissions that an app's scripts and plugins ask the user for. */

import { currentName } from '../plugins/cordovaPlugins.ts';
import { MAX_DISTANCE } from '../limits.ts';

/** Permissions that the scripts of a page can ask for. */
export const PAGE_PERMISSIONS = ['camera', 'microphone', 'location'] as const;

export type PagePermission = (typeof PAGE_PERMISSIONS)[number];

/**
 * Permissions that plugins declare. Plugins that start the phone's camera app don't need a permission. Plugins whose
 * code is in the pages' scripts, such as most Capacitor plugins, aren't listed.
 */
const PLUGIN_PERMISSIONS: ReadonlyMap<string, readonly PagePermission[]> = new Map(
  Object.entries({
    '@capacitor/geolocation': ['location'],
    'cordova-plugin-geolocation': ['location'],
    'cordova-plugin-media': ['microphone'],
  }),
);

/**
 * Returns the permissions that a plugin declares.
 *
 * @param name any name that the plugin has had
 */
export function getPluginPermissions(name: string): readonly PagePermission[] {
  return PLUGIN_PERMISSIONS.get(currentName(name)) ?? [];
}

/** Preference in config.xml that lists the permissions that an app may ask for, or is `none`. */
export const PERMISSIONS_PREFERENCE = 'AndroidPermissions';

/**
 * Returns the permissions that a value of {@link PERMISSIONS_PREFERENCE} allows, or `undefined` if it contains an
 * unknown word.
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
/**
 * Matches the part of zone.js that wraps the functions of `navigator.geolocation` without calling them. Every Angular
 * app contains zone.js.
 */
const ZONE_PATCH = /__load_patch\(\s{0,9}["']geolocation["'][^]{0,900}?["']watchPosition["']/g;
/** Matches a call to `getUserMedia`, including with `call` and `apply`, or the assignment of an object to a name. */
const CALL_OR_NAME =
  /[gG]etUserMedia(?:["']\])?\s{0,9}(?:\(|\)?\s{0,9}\.\s{0,9}(?:call|apply|bind)\s{0,9}\((?:[\w$.]{1,60}\s{0,9},)?)\s{0,9}(?:(?=\{)|([\w$]{1,60}))?|(?<![\w$.])([\w$]{1,60})\s{0,9}=\s{0,9}(?=\{)/g;
const MEDIA = /["']?\b(video|audio)["']?\s{0,9}(?:(?=[,}])|:(?!\s{0,9}(?:false\b|!1|null\b|undefined\b|void 0)))/g;

/**
 * Returns the permissions that a script asks for.
 *
 * @param script the script without comments
 */
export function permissionsIn(script: string): ReadonlySet<PagePermission> {
  const permissions = new Set<PagePermission>(LOCATION.test(script.replaceAll(ZONE_PATCH, '')) ? ['location'] : []);
  let hasUnreadCall = false;
  for (const constraints of script.includes('etUserMedia') ? constraintsIn(script) : []) {
    hasUnreadCall ||= constraints === undefined;
    (constraints === undefined ? [] : mediaIn(constraints)).forEach((each) => permissions.add(each));
  }
  // If a call's arguments can't be read, search the whole script for hints.
  (hasUnreadCall ? mediaIn(script) : []).forEach((each) => permissions.add(each));
  return permissions;
}

/**
 * Returns the object literal that's passed to each call to `getUserMedia`, directly or through a variable. An entry is
 * `undefined` if the literal can't be found.
 */
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

/** Returns the text of an object literal, or `undefined` if it's missing or longer than {@link MAX_DISTANCE}. */
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

/** Returns the permissions that constraints ask for. If they contain neither `audio` nor `video`, returns both. */
function mediaIn(text: string): readonly PagePermission[] {
  const named = new Set(Array.from(text.matchAll(MEDIA), ([, kind]) => kind));
  return named.size === 1 ? [named.has('video') ? 'camera' : 'microphone'] : ['camera', 'microphone'];
}
