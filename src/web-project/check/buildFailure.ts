import { sentence, type Sentence } from '../../errors/index.ts';
import { NOT_READABLE, NOT_WELL_FORMED } from '../../config-xml/index.ts';
import { type FindingCode, hasTrait } from './projectFinding.ts';

/**
 * Failure messages, specific ones first, with the findings that may explain them, the most likely first. The messages
 * are from the local service's builders and Cordova, and the titles of failures are from the original service's
 * documentation.
 */
const FAILURES: readonly (readonly [message: RegExp, codes: readonly FindingCode[], problem: Sentence])[] = [
  [
    /config\.xml: (?:the element )?name is missing|of null \(reading '(?:attrib|replace)'\)/i,
    ['nameMissing', 'missingAttribute'],
    sentence('config.xml doesn’t contain a usable name.'),
  ],
  [
    /config\.xml: it is larger than|config\.xml: .{0,300}(?:too many elements|nested too deep)/i,
    ['tooLarge'],
    sentence('config.xml is too large for services to read.'),
  ],
  [
    /config\.xml: (?:it isn’t in UTF-8|its encoding is declared)/i,
    ['encoding'],
    sentence('config.xml isn’t in UTF-8.'),
  ],
  [
    /config\.xml: its root element is|incorrect root node name/i,
    ['wrongRoot'],
    sentence('The root element of config.xml isn’t <widget>.'),
  ],
  [/config\.xml: it has a document type/i, ['doctype'], sentence('config.xml has a document type declaration.')],
  [/unbound prefix/i, ['undeclaredPrefix'], sentence('config.xml uses an undeclared prefix.')],
  [
    /Malformed config\.xml|Parsing .{0,300}config\.xml failed|invalid widget archive/i,
    [...NOT_WELL_FORMED, ...NOT_READABLE],
    sentence('config.xml isn’t well-formed, or is incomplete.'),
  ],
  [
    /Invalid application identifier|Error validating package name/i,
    ['idMalformed', 'idMissing'],
    sentence('The ID in config.xml isn’t a valid app ID.'),
  ],
  [
    /No Java files found that extend CordovaActivity/,
    ['idChanges', 'idMalformed'],
    sentence('The app ID has changed.'),
  ],
  [/Invalid version “/i, ['versionMalformed', 'versionMissing'], sentence('The version in config.xml isn’t valid.')],
  [
    /PhoneGap version not supported/i,
    ['leftOutElement', 'droppedPreference', 'badValue', 'unknownPreference'],
    sentence('config.xml requires a version that the service doesn’t have.'),
  ],
  [
    /requires a parameter|Variable\(s\) missing|the variable “.{0,300}n’t supported/i,
    ['pluginVariable'],
    sentence('A plugin in config.xml is missing a required value.'),
  ],
  [
    /Plugin not supported|Failed to fetch plugin|Cannot find plugin\.xml|Plugin error|npm view .{0,300}--json/i,
    ['pluginNotSupported'],
    sentence('config.xml names a plugin that the service doesn’t have.'),
  ],
  [/must provide a signing key/i, ['keyMissing'], sentence('The platform has no signing key.')],
  [/signing key .{0,300}(?:is locked|unlock it)/i, ['keyLocked'], sentence('The signing key is locked.')],
  [
    /of the signing key expired|(?:certificate|profile|key) (?:has |is )?expired/i,
    ['keyExpired'],
    sentence('The signing key has expired.'),
  ],
  [
    /profile .{0,300}(?:does ?n[o']t match|no matching)|no matching .{0,300}profile/i,
    ['keyOfOtherApp'],
    sentence('The signing key is for another app.'),
  ],
  [
    /(?:Incorrect|Wrong) (?:keystore|certificate|key) password|keystore alias|Alias not associated|Certificate not found|Invalid keystore format|provisioning profile|file “.{0,300}” of the signing key/i,
    ['key', 'keyLocked'],
    sentence('The signing key can’t be used. Add it again with the right files, alias, and passwords.'),
  ],
  [
    /(?:no|an) index\.html/i,
    ['startPageMissing', 'startPage', 'notBuilt'],
    sentence('The start page isn’t in the package.'),
  ],
  [/doesn’t contain any files/i, ['package'], sentence('The folder has no files for an app.')],
  [
    /unpacks to more than|package .{0,300}too large/i,
    ['packageTooLarge'],
    sentence('The package is larger than the service allows.'),
  ],
  [/more than [\d,.]+ files/i, ['tooManyEntries'], sentence('The package has more files than the service allows.')],
  [
    /differ only by case|in its name|name of a Windows device|its name is in use|that ends with a dot|Shorten it/i,
    ['fileNames', 'package'],
    sentence('A file has a name that the service doesn’t support.'),
  ],
  [
    /Failed to fetch platform|engine doesn’t contain|platform "[^"]+" does not appear|No platforms added|built on macOS|can’t build \w+ apps|apps (?:require|can’t be built)|is discontinued|xcodebuild|Xcode|ANDROID_HOME|Android SDK|JDK|JAVA_HOME|Gradle/i,
    ['platformUnavailable'],
    sentence('The service can’t build for this platform.'),
  ],
];

/**
 * Returns the codes of the findings that may explain a failed build with this message. Returns an empty array for an
 * unknown message.
 */
export function getFindingCodes(message: string): readonly FindingCode[] {
  return FAILURES.find(([pattern]) => pattern.test(message))?.[1] ?? [];
}

/** Returns the description of the problem that a failure message reports, or undefined for an unknown message. */
export function findBuildProblem(message: string): Sentence | undefined {
  return FAILURES.find(([pattern]) => pattern.test(message))?.[2];
}

/** Reports whether the cause of a failure is outside the project folder. */
export function isOutsideFolder(codes: readonly FindingCode[]): boolean {
  return codes.length > 0 && codes.every((code) => hasTrait(code, 'outside'));
}
