import { formatSentence, sentence, type Sentence, valueAlone } from '../../errors/index.ts';
import type { ViewRowText } from '../workbench/rowsView.ts';
import { baseName, type FindingCode, platformName } from '../../web-project/index.ts';
import type { Finding } from './finding.ts';

/** Returns the subject of a finding in one or two words. */
export function getFindingSubject({ about, location, platform, code }: Finding): ViewRowText {
  if (about !== undefined) {
    return about;
  }
  if (location !== undefined) {
    return baseName(location.uri);
  }
  if (code === 'service' || code === 'idChanges') {
    return sentence('Service');
  }
  return platform === undefined ? sentence('Package') : platformName(platform);
}

/** Returns the verdict in a few words, with the affected platform. */
export function getFindingNotes(finding: Finding): readonly ViewRowText[] {
  const { about, code, message, platform, short = VERDICTS[code] } = finding;
  const noun = getFindingSubject(finding);
  const name = platform === undefined ? undefined : platformName(platform);
  const isNamed = name === undefined || (typeof noun === 'string' ? noun : formatSentence(noun)).includes(name);
  return [...(about === message ? [] : [short]), ...(isNamed ? [] : [valueAlone(name)])];
}

/** Short verdicts by code, for findings that don't specify `short`. */
const VERDICTS: Readonly<Record<FindingCode, Sentence>> = {
  notClosed: sentence('not closed'),
  endTagMismatch: sentence('end tag doesn’t match'),
  quoteMissing: sentence('closing quote missing'),
  malformed: sentence('not well-formed'),
  undeclaredPrefix: sentence('prefix not declared'),
  doctype: sentence('document type not allowed'),
  encoding: sentence('not in UTF-8'),
  tooLarge: sentence('too large'),
  wrongRoot: sentence('not for Cordova'),
  otherWidget: sentence('not for Cordova'),
  idMissing: sentence('app ID missing'),
  idMalformed: sentence('invalid app ID'),
  idHyphen: sentence('changed for Android'),
  versionMissing: sentence('version missing'),
  versionMalformed: sentence('invalid version'),
  versionSuffix: sentence('suffix left out'),
  placeholder: sentence('placeholder'),
  nameMissing: sentence('app name missing'),
  unknownElement: sentence('unknown element'),
  misplacedElement: sentence('in the wrong place'),
  repeatedElement: sentence('repeated'),
  unknownAttribute: sentence('unknown attribute'),
  missingAttribute: sentence('attribute missing'),
  unknownPreference: sentence('unknown preference'),
  repeatedPreference: sentence('set twice'),
  badValue: sentence('invalid value'),
  droppedPreference: sentence('has no effect'),
  startPageMissing: sentence('not found'),
  fileMissing: sentence('not found'),
  leftOutElement: sentence('ignored by build services'),
  config: sentence('can’t be read'),
  configMissing: sentence('left out'),
  package: sentence('can’t be packed'),
  notBuilt: sentence('not built yet'),
  pagesOlder: sentence('newer than the pages'),
  sourcePage: sentence('source code'),
  baseHref: sentence('wrong base'),
  missingScript: sentence('not in the app'),
  remoteCode: sentence('from another server'),
  contentPolicy: sentence('blocks its own script'),
  hostname: sentence('expects another host'),
  capacitorPlugin: sentence('not available here'),
  cleartext: sentence('not encrypted'),
  packageTooLarge: sentence('too large'),
  tooManyEntries: sentence('too many files'),
  startPage: sentence('index.html missing'),
  secretWaiting: sentence('may contain a secret'),
  sourceMaps: sentence('contains source maps'),
  largeFiles: sentence('contains large files'),
  fileNames: sentence('unsupported file names'),
  idChanges: sentence('app ID changes'),
  pluginNotSupported: sentence('not available here'),
  pluginVariable: sentence('variable missing'),
  platformUnavailable: sentence('not available here'),
  keyMissing: sentence('signing key missing'),
  keyLocked: sentence('locked'),
  keyExpired: sentence('expired'),
  keyExpiresSoon: sentence('expires soon'),
  keyOfOtherApp: sentence('for a different app'),
  key: sentence('ready'),
  service: sentence('not checked'),
};
