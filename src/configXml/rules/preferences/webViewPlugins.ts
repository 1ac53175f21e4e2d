/** Preferences of plugins for the view of the pages and the keyboard. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { PreferenceRule } from '../rule.ts';
import { ALL_PLATFORMS, ANDROID, BOOLEAN, INTEGER, IOS, oneOfIgnoringCase, TEXT } from '../valueTypes.ts';
import { preferencesOf } from './plugin.ts';

const KEYBOARD: readonly PreferenceRule[] = preferencesOf('cordova-plugin-ionic-keyboard', [
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

const WEB_VIEW: readonly PreferenceRule[] = preferencesOf('cordova-plugin-ionic-webview', [
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

export const WEB_VIEW_PLUGIN_PREFERENCES: readonly PreferenceRule[] = [...KEYBOARD, ...WEB_VIEW];
