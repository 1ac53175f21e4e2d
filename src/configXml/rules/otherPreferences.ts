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
  oneOf,
  oneOfIgnoringCase,
  type Platform,
  type PreferenceRule,
  preferencesWith,
  TEXT,
  type ValueType,
  VERSION,
} from './rule.ts';
import { formerReference, phoneGapBuildAt, pluginPage } from './sources.ts';

type TypesByName = Readonly<Record<string, ValueType>>;

const PREFERENCES_BY_PLUGIN: Readonly<Record<string, TypesByName>> = {
  'cordova-plugin-statusbar': {
    StatusBarOverlaysWebView: BOOLEAN,
    StatusBarBackgroundColor: COLOUR,
    StatusBarStyle: oneOfIgnoringCase('default', 'lightcontent', 'blacktranslucent', 'blackopaque'),
    StatusBarDefaultScrollToTop: BOOLEAN,
  },
  'cordova-plugin-file': {
    AndroidPersistentFileLocation: oneOfIgnoringCase('Internal', 'Compatibility'),
    iosPersistentFileLocation: oneOfIgnoringCase('Library', 'Compatibility'),
    AndroidExtraFilesystems: TEXT,
    iosExtraFilesystems: TEXT,
  },
  'cordova-plugin-inappbrowser': {
    InAppBrowserStatusBarStyle: oneOfIgnoringCase('default', 'lightcontent', 'darkcontent'),
  },
  'cordova-plugin-camera': { CameraUsesGeolocation: BOOLEAN },
  'cordova-plugin-media': { KeepAVAudioSessionAlwaysActive: BOOLEAN },
  'cordova-plugin-advanced-http': { AndroidBlacklistSecureSocketProtocols: TEXT },
  'cordova-plugin-add-swift-support': { UseSwiftLanguageVersion: TEXT, UseLegacySwiftLanguageVersion: BOOLEAN },
  'cordova-plugin-wkwebview-file-xhr': {
    // true and false, or on and off: versions of the plugin differ.
    AllowUntrustedCerts: TEXT,
    InterceptRemoteRequests: oneOf('all', 'secureOnly', 'none'),
    NativeXHRLogging: oneOf('full', 'none'),
    allowFileAccessFromFileURLs: BOOLEAN,
    allowUniversalAccessFromFileURLs: BOOLEAN,
  },
  'cordova-plugin-crosswalk-webview': {
    xwalkVersion: TEXT,
    xwalkLiteVersion: TEXT,
    xwalkCommandLine: TEXT,
    xwalkMode: TEXT,
    xwalk64bit: TEXT,
    xwalkMultipleApk: TEXT,
    CrosswalkAnimatable: BOOLEAN,
  },
  'cordova-plugin-code-push': { CodePushDeploymentKey: TEXT, CodePushPublicKey: TEXT },
  'cordova-plugin-googlemaps': { GOOGLE_MAPS_ANDROID_API_KEY: TEXT, GOOGLE_MAPS_IOS_API_KEY: TEXT },
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
    iosScheme: TEXT,
    MixedContentMode: { kind: 'integer', min: 0, max: 2 },
    ScrollEnabled: BOOLEAN,
    WKSuspendInBackground: BOOLEAN,
    WKInternalConnectionsOnly: BOOLEAN,
    WKFullScreenEnabled: BOOLEAN,
    WKPort: { kind: 'integer', min: 1, max: 65_535 },
    WKBind: TEXT,
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
    splashScreen('SplashScreen', TEXT, undefined, { removed: ANDROID_AND_IOS_TOOK_OVER, replacedBy: ANIMATED_ICON }),
    splashScreen('ShowSplashScreenSpinner', BOOLEAN, undefined, {
      platforms: ANDROID_AND_IOS,
      removed: ANDROID_AND_IOS_TOOK_OVER,
    }),
    splashScreen('SplashScreenSpinnerColor', TEXT, undefined, { removed: ANDROID_AND_IOS_TOOK_OVER }),
    splashScreen('SplashMaintainAspectRatio', BOOLEAN, undefined, { platforms: ANDROID, removed: ANDROID_TOOK_OVER }),
    splashScreen('SplashShowOnlyFirstTime', BOOLEAN, undefined, { platforms: ANDROID, removed: ANDROID_TOOK_OVER }),
    splashScreen('TopActivityIndicator', oneOfIgnoringCase('whiteLarge', 'white', 'gray'), undefined, {
      platforms: IOS,
      removed: { ios: '6.0.0' },
    }),
  ].map((rule) => ({ ...rule, plugin: SPLASH_SCREEN })),
];

const PHONEGAP_BUILD_PREFERENCES: TypesByName = {
  'phonegap-version': TEXT,
  'pgb-builder-version': oneOfIgnoringCase('1', '2'),
  'signing-key': TEXT,
  permissions: TEXT,
  'prerendered-icon': BOOLEAN,
  'detect-data-types': BOOLEAN,
  'exit-on-suspend': BOOLEAN,
  'ios-statusbarstyle': oneOfIgnoringCase('default', 'black-opaque', 'black-translucent'),
  'swift-version': TEXT,
  webviewbounce: BOOLEAN,
  UIWebViewBounce: BOOLEAN,
  'stay-in-webview': BOOLEAN,
  'show-splash-screen-spinner': BOOLEAN,
  'auto-hide-splash-screen': BOOLEAN,
  'splash-screen-duration': INTEGER,
  'load-url-timeout': INTEGER,
  'disable-cursor': BOOLEAN,
  autorotate: BOOLEAN,
  'android-versionCode': INTEGER,
  'android-build-tool': oneOfIgnoringCase('gradle', 'ant'),
  'android-installLocation': oneOfIgnoringCase('internalOnly', 'auto', 'preferExternal'),
  'android-windowSoftInputMode': TEXT,
  'android-signed': BOOLEAN,
};

const FORMER_PLATFORM_PREFERENCES: readonly (readonly [platform: Platform, types: TypesByName])[] = [
  [
    'windows',
    {
      'windows-target-version': TEXT,
      'windows-phone-target-version': TEXT,
      'uap-target-min-version': VERSION,
      WindowsDefaultUriPrefix: TEXT,
      WindowsStoreDisplayName: TEXT,
      WindowsStoreIdentityName: TEXT,
      WindowsStorePublisherName: TEXT,
      WindowsToastCapable: oneOfIgnoringCase('true', 'false'),
      ForegroundText: oneOfIgnoringCase('light', 'dark'),
      'windows-arch': oneOfIgnoringCase('anycpu', 'arm', 'x86', 'x64'),
      'windows-identity-name': TEXT,
      'windows-appx-target': TEXT,
    },
  ],
  ['osx', { OSXLocalStoragePath: TEXT, WindowSize: TEXT }],
  ['blackberry10', { ChildBrowser: TEXT, PopupBlocker: TEXT, WebSecurity: TEXT }],
];

/** Preferences of PhoneGap Build, which took each of them outside of a `<platform>` too, and of platforms that Cordova has given up. */
export const FORMER_PREFERENCES: readonly PreferenceRule[] = [
  ...Object.entries(PHONEGAP_BUILD_PREFERENCES).map(([name, type]) => ({
    name,
    type,
    platforms: ALL_PLATFORMS,
    source: phoneGapBuildAt('preferences'),
  })),
  ...FORMER_PLATFORM_PREFERENCES.flatMap(([platform, types]) =>
    Object.entries(types).map(([name, type]) => ({
      name,
      type,
      platforms: [platform],
      source: formerReference('9.x'),
    })),
  ),
];
