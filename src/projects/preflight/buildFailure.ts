import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { NOT_READABLE, NOT_WELL_FORMED } from '../../configXml/configProblem.ts';
import type { FindingCode } from './finding.ts';

/** A kind of failure. */
interface KnownFailure {
  readonly message: RegExp;
  /** What a check finds for it, the likeliest first. */
  readonly codes: readonly FindingCode[];
  readonly problem: Sentence;
}

/**
 * Failure messages, the particular before the general: of the builders of the local service, of Cordova, and the titles of the
 * failures that the original service documented.
 */
const FAILURES: readonly KnownFailure[] = [
  {
    message: /config\.xml: (?:the element )?name is missing|of null \(reading '(?:attrib|replace)'\)/i,
    codes: ['nameMissing', 'missingAttribute'],
    problem: sentence('config.xml has no name that can be used.'),
  },
  {
    message: /config\.xml: it is larger than|config\.xml: .*(?:too many elements|nested too deep)/i,
    codes: ['tooLarge'],
    problem: sentence('config.xml is too large for a service to read it.'),
  },
  {
    message: /config\.xml: (?:it is not in UTF-8|its encoding is declared)/i,
    codes: ['encoding'],
    problem: sentence('config.xml is not in UTF-8.'),
  },
  {
    message: /config\.xml: its root element is|incorrect root node name/i,
    codes: ['wrongRoot'],
    problem: sentence('The root element of config.xml is not <widget>.'),
  },
  {
    message: /config\.xml: it has a document type/i,
    codes: ['doctype'],
    problem: sentence('config.xml has a document type declaration.'),
  },
  {
    message: /Malformed config\.xml|Parsing .*config\.xml.* failed|invalid widget archive/i,
    codes: [...NOT_WELL_FORMED, ...NOT_READABLE],
    problem: sentence('config.xml is not well-formed, or lacks what it must have.'),
  },
  {
    message: /Invalid application identifier|Error validating package name/i,
    codes: ['idMalformed', 'idMissing'],
    problem: sentence('The id in config.xml is none that an app can have.'),
  },
  {
    message: /No Java files found that extend CordovaActivity/,
    codes: ['idChanges', 'idMalformed'],
    problem: sentence('The id of the app has changed.'),
  },
  {
    message: /Invalid version “/i,
    codes: ['versionMalformed', 'versionMissing'],
    problem: sentence('The version in config.xml is none that an app can have.'),
  },
  {
    message: /PhoneGap version not supported/i,
    codes: ['leftOutElement', 'droppedPreference', 'badValue', 'unknownPreference'],
    problem: sentence('config.xml asks for a version that the service does not have.'),
  },
  {
    message: /requires a parameter|Variable\(s\) missing|the variable “.*not supported/i,
    codes: ['pluginVariable'],
    problem: sentence('A plugin in config.xml lacks a value that it requires.'),
  },
  {
    message: /Plugin not supported|Failed to fetch plugin|Cannot find plugin\.xml|Plugin error|npm view .*--json/i,
    codes: ['pluginNotSupported'],
    problem: sentence('config.xml names a plugin that the service does not have.'),
  },
  {
    message: /must provide a signing key/i,
    codes: ['keyMissing'],
    problem: sentence('The platform has no signing key.'),
  },
  {
    message: /signing key .*(?:is locked|unlock it)/i,
    codes: ['keyLocked'],
    problem: sentence('The signing key is locked.'),
  },
  {
    message: /of the signing key expired|(?:certificate|profile|key) (?:has |is )?expired/i,
    codes: ['keyExpired'],
    problem: sentence('The signing key has expired.'),
  },
  {
    message: /profile .*(?:does ?n[o']t match|no matching)|no matching .*profile/i,
    codes: ['keyOfOtherApp'],
    problem: sentence('The signing key is for another app.'),
  },
  {
    message:
      /(?:Incorrect|Wrong) (?:keystore|certificate|key) password|keystore alias|Alias not associated|Certificate not found|Invalid keystore format|provisioning profile|file “.*” of the signing key/i,
    codes: ['key', 'keyLocked'],
    problem: sentence('The signing key cannot be used: add it again, with its right files, alias and passwords.'),
  },
  {
    message: /no index\.html/i,
    codes: ['startPageMissing', 'startPage', 'notBuilt'],
    problem: sentence('The page that the app begins with is not among the files.'),
  },
  {
    message: /holds no files/i,
    codes: ['package'],
    problem: sentence('There is nothing to send in the folder.'),
  },
  {
    message: /unpacks to more than|package .*too large/i,
    codes: ['packageTooLarge'],
    problem: sentence('The package is larger than the service takes.'),
  },
  {
    message: /more than [\d,.]+ files/i,
    codes: ['tooManyEntries'],
    problem: sentence('The package has more files than the service takes.'),
  },
  {
    message:
      /differ by upper and lower case|in its name|name of a device|its name is taken|that ends with a dot|Shorten it/i,
    codes: ['fileNames', 'package'],
    problem: sentence('A file has a name that the service does not take.'),
  },
  {
    message:
      /Failed to fetch platform|engine (?:lacks|has no)|platform "[^"]+" does not appear|No platforms added|on macOS only|(?:builds|makes) no \w+ apps|apps (?:need|cannot be built)|xcodebuild|Xcode|ANDROID_HOME|Android SDK|JDK|JAVA_HOME|Gradle/i,
    codes: ['platformUnavailable'],
    problem: sentence('The service cannot build for this platform.'),
  },
];

/**
 * The findings that a failed build is about, by its message: of the local service, of Cordova, and the titles that the original
 * service had.
 *
 * @returns empty for an unknown message.
 */
export function findingCodesOf(message: string): readonly FindingCode[] {
  return failureOf(message)?.codes ?? [];
}

/** What a failed build was about, in the words of a check; undefined for an unknown message. */
export function problemOf(message: string): Sentence | undefined {
  return failureOf(message)?.problem;
}

function failureOf(message: string): KnownFailure | undefined {
  return FAILURES.find((failure) => failure.message.test(message));
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
