/** The ID and the version of an app, by the rules of Cordova, Android and the builders of the local service. */

/** Java Language Specification, §3.9: no part of a package's name. */
export const JAVA_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends false ' +
    'final finally float for goto if implements import instanceof int interface long native new null package private ' +
    'protected public return short static strictfp super switch synchronized this throw throws transient true try void ' +
    'volatile while'
  ).split(' '),
);

/** Numbers with dots. */
export const VERSION_NUMBERS = /^\d{1,9}(?:\.\d{1,9}){0,3}$/;
/** The same, with a suffix that users see: `1.5.0-beta`. */
export const APP_VERSION = /^(\d{1,9}(?:\.\d{1,9}){0,3})(?:-[A-Za-z\d.-]{1,50})?$/;

/** Characters with a meaning in the languages of generated files: Groovy, XML, properties, shell. Builders leave them out. */
export const UNSAFE_CHARACTERS = /[$`{}\\"'<>\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/** The ID that Android has where iOS has this one: as cordova-android does, hyphens become underscores. */
export function toAndroidId(id: string): string {
  return id.replaceAll('-', '_');
}

/** The `android-versionCode` that cordova-android makes of a version: its second and its third number have two digits. */
export function toVersionCode(numbers: string): number {
  const [major = 0, minor = 0, patch = 0] = numbers.split('.').map(Number);
  return major * 10_000 + minor * 100 + patch;
}
