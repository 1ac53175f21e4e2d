/** Preferences that several platforms read. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { PreferenceRule } from '../rule.ts';
import { PREFERENCE } from '../sources.ts';
import { ALL_PLATFORMS, ANDROID_AND_IOS, BOOLEAN, COLOUR, oneOfIgnoringCase, TEXT } from '../valueTypes.ts';

export const COMMON_PREFERENCES: readonly PreferenceRule[] = [
  {
    name: 'Orientation',
    // The second line is what Android has beside that, and takes over as it is written.
    type: oneOfIgnoringCase(
      ...['default', 'portrait', 'landscape', 'all'],
      ...['unspecified', 'behind', 'sensor', 'nosensor', 'fullSensor', 'user', 'fullUser', 'locked'],
      ...['reversePortrait', 'reverseLandscape', 'sensorPortrait', 'sensorLandscape', 'userPortrait', 'userLandscape'],
    ),
    platforms: ALL_PLATFORMS,
    defaultValue: 'default',
    description: sentence('How the app may be turned. “default” leaves it to the platform.'),
    source: PREFERENCE,
  },
  {
    name: 'Fullscreen',
    type: BOOLEAN,
    platforms: ALL_PLATFORMS,
    defaultValue: 'false',
    description: sentence('True hides the status bar at the top of the screen.'),
    source: PREFERENCE,
  },
  {
    name: 'BackgroundColor',
    type: COLOUR,
    platforms: ALL_PLATFORMS,
    description: sentence('The colour behind the pages, such as 0xff0000ff: opacity, red, green and blue.'),
    source: PREFERENCE,
  },
  {
    name: 'FallbackPage',
    type: { kind: 'path', of: 'page' },
    platforms: ['android'],
    description: sentence(
      'The page that answers an address which is no file of the app, such as index.html for pages that route by themselves. For the built-in builder of the local service.',
    ),
    source: 'https://developer.mozilla.org/docs/Web/API/History_API/Working_with_the_History_API',
  },
  {
    name: 'DisallowOverscroll',
    type: BOOLEAN,
    platforms: ANDROID_AND_IOS,
    defaultValue: 'false',
    description: sentence('True shows no effect when a page is scrolled beyond its end.'),
    source: PREFERENCE,
  },
  {
    name: 'AppendUserAgent',
    type: TEXT,
    platforms: ANDROID_AND_IOS,
    description: sentence('Text that is added to the user agent of the app.'),
    source: PREFERENCE,
  },
  {
    name: 'OverrideUserAgent',
    type: TEXT,
    platforms: ANDROID_AND_IOS,
    description: sentence('The user agent of the app. AppendUserAgent is then ignored.'),
    source: PREFERENCE,
  },
  {
    name: 'ErrorUrl',
    // Templates have it empty, and it may be a URL.
    type: TEXT,
    platforms: ANDROID_AND_IOS,
    description: sentence('A page of the app that is shown when a page cannot be loaded.'),
    source: PREFERENCE,
  },
  {
    name: 'scheme',
    type: TEXT,
    platforms: ANDROID_AND_IOS,
    since: { android: '10.0.0', ios: '6.0.0' },
    description: sentence(
      'The scheme of the URLs that the pages have in the app: http or https on Android, one of your own such as app on iOS.',
    ),
    source: PREFERENCE,
  },
  {
    name: 'hostname',
    type: TEXT,
    platforms: ANDROID_AND_IOS,
    defaultValue: 'localhost',
    since: { android: '10.0.0', ios: '6.0.0' },
    description: sentence('The host of the URLs that the pages have in the app. On iOS it counts only with “scheme”.'),
    source: PREFERENCE,
  },
  {
    name: 'InspectableWebview',
    type: BOOLEAN,
    platforms: ANDROID_AND_IOS,
    since: { android: '12.0.0', ios: '6.3.0' },
    description: sentence(
      'Whether the pages can be inspected from a computer. Only builds for tests allow it when it is missing.',
    ),
    source: PREFERENCE,
  },
  {
    name: 'CordovaWebViewEngine',
    type: TEXT,
    platforms: ANDROID_AND_IOS,
    description: sentence('The class that shows the pages. Plugins set it themselves.'),
    source: PREFERENCE,
  },
];
