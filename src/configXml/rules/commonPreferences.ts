/** Preferences that several platforms read. */
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import {
  ALL_PLATFORMS,
  ANDROID,
  ANDROID_AND_IOS,
  BOOLEAN,
  COLOUR,
  DECIMAL,
  FILE,
  INTEGER,
  NAME,
  oneOfIgnoringCase,
  type PreferenceRule,
  preferencesWith,
  TEXT,
  type ValueType,
} from './rule.ts';
import { PREFERENCE, splashScreenAt } from './sources.ts';

const preference = preferencesWith({ platforms: ALL_PLATFORMS, source: PREFERENCE });

export const COMMON_PREFERENCES: readonly PreferenceRule[] = [
  // The second line is what Android has beside that, and takes over as it is written.
  preference(
    'Orientation',
    oneOfIgnoringCase(
      ...['default', 'portrait', 'landscape', 'all'],
      ...['unspecified', 'behind', 'sensor', 'nosensor', 'fullSensor', 'user', 'fullUser', 'locked'],
      ...['reversePortrait', 'reverseLandscape', 'sensorPortrait', 'sensorLandscape', 'userPortrait', 'userLandscape'],
    ),
    sentence('How the app may be turned. “default” leaves it to the platform.'),
    { defaultValue: 'default' },
  ),
  preference('Fullscreen', BOOLEAN, sentence('True hides the status bar at the top of the screen.'), {
    defaultValue: 'false',
  }),
  preference(
    'BackgroundColor',
    COLOUR,
    sentence('The colour behind the pages, such as 0xff0000ff: opacity, red, green and blue.'),
  ),
  preference(
    'FallbackPage',
    { kind: 'path', of: 'page' },
    sentence(
      'The page that answers an address which is no file of the app, such as index.html for pages that route by themselves. For the built-in builder of the local service.',
    ),
    {
      platforms: ['android'],
      source: 'https://developer.mozilla.org/docs/Web/API/History_API/Working_with_the_History_API',
    },
  ),
  preference('DisallowOverscroll', BOOLEAN, sentence('True shows no effect when a page is scrolled beyond its end.'), {
    platforms: ANDROID_AND_IOS,
    defaultValue: 'false',
  }),
  preference('AppendUserAgent', TEXT, sentence('Text that is added to the user agent of the app.'), {
    platforms: ANDROID_AND_IOS,
  }),
  preference('OverrideUserAgent', TEXT, sentence('The user agent of the app. AppendUserAgent is then ignored.'), {
    platforms: ANDROID_AND_IOS,
  }),
  // Templates have it empty, and it may be a URL.
  preference('ErrorUrl', NAME, sentence('A page of the app that is shown when a page cannot be loaded.'), {
    platforms: ANDROID_AND_IOS,
  }),
  preference(
    'scheme',
    NAME,
    sentence(
      'The scheme of the URLs that the pages have in the app: http or https on Android, one of your own such as app on iOS.',
    ),
    { platforms: ANDROID_AND_IOS, types: { android: oneOfIgnoringCase('https', 'http') } },
  ),
  preference(
    'hostname',
    NAME,
    sentence('The host of the URLs that the pages have in the app. On iOS it counts only with “scheme”.'),
    { platforms: ANDROID_AND_IOS, defaultValue: 'localhost' },
  ),
  preference(
    'InspectableWebview',
    BOOLEAN,
    sentence('Whether the pages can be inspected from a computer. Only builds for tests allow it when it is missing.'),
    { platforms: ANDROID_AND_IOS },
  ),
  preference('CordovaWebViewEngine', NAME, sentence('The class that shows the pages. Plugins set it themselves.'), {
    platforms: ANDROID_AND_IOS,
  }),
];

export const ANIMATED_ICON = 'AndroidWindowSplashScreenAnimatedIcon';

/** The splash screen. The platforms show it themselves: cordova-ios from version 6 on, cordova-android from 11 on. */
export const SPLASH_SCREEN_PREFERENCES: readonly PreferenceRule[] = [
  splashScreen(
    'AutoHideSplashScreen',
    BOOLEAN,
    sentence('False shows the splash screen until the app hides it by a script.'),
    { defaultValue: 'true' },
  ),
  splashScreen('SplashScreenDelay', DECIMAL, sentence('How long the splash screen is shown, in milliseconds.')),
  splashScreen('FadeSplashScreen', BOOLEAN, sentence('Whether the splash screen fades out.'), { defaultValue: 'true' }),
  splashScreen('FadeSplashScreenDuration', DECIMAL, sentence('How long the splash screen fades out, in milliseconds.')),
  splashScreen('SplashScreenBackgroundColor', COLOUR, sentence('The colour behind the splash screen.'), {
    platforms: ['android', 'ios', 'windows'],
  }),
  splashScreen(
    ANIMATED_ICON,
    FILE,
    sentence('The icon of the splash screen: a vector drawable of Android (.xml) or a .png file.'),
    { platforms: ANDROID },
  ),
  splashScreen(
    'AndroidWindowSplashScreenAnimationDuration',
    INTEGER,
    sentence('How long the icon of the splash screen moves, in milliseconds.'),
    { platforms: ANDROID, defaultValue: '200' },
  ),
  splashScreen(
    'AndroidWindowSplashScreenBackground',
    COLOUR,
    sentence('The colour behind the splash screen. SplashScreenBackgroundColor does the same for all platforms.'),
    { platforms: ANDROID, replacedBy: 'SplashScreenBackgroundColor' },
  ),
  splashScreen(
    'AndroidWindowSplashScreenBrandingImage',
    FILE,
    sentence('An image at the bottom of the splash screen.'),
    { platforms: ANDROID },
  ),
  splashScreen(
    'AndroidWindowSplashScreenIconBackgroundColor',
    COLOUR,
    sentence('The colour behind the icon of the splash screen.'),
    { platforms: ANDROID },
  ),
  splashScreen(
    'AndroidPostSplashScreenTheme',
    NAME,
    sentence('The theme of the app after the splash screen, such as @style/Theme.AppCompat.NoActionBar.'),
    { platforms: ANDROID },
  ),
];

/** A preference of the splash screen, which Cordova explains under its name. */
function splashScreen(
  name: string,
  type: ValueType,
  description: Sentence,
  more: Partial<PreferenceRule> = {},
): PreferenceRule {
  return preference(name, type, description, { source: splashScreenAt(name.toLowerCase()), ...more });
}
