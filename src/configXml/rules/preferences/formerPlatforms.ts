/** Preferences of platforms that Cordova has given up. Older files have them, and they do no harm. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { Platform, PreferenceRule, ValueType } from '../rule.ts';
import { oneOfIgnoringCase, TEXT, VERSION } from '../valueTypes.ts';

/** The last reference that knew them. */
const REFERENCE_9 = 'https://cordova.apache.org/docs/en/9.x/config_ref/#preference';
const REFERENCE_3 = 'https://cordova.apache.org/docs/en/3.6.0/config_ref/';

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
  ...['OSXLocalStoragePath', 'WindowSize', 'HideCursor', 'EnableDebugLogging'].map((name) =>
    former(name, 'osx', REFERENCE_9),
  ),
  ...['ChildBrowser', 'PopupBlocker', 'WebSecurity'].map((name) => former(name, 'blackberry10', REFERENCE_3)),
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
