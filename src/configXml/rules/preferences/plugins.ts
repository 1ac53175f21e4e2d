/** Preferences that widely used plugins read. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { PreferenceRule } from '../rule.ts';
import {
  ALL_PLATFORMS,
  ANDROID,
  ANDROID_AND_IOS,
  BOOLEAN,
  COLOUR,
  IOS,
  oneOf,
  oneOfIgnoringCase,
  TEXT,
} from '../valueTypes.ts';
import { preferencesOf } from './plugin.ts';

const STATUS_BAR: readonly PreferenceRule[] = preferencesOf('cordova-plugin-statusbar', [
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

const FILES: readonly PreferenceRule[] = preferencesOf('cordova-plugin-file', [
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

const FURTHER: readonly PreferenceRule[] = [
  ...preferencesOf('cordova-plugin-inappbrowser', [
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
  ...preferencesOf('cordova-plugin-camera', [
    {
      name: 'CameraUsesGeolocation',
      type: BOOLEAN,
      platforms: ALL_PLATFORMS,
      defaultValue: 'false',
      description: sentence('True stores the place in photos.'),
    },
  ]),
  ...preferencesOf('cordova-plugin-media', [
    {
      name: 'KeepAVAudioSessionAlwaysActive',
      type: BOOLEAN,
      platforms: ALL_PLATFORMS,
      defaultValue: 'false',
      description: sentence('True keeps the audio session open.'),
    },
  ]),
  ...preferencesOf('cordova-plugin-advanced-http', [
    {
      name: 'AndroidBlacklistSecureSocketProtocols',
      type: TEXT,
      platforms: ANDROID,
      description: sentence('The versions of SSL and TLS that are not used, separated by commas.'),
    },
  ]),
  ...preferencesOf('cordova-plugin-add-swift-support', [
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
  ...preferencesOf('cordova-plugin-wkwebview-file-xhr', [
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
  ...preferencesOf('cordova-plugin-crosswalk-webview', [
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
  ...preferencesOf('cordova-plugin-code-push', [
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
  ...preferencesOf('cordova-plugin-googlemaps', [
    ...['GOOGLE_MAPS_ANDROID_API_KEY', 'GOOGLE_MAPS_IOS_API_KEY'].map((name) => ({
      name,
      type: TEXT,
      platforms: ALL_PLATFORMS,
      description: sentence('The key of the app for the maps of Google.'),
    })),
  ]),
];

export const PLUGIN_PREFERENCES: readonly PreferenceRule[] = [...STATUS_BAR, ...FILES, ...FURTHER];
