/** Preferences of platforms that Cordova has given up. Older files have them, and they do no harm. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { Platform, PreferenceRule, ValueType } from '../rule.ts';
import { formerReference } from '../sources.ts';
import { oneOfIgnoringCase, TEXT, VERSION } from '../valueTypes.ts';

/** The last references that knew them. */
const REFERENCE_9 = formerReference('9.x');
const BLACKBERRY = formerReference('3.2.0', 'guide/platforms/blackberry10/config');

const WINDOWS_PREFERENCES: Readonly<Record<string, ValueType>> = {
  'windows-target-version': TEXT,
  'windows-phone-target-version': TEXT,
  'uap-target-min-version': VERSION,
  'uap-target-max-version': VERSION,
  'windows-arch': oneOfIgnoringCase('anycpu', 'arm', 'x86', 'x64'),
  'windows-identity-name': TEXT,
  'windows-appx-target': TEXT,
  WindowsDefaultUriPrefix: TEXT,
  WindowsStoreDisplayName: TEXT,
  WindowsStoreIdentityName: TEXT,
  WindowsStorePublisherName: TEXT,
  WindowsToastCapable: oneOfIgnoringCase('true', 'false'),
  ForegroundText: oneOfIgnoringCase('light', 'dark'),
};

export const FORMER_PLATFORM_PREFERENCES: readonly PreferenceRule[] = [
  ...Object.entries(WINDOWS_PREFERENCES).map(([name, type]): PreferenceRule => ({
    name,
    type,
    platforms: ['windows'],
    description: sentence('A setting of apps for Windows, which Cordova built until 2020.'),
    source: REFERENCE_9,
  })),
  ...['OSXLocalStoragePath', 'WindowSize'].map((name) => former(name, 'osx', REFERENCE_9)),
  ...['ChildBrowser', 'PopupBlocker', 'WebSecurity'].map((name) => former(name, 'blackberry10', BLACKBERRY)),
];

function former(name: string, platform: Platform, source: string): PreferenceRule {
  return {
    name,
    type: TEXT,
    platforms: [platform],
    description: sentence('A setting of a platform that Cordova has given up.'),
    source,
  };
}
