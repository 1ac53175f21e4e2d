/** Rules for the ID and version of an app, from Cordova, Android, and the local service's builders. */

/** Java keywords, which can't be part of a package name (Java Language Specification, §3.9). */
export const JAVA_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends false ' +
    'final finally float for goto if implements import instanceof int interface long native new null package private ' +
    'protected public return short static strictfp super switch synchronized this throw throws transient true try void ' +
    'volatile while'
  ).split(' '),
);

/** Matches one to four numbers separated by dots. */
export const VERSION_NUMBERS = /^\d{1,9}(?:\.\d{1,9}){0,3}$/;
/** Matches {@link VERSION_NUMBERS} with an optional suffix that users see, such as `1.5.0-beta`. */
export const APP_VERSION = /^(\d{1,9}(?:\.\d{1,9}){0,3})(?:-[A-Za-z\d.-]{1,50})?$/;

/**
 * Matches characters that are special in the formats of generated files: Groovy, XML, properties, shell. Builders
 * remove them.
 */
export const UNSAFE_CHARACTERS = /[$`{}\\"'<>\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/** Converts an iOS ID to an Android ID. Like cordova-android, replaces hyphens with underscores. */
export function toAndroidId(id: string): string {
  return id.replaceAll('-', '_');
}

/**
 * Returns the `android-versionCode` that cordova-android computes for a version: the second and third numbers have two
 * digits each.
 */
export function toVersionCode(numbers: string): number {
  const [major = 0, minor = 0, patch = 0] = numbers.split('.').map(Number);
  return major * 10_000 + minor * 100 + patch;
}
