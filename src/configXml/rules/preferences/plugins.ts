/** Preferences that widely used plugins read. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { PreferenceRule } from '../rule.ts';
import { pluginPage } from '../sources.ts';
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
  TEXT,
} from '../valueTypes.ts';

const STATUS_BAR: PreferenceRule[] = of('cordova-plugin-statusbar', [
  {
    name: 'StatusBarOverlaysWebView',
    type: BOOLEAN,
    platforms: ALL_PLATFORMS,
    defaultValue: 'true',
    description: sentence('Whether the app lies below the status bar.'),
  },
  {
    name: 'StatusBarBackgroundColor',
    type: COLOUR,
    platforms: ALL_PLATFORMS,
    description: sentence(
      'The colour of the status bar, such as #000000. cordova-ios 8 and cordova-android 15 read it without the plugin.',
    ),
  },
  {
    name: 'StatusBarStyle',
    type: oneOfIgnoringCase('default', 'lightcontent', 'blacktranslucent', 'blackopaque'),
    platforms: ALL_PLATFORMS,
    defaultValue: 'default',
    description: sentence('Whether the status bar has dark text (“default”) or light text (“lightcontent”).'),
  },
  {
    name: 'StatusBarDefaultScrollToTop',
    type: BOOLEAN,
    platforms: IOS,
    defaultValue: 'false',
    description: sentence('True scrolls to the top when the status bar is touched.'),
  },
]);

const KEYBOARD: PreferenceRule[] = of('cordova-plugin-ionic-keyboard', [
  {
    name: 'KeyboardResize',
    type: BOOLEAN,
    platforms: ALL_PLATFORMS,
    defaultValue: 'true',
    description: sentence('Whether the app becomes smaller when the keyboard is shown.'),
  },
  {
    name: 'KeyboardResizeMode',
    type: oneOfIgnoringCase('native', 'body', 'ionic'),
    platforms: ALL_PLATFORMS,
    defaultValue: 'native',
    description: sentence('What becomes smaller when the keyboard is shown.'),
  },
  {
    name: 'KeyboardStyle',
    type: oneOfIgnoringCase('light', 'dark'),
    platforms: IOS,
    defaultValue: 'light',
    description: sentence('How the keyboard looks.'),
  },
  {
    name: 'HideKeyboardFormAccessoryBar',
    type: BOOLEAN,
    platforms: ALL_PLATFORMS,
    description: sentence('True hides the bar above the keyboard that leads from field to field.'),
  },
  {
    name: 'resizeOnFullScreen',
    type: BOOLEAN,
    platforms: ANDROID,
    defaultValue: 'false',
    description: sentence('True makes the app smaller above the keyboard in full screen too.'),
  },
  {
    name: 'KeyboardAppearanceDark',
    type: BOOLEAN,
    platforms: IOS,
    description: sentence('True shows a dark keyboard.'),
  },
  {
    name: 'KeyboardShrinksView',
    type: BOOLEAN,
    platforms: IOS,
    description: sentence('True makes the app smaller when the keyboard is shown.'),
  },
]);

const WEB_VIEW: PreferenceRule[] = of('cordova-plugin-ionic-webview', [
  {
    name: 'iosScheme',
    type: TEXT,
    platforms: ALL_PLATFORMS,
    defaultValue: 'ionic',
    description: sentence('The scheme of the URLs that the pages have in the app on iOS.'),
  },
  {
    name: 'MixedContentMode',
    type: { kind: 'integer', min: 0, max: 2 },
    platforms: ALL_PLATFORMS,
    defaultValue: '0',
    description: sentence('Whether secure pages may load unencrypted content: 0 all, 1 none, 2 as browsers do.'),
  },
  {
    name: 'ScrollEnabled',
    type: BOOLEAN,
    platforms: ALL_PLATFORMS,
    description: sentence('Whether the view of the pages scrolls.'),
  },
  {
    name: 'WKSuspendInBackground',
    type: BOOLEAN,
    platforms: ALL_PLATFORMS,
    defaultValue: 'true',
    description: sentence('False keeps scripts running for a while when the app is in the background.'),
  },
  {
    name: 'WKInternalConnectionsOnly',
    type: BOOLEAN,
    platforms: ALL_PLATFORMS,
    defaultValue: 'true',
    description: sentence('Whether only the app reaches the web server within it.'),
  },
  {
    name: 'WKFullScreenEnabled',
    type: BOOLEAN,
    platforms: ALL_PLATFORMS,
    description: sentence('True lets elements of a page go full screen.'),
  },
  {
    name: 'WKPort',
    type: { kind: 'integer', min: 1, max: 65_535 },
    platforms: ALL_PLATFORMS,
    defaultValue: '8080',
    description: sentence('The port of the web server within the app.'),
  },
  {
    name: 'WKBind',
    type: TEXT,
    platforms: ALL_PLATFORMS,
    defaultValue: 'localhost',
    description: sentence('The host of the web server within the app.'),
  },
  {
    name: 'WKCacheAge',
    type: INTEGER,
    platforms: ALL_PLATFORMS,
    defaultValue: '3600',
    description: sentence('How long files of the web server within the app are cached, in seconds.'),
  },
  {
    name: 'UseScheme',
    type: BOOLEAN,
    platforms: ALL_PLATFORMS,
    description: sentence('Whether the pages have a scheme of their own in place of a web server within the app.'),
  },
]);

const FILES: PreferenceRule[] = of('cordova-plugin-file', [
  {
    name: 'AndroidPersistentFileLocation',
    type: oneOfIgnoringCase('Internal', 'Compatibility'),
    platforms: ALL_PLATFORMS,
    defaultValue: 'Internal',
    description: sentence('Where files that stay are kept on Android.'),
  },
  {
    name: 'iosPersistentFileLocation',
    type: oneOfIgnoringCase('Library', 'Compatibility'),
    platforms: ALL_PLATFORMS,
    defaultValue: 'Library',
    description: sentence('Where files that stay are kept on iOS.'),
  },
  {
    name: 'AndroidExtraFilesystems',
    type: TEXT,
    platforms: ALL_PLATFORMS,
    description: sentence('The further folders that the app reaches on Android, separated by commas.'),
  },
  {
    name: 'iosExtraFilesystems',
    type: TEXT,
    platforms: ALL_PLATFORMS,
    description: sentence('The further folders that the app reaches on iOS, separated by commas.'),
  },
]);

const FURTHER: PreferenceRule[] = [
  ...of('cordova-plugin-inappbrowser', [
    {
      name: 'InAppBrowserStatusBarStyle',
      type: oneOfIgnoringCase('default', 'lightcontent', 'darkcontent'),
      platforms: ALL_PLATFORMS,
      defaultValue: 'default',
      description: sentence(
        'The text of the status bar while a website is open: dark (“default”) or light (“lightcontent”).',
      ),
    },
  ]),
  ...of('cordova-plugin-camera', [
    {
      name: 'CameraUsesGeolocation',
      type: BOOLEAN,
      platforms: ALL_PLATFORMS,
      defaultValue: 'false',
      description: sentence('True stores the place in photos.'),
    },
  ]),
  ...of('cordova-plugin-media', [
    {
      name: 'KeepAVAudioSessionAlwaysActive',
      type: BOOLEAN,
      platforms: ALL_PLATFORMS,
      defaultValue: 'false',
      description: sentence('True keeps the audio session open.'),
    },
  ]),
  ...of('cordova-plugin-advanced-http', [
    {
      name: 'AndroidBlacklistSecureSocketProtocols',
      type: TEXT,
      platforms: ANDROID,
      description: sentence('The versions of SSL and TLS that are not used, separated by commas.'),
    },
  ]),
  ...of('cordova-plugin-add-swift-support', [
    {
      name: 'UseSwiftLanguageVersion',
      type: TEXT,
      platforms: ALL_PLATFORMS,
      description: sentence('The version of Swift that plugins are compiled with.'),
    },
    {
      name: 'UseLegacySwiftLanguageVersion',
      type: BOOLEAN,
      platforms: ALL_PLATFORMS,
      description: sentence('True compiles plugins with an earlier version of Swift.'),
    },
  ]),
  ...of('cordova-plugin-wkwebview-file-xhr', [
    {
      name: 'AllowUntrustedCerts',
      // true and false, or on and off: versions of the plugin differ.
      type: TEXT,
      platforms: ALL_PLATFORMS,
      defaultValue: 'false',
      description: sentence('True accepts certificates that nobody has signed. It is unsafe.'),
    },
    {
      name: 'InterceptRemoteRequests',
      type: oneOf('all', 'secureOnly', 'none'),
      platforms: ALL_PLATFORMS,
      defaultValue: 'secureOnly',
      description: sentence('Which requests to other servers the plugin sends.'),
    },
    {
      name: 'NativeXHRLogging',
      type: oneOf('full', 'none'),
      platforms: ALL_PLATFORMS,
      defaultValue: 'none',
      description: sentence('Whether requests are written into the log.'),
    },
    {
      name: 'allowFileAccessFromFileURLs',
      type: BOOLEAN,
      platforms: ALL_PLATFORMS,
      description: sentence('True lets pages at file: URLs read other files.'),
    },
    {
      name: 'allowUniversalAccessFromFileURLs',
      type: BOOLEAN,
      platforms: ALL_PLATFORMS,
      description: sentence('True lets pages at file: URLs read from everywhere.'),
    },
  ]),
  ...of('cordova-plugin-crosswalk-webview', [
    ...['xwalkVersion', 'xwalkLiteVersion', 'xwalkCommandLine', 'xwalkMode', 'xwalk64bit', 'xwalkMultipleApk'].map(
      (name) => ({
        name,
        type: TEXT,
        platforms: ANDROID,
        description: sentence('A setting of Crosswalk, which nobody develops any more.'),
      }),
    ),
    {
      name: 'CrosswalkAnimatable',
      type: BOOLEAN,
      platforms: ANDROID,
      description: sentence('True lets the view of Crosswalk be moved.'),
    },
  ]),
  ...of('cordova-plugin-code-push', [
    {
      name: 'CodePushDeploymentKey',
      type: TEXT,
      platforms: ANDROID_AND_IOS,
      description: sentence('The key of the deployment that the app takes its updates from.'),
    },
    {
      name: 'CodePushPublicKey',
      type: TEXT,
      platforms: ANDROID_AND_IOS,
      description: sentence('The key that updates must be signed for.'),
    },
  ]),
  ...of('cordova-plugin-googlemaps', [
    ...['GOOGLE_MAPS_ANDROID_API_KEY', 'GOOGLE_MAPS_IOS_API_KEY'].map((name) => ({
      name,
      type: TEXT,
      platforms: ALL_PLATFORMS,
      description: sentence('The key of the app for the maps of Google.'),
    })),
  ]),
];

export const PLUGIN_PREFERENCES: readonly PreferenceRule[] = [
  ...STATUS_BAR,
  ...KEYBOARD,
  ...WEB_VIEW,
  ...FILES,
  ...FURTHER,
];

/** The preferences of a plugin, which its page explains. */
function of(plugin: string, preferences: readonly Omit<PreferenceRule, 'plugin' | 'source'>[]): PreferenceRule[] {
  return preferences.map((preference) => ({ ...preference, plugin, source: pluginPage(plugin) }));
}
