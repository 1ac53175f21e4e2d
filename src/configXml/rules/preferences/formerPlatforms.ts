/** Preferences of platforms that Cordova has given up. Older files have them, and they do no harm. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { Platform, PreferenceRule, ValueType } from '../rule.ts';
import { formerReference, phoneGapBuildAt } from '../sources.ts';
import { oneOfIgnoringCase, TEXT, VERSION } from '../valueTypes.ts';

/** The last references that knew them. */
const REFERENCE_9 = formerReference('9.x');
const PHONEGAP_BUILD = phoneGapBuildAt('preferences');
const BLACKBERRY = formerReference('3.2.0', 'guide/platforms/blackberry10/config');

const WINDOWS_PREFERENCES: Readonly<Record<string, ValueType>> = {
  'windows-target-version': TEXT,
  'windows-phone-target-version': TEXT,
  'uap-target-min-version': VERSION,
  WindowsDefaultUriPrefix: TEXT,
  WindowsStoreDisplayName: TEXT,
  WindowsStoreIdentityName: TEXT,
  WindowsStorePublisherName: TEXT,
  WindowsToastCapable: oneOfIgnoringCase('true', 'false'),
  ForegroundText: oneOfIgnoringCase('light', 'dark'),
};

const WINDOWS_ON_PHONEGAP_BUILD: Readonly<Record<string, ValueType>> = {
  'windows-arch': oneOfIgnoringCase('anycpu', 'arm', 'x86', 'x64'),
  'windows-identity-name': TEXT,
  'windows-appx-target': TEXT,
};

export const FORMER_PLATFORM_PREFERENCES: readonly PreferenceRule[] = [
  ...Object.entries(WINDOWS_PREFERENCES).map(([name, type]) => former(name, 'windows', REFERENCE_9, type)),
  ...Object.entries(WINDOWS_ON_PHONEGAP_BUILD).map(([name, type]) => former(name, 'windows', PHONEGAP_BUILD, type)),
  ...['OSXLocalStoragePath', 'WindowSize'].map((name) => former(name, 'osx', REFERENCE_9)),
  ...['ChildBrowser', 'PopupBlocker', 'WebSecurity'].map((name) => former(name, 'blackberry10', BLACKBERRY)),
];

function former(name: string, platform: Platform, source: string, type = TEXT): PreferenceRule {
  return {
    name,
    type,
    platforms: [platform],
    description: sentence('A setting of a platform that Cordova has given up.'),
    source,
  };
}
