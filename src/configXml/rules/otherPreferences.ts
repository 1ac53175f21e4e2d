/** Preferences of plugins, of PhoneGap Build and of platforms of another time: names and types, so that they are not reported as unknown. */
import { ANIMATED_ICON } from './commonPreferences.ts';
import {
  ALL_PLATFORMS,
  ANDROID,
  ANDROID_AND_IOS,
  BOOLEAN,
  COLOUR,
  INTEGER,
  IOS,
  NAME,
  oneOf,
  oneOfIgnoringCase,
  type Platform,
  type PreferenceRule,
  preferencesWith,
  TEXT,
  type ValueType,
} from './rule.ts';
import { formerReference, phoneGapBuildAt, pluginPage } from './sources.ts';

type TypesByName = Readonly<Record<string, ValueType>>;

const PREFERENCES_BY_PLUGIN: Readonly<Record<string, TypesByName>> = {
  'cordova-plugin-statusbar': {
    StatusBarOverlaysWebView: BOOLEAN,
    StatusBarBackgroundColor: COLOUR,
    StatusBarStyle: oneOfIgnoringCase('default', 'lightcontent', 'darkcontent', 'blacktranslucent', 'blackopaque'),
    StatusBarDefaultScrollToTop: BOOLEAN,
  },
  'cordova-plugin-file': {
    AndroidPersistentFileLocation: oneOfIgnoringCase('Internal', 'Compatibility'),
    iosPersistentFileLocation: oneOfIgnoringCase('Library', 'Compatibility'),
    AndroidExtraFilesystems: NAME,
    iosExtraFilesystems: NAME,
  },
  'cordova-plugin-inappbrowser': {
    InAppBrowserStatusBarStyle: oneOfIgnoringCase('default', 'lightcontent', 'darkcontent'),
  },
  'cordova-plugin-camera': { CameraUsesGeolocation: BOOLEAN },
  'cordova-plugin-media': { KeepAVAudioSessionAlwaysActive: BOOLEAN },
  'cordova-plugin-advanced-http': { AndroidBlacklistSecureSocketProtocols: NAME },
  'cordova-plugin-add-swift-support': { UseSwiftLanguageVersion: NAME, UseLegacySwiftLanguageVersion: BOOLEAN },
  'cordova-plugin-wkwebview-file-xhr': {
    // true and false, or on and off: versions of the plugin differ.
    AllowUntrustedCerts: NAME,
    InterceptRemoteRequests: oneOf('all', 'secureOnly', 'none'),
    NativeXHRLogging: oneOf('full', 'none'),
    allowFileAccessFromFileURLs: BOOLEAN,
    allowUniversalAccessFromFileURLs: BOOLEAN,
  },
  'cordova-plugin-crosswalk-webview': {
    xwalkVersion: NAME,
    xwalkLiteVersion: NAME,
    xwalkCommandLine: TEXT,
    xwalkMode: oneOf('embedded', 'shared', 'lite'),
    xwalk64bit: NAME,
    xwalkMultipleApk: NAME,
    CrosswalkAnimatable: BOOLEAN,
  },
  'cordova-plugin-code-push': { CodePushDeploymentKey: NAME, CodePushPublicKey: NAME },
  'cordova-plugin-googlemaps': { GOOGLE_MAPS_ANDROID_API_KEY: NAME, GOOGLE_MAPS_IOS_API_KEY: NAME },
  'cordova-plugin-ionic-keyboard': {
    KeyboardResize: BOOLEAN,
    KeyboardResizeMode: oneOfIgnoringCase('native', 'body', 'ionic'),
    KeyboardStyle: oneOfIgnoringCase('light', 'dark'),
    HideKeyboardFormAccessoryBar: BOOLEAN,
    resizeOnFullScreen: BOOLEAN,
    KeyboardAppearanceDark: BOOLEAN,
    KeyboardShrinksView: BOOLEAN,
  },
  'cordova-plugin-ionic-webview': {
    iosScheme: NAME,
    MixedContentMode: { kind: 'integer', min: 0, max: 2 },
    ScrollEnabled: BOOLEAN,
    WKSuspendInBackground: BOOLEAN,
    WKInternalConnectionsOnly: BOOLEAN,
    WKFullScreenEnabled: BOOLEAN,
    WKPort: { kind: 'integer', min: 1, max: 65_535 },
    WKBind: NAME,
    WKCacheAge: INTEGER,
    UseScheme: BOOLEAN,
  },
  'cordova-plugin-splashscreen': {
    ShowSplashScreen: BOOLEAN,
    SplashScreenWidth: INTEGER,
    SplashScreenHeight: INTEGER,
  },
};

const SPLASH_SCREEN = 'cordova-plugin-splashscreen';
/** The platforms took the place of the plugin. */
const ANDROID_AND_IOS_TOOK_OVER = { android: '11.0.0', ios: '6.0.0' } as const;
const ANDROID_TOOK_OVER = { android: '11.0.0' } as const;
const splashScreen = preferencesWith({ platforms: ALL_PLATFORMS, source: pluginPage(SPLASH_SCREEN) });

/** Preferences that widely used plugins read. */
export const PLUGIN_PREFERENCES: readonly PreferenceRule[] = [
  ...Object.entries(PREFERENCES_BY_PLUGIN).flatMap(([plugin, types]) =>
    Object.entries(types).map(([name, type]) => ({
      name,
      type,
      platforms: ALL_PLATFORMS,
      plugin,
      source: pluginPage(plugin),
    })),
  ),
  ...[
    splashScreen('SplashScreen', NAME, undefined, { removed: ANDROID_AND_IOS_TOOK_OVER, replacedBy: ANIMATED_ICON }),
    splashScreen('ShowSplashScreenSpinner', BOOLEAN, undefined, {
      platforms: ANDROID_AND_IOS,
      removed: ANDROID_AND_IOS_TOOK_OVER,
    }),
    splashScreen('SplashScreenSpinnerColor', NAME, undefined, { removed: ANDROID_AND_IOS_TOOK_OVER }),
    splashScreen('SplashMaintainAspectRatio', BOOLEAN, undefined, { platforms: ANDROID, removed: ANDROID_TOOK_OVER }),
    splashScreen('SplashShowOnlyFirstTime', BOOLEAN, undefined, { platforms: ANDROID, removed: ANDROID_TOOK_OVER }),
    splashScreen('TopActivityIndicator', oneOfIgnoringCase('whiteLarge', 'white', 'gray'), undefined, {
      platforms: IOS,
      removed: { ios: '6.0.0' },
    }),
  ].map((rule) => ({ ...rule, plugin: SPLASH_SCREEN })),
];

const PHONEGAP_BUILD_PREFERENCES = [
  'phonegap-version pgb-builder-version signing-key permissions prerendered-icon detect-data-types exit-on-suspend',
  'ios-statusbarstyle swift-version webviewbounce UIWebViewBounce stay-in-webview show-splash-screen-spinner',
  'auto-hide-splash-screen splash-screen-duration load-url-timeout disable-cursor autorotate',
  'android-build-tool android-installLocation android-windowSoftInputMode android-signed',
];

const FORMER_PLATFORM_PREFERENCES: readonly (readonly [platform: Platform, ...names: readonly string[]])[] = [
  [
    'windows',
    'windows-target-version windows-phone-target-version uap-target-min-version WindowsDefaultUriPrefix',
    'WindowsStoreDisplayName WindowsStoreIdentityName WindowsStorePublisherName WindowsToastCapable ForegroundText',
    'windows-arch windows-identity-name windows-appx-target',
  ],
  ['osx', 'OSXLocalStoragePath WindowSize'],
  ['blackberry10', 'ChildBrowser PopupBlocker WebSecurity'],
];

/** Preferences of PhoneGap Build, which took each of them outside of a `<platform>` too, and of platforms that Cordova has given up. */
export const FORMER_PREFERENCES: readonly PreferenceRule[] = [
  ...formerPreferences(PHONEGAP_BUILD_PREFERENCES, ALL_PLATFORMS, phoneGapBuildAt('preferences')),
  ...FORMER_PLATFORM_PREFERENCES.flatMap(([platform, ...names]) =>
    formerPreferences(names, [platform], formerReference('9.x')),
  ),
];

/** Known by their names only. @param names separated by spaces */
function formerPreferences(
  names: readonly string[],
  platforms: readonly Platform[],
  source: string,
): readonly PreferenceRule[] {
  return names.flatMap((some) => some.split(' ')).map((name) => ({ name, type: NAME, platforms, source }));
}
