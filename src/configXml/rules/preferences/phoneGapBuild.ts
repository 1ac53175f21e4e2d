/** Preferences of PhoneGap Build. Cordova reads those of them that stand with a platform. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { PreferenceRule } from '../rule.ts';
import { phoneGapBuildAt } from '../sources.ts';
import { ALL_PLATFORMS, BOOLEAN, INTEGER, oneOfIgnoringCase, TEXT } from '../valueTypes.ts';

const SOURCE = phoneGapBuildAt('preferences');

/** PhoneGap Build took each of them outside of a `<platform>` too. */
export const PHONEGAP_BUILD_PREFERENCES: readonly PreferenceRule[] = (
  [
    {
      name: 'phonegap-version',
      type: TEXT,
      description: sentence('The version of PhoneGap or Cordova that PhoneGap Build built with, such as cli-9.0.0.'),
    },
    {
      name: 'pgb-builder-version',
      type: oneOfIgnoringCase('1', '2'),
      description: sentence('The builder of PhoneGap Build.'),
    },
    {
      name: 'signing-key',
      type: TEXT,
      description: sentence('The id or title of the signing key that PhoneGap Build built with.'),
    },
    {
      name: 'permissions',
      type: TEXT,
      description: sentence('“none” asked PhoneGap Build for no permissions but that of the internet.'),
    },
    {
      name: 'prerendered-icon',
      type: BOOLEAN,
      defaultValue: 'false',
      description: sentence('True kept iOS 6 from adding gloss to the icon.'),
    },
    {
      name: 'detect-data-types',
      type: BOOLEAN,
      defaultValue: 'true',
      description: sentence('Whether phone numbers and dates became links on iOS.'),
    },
    {
      name: 'exit-on-suspend',
      type: BOOLEAN,
      defaultValue: 'false',
      description: sentence('True ends the app on iOS when it is left.'),
    },
    {
      name: 'ios-statusbarstyle',
      type: oneOfIgnoringCase('default', 'black-opaque', 'black-translucent'),
      defaultValue: 'default',
      description: sentence('The status bar on iOS.'),
    },
    {
      name: 'swift-version',
      type: TEXT,
      description: sentence('The version of Swift on PhoneGap Build. Cordova reads SwiftVersion.'),
    },
    {
      name: 'webviewbounce',
      type: BOOLEAN,
      defaultValue: 'true',
      description: sentence('Whether pages bounced at their end. Cordova reads DisallowOverscroll.'),
    },
    {
      name: 'UIWebViewBounce',
      type: BOOLEAN,
      defaultValue: 'true',
      description: sentence('Whether pages bounced at their end. Cordova reads DisallowOverscroll.'),
    },
    {
      name: 'stay-in-webview',
      type: BOOLEAN,
      defaultValue: 'false',
      description: sentence('True opened links within the app. Cordova reads <allow-navigation>.'),
    },
    {
      name: 'show-splash-screen-spinner',
      type: BOOLEAN,
      defaultValue: 'true',
      description: sentence('Whether the splash screen showed that something is going on.'),
    },
    {
      name: 'auto-hide-splash-screen',
      type: BOOLEAN,
      defaultValue: 'true',
      description: sentence('Whether the splash screen went by itself. Cordova reads AutoHideSplashScreen.'),
    },
    {
      name: 'splash-screen-duration',
      type: INTEGER,
      defaultValue: '5000',
      description: sentence('How long the splash screen was shown, in milliseconds. Cordova reads SplashScreenDelay.'),
    },
    {
      name: 'load-url-timeout',
      type: INTEGER,
      description: sentence('How long a page might take to load, in milliseconds. Cordova reads LoadUrlTimeoutValue.'),
    },
    {
      name: 'disable-cursor',
      type: BOOLEAN,
      defaultValue: 'false',
      description: sentence('True hid the cursor on BlackBerry.'),
    },
    {
      name: 'autorotate',
      type: BOOLEAN,
      description: sentence('Whether the app turned with the device. Cordova reads Orientation.'),
    },
    {
      name: 'android-versionCode',
      type: INTEGER,
      description: sentence('The version code for Android. Cordova reads the attribute of <widget> with this name.'),
    },
    {
      name: 'android-build-tool',
      type: oneOfIgnoringCase('gradle', 'ant'),
      description: sentence('The tool that PhoneGap Build built with.'),
    },
    {
      name: 'android-installLocation',
      type: oneOfIgnoringCase('internalOnly', 'auto', 'preferExternal'),
      defaultValue: 'internalOnly',
      description: sentence('Where the app may be installed on Android.'),
    },
    {
      name: 'android-windowSoftInputMode',
      type: TEXT,
      description: sentence(
        'How the app and the keyboard share the screen on Android, such as stateVisible|adjustResize.',
      ),
    },
    {
      name: 'android-signed',
      type: BOOLEAN,
      description: sentence('Whether PhoneGap Build signed the app for Android.'),
    },
  ] satisfies readonly Omit<PreferenceRule, 'platforms' | 'source'>[]
).map((preference) => ({ ...preference, platforms: ALL_PLATFORMS, source: SOURCE }));
