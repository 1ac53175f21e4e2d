import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import type { FindingCode } from './finding.ts';

/** What services call a config.xml that they cannot read. */
const MALFORMED: readonly FindingCode[] = [
  'notClosed',
  'endTagMismatch',
  'quoteMissing',
  'malformed',
  'duplicateAttribute',
  'undeclaredPrefix',
  'undeclaredEntity',
  'doctype',
  'encoding',
  'tooLarge',
  'wrongRoot',
  'nameMissing',
];

/**
 * Failure messages, the particular before the general: of the builders of the local service, of Cordova, and the titles of the
 * failures that the original service documented.
 */
const MESSAGES: readonly (readonly [message: RegExp, codes: readonly FindingCode[]])[] = [
  // config.xml
  [/config\.xml: (?:the element )?name is missing/i, ['nameMissing']],
  [/config\.xml: it is larger than|too many elements|nested too deep/i, ['tooLarge']],
  [/config\.xml: (?:it is not in UTF-8|its encoding is declared)/i, ['encoding']],
  [/config\.xml: its root element is|incorrect root node name/i, ['wrongRoot']],
  [/config\.xml: it has a document type/i, ['doctype']],
  [/Malformed config\.xml|Parsing .*config\.xml.* failed|invalid widget archive/i, MALFORMED],
  [/of null \(reading 'attrib'\)/, ['nameMissing', 'missingAttribute']],
  [/of null \(reading 'replace'\)/, ['nameMissing']],
  [/Invalid application identifier|Error validating package name/i, ['idMalformed', 'idMissing']],
  [/No Java files found that extend CordovaActivity/, ['idChanges', 'idMalformed']],
  [/Invalid version “/i, ['versionMalformed', 'versionMissing']],
  [/PhoneGap version not supported/i, ['leftOutElement', 'droppedPreference', 'badValue']],
  // Plugins
  [/requires a parameter|Variable\(s\) missing|the variable “.*not supported/i, ['pluginVariable']],
  [/Plugin not supported|Failed to fetch plugin|Cannot find plugin\.xml|Plugin error/i, ['pluginNotSupported']],
  [/npm view .*--json/, ['pluginNotSupported']],
  // Keys
  [/must provide a signing key/i, ['keyMissing']],
  [/signing key .*(?:is locked|unlock it)/i, ['keyLocked']],
  [/of the signing key expired|(?:certificate|profile|key) (?:has |is )?expired/i, ['keyExpired']],
  [/profile .*(?:does ?n[o']t match|no matching)|no matching .*profile/i, ['keyOfOtherApp']],
  [
    /(?:Incorrect|Wrong) (?:keystore|certificate|key) password|keystore alias|Alias not associated/i,
    ['key', 'keyLocked'],
  ],
  [/Certificate not found|Invalid keystore format|provisioning profile|file “.*” of the signing key/i, ['key']],
  // Package
  [/no index\.html/i, ['startPageMissing', 'startPage']],
  [/holds no files/i, ['package']],
  [/unpacks to more than|package .*too large/i, ['packageTooLarge']],
  [/more than [\d,.]+ files/i, ['tooManyEntries']],
  [
    /differ by upper and lower case|in its name|has the name of a device|its name is taken|Rename it/i,
    ['fileNames', 'package'],
  ],
  // What the service lacks
  [
    /Failed to fetch platform|engine lacks|platform "[^"]+" does not appear|No platforms added/i,
    ['platformUnavailable'],
  ],
  [
    /on macOS only|builds no \w+ apps|makes no \w+ apps|xcodebuild|Xcode|ANDROID_HOME|Android SDK/i,
    ['platformUnavailable'],
  ],
  [/The JDK|A JDK|Java.*missing|JAVA_HOME|Gradle/i, ['platformUnavailable']],
];

/**
 * The findings that a failed build is about, by its message: of the local service, of Cordova, and the titles that the original
 * service had.
 *
 * @returns empty for a message that nobody knows.
 */
export function findingCodesOf(message: string): readonly FindingCode[] {
  return MESSAGES.find(([known]) => known.test(message))?.[1] ?? [];
}

/** What a failed build was about, in a sentence of a check; undefined for a message that nobody knows. */
export function problemOf(message: string): Sentence | undefined {
  const [code] = findingCodesOf(message);
  return code === undefined ? undefined : describe(code);
}

function describe(code: FindingCode): Sentence {
  switch (code) {
    case 'nameMissing':
      return sentence('config.xml has no name that can be used.');
    case 'idMalformed':
    case 'idMissing':
      return sentence('The id in config.xml is none that an app can have.');
    case 'idChanges':
      return sentence('The id of the app has changed.');
    case 'versionMalformed':
    case 'versionMissing':
      return sentence('The version in config.xml is none that an app can have.');
    case 'wrongRoot':
    case 'doctype':
    case 'encoding':
    case 'tooLarge':
    case 'notClosed':
      return sentence('config.xml cannot be read.');
    case 'startPage':
    case 'startPageMissing':
      return sentence('The page that the app begins with is not among the files.');
    case 'pluginNotSupported':
      return sentence('config.xml names a plugin that the service does not have.');
    case 'pluginVariable':
      return sentence('A plugin in config.xml lacks a value that it requires.');
    case 'keyMissing':
      return sentence('The platform has no signing key.');
    case 'keyLocked':
      return sentence('The signing key is locked.');
    case 'keyExpired':
      return sentence('The signing key has expired.');
    case 'keyOfOtherApp':
      return sentence('The signing key is for another app.');
    case 'key':
      return sentence('The signing key cannot be used.');
    case 'platformUnavailable':
      return sentence('The service cannot build for this platform.');
    case 'package':
    case 'packageTooLarge':
    case 'tooManyEntries':
    case 'fileNames':
      return sentence('The package is none that the service takes.');
    default:
      return sentence('config.xml has a value that the service does not take.');
  }
}

/** True for a failure that the files of the folder cannot be the reason of. */
export function isOutsideFolder(codes: readonly FindingCode[]): boolean {
  return codes.length > 0 && codes.every((code) => OUTSIDE.has(code));
}

const OUTSIDE: ReadonlySet<FindingCode> = new Set([
  'keyMissing',
  'keyLocked',
  'keyExpired',
  'keyOfOtherApp',
  'key',
  'platformUnavailable',
]);
