import { ANDROID_PREFERENCES } from './preferences/android.ts';
import { COMMON_PREFERENCES } from './preferences/common.ts';
import { FORMER_PLATFORM_PREFERENCES } from './preferences/formerPlatforms.ts';
import { IOS_PREFERENCES } from './preferences/ios.ts';
import { PHONEGAP_BUILD_PREFERENCES } from './preferences/phoneGapBuild.ts';
import { PLUGIN_PREFERENCES } from './preferences/plugins.ts';
import { SPLASH_SCREEN_PREFERENCES } from './preferences/splashScreen.ts';
import { WEB_VIEW_PLUGIN_PREFERENCES } from './preferences/webViewPlugins.ts';
import type { PreferenceRule } from './rule.ts';

/** The preferences of a config.xml: those of Cordova's platforms, of widely used plugins and of PhoneGap Build. Names are unique. */
export const PREFERENCES: readonly PreferenceRule[] = [
  ...COMMON_PREFERENCES,
  ...ANDROID_PREFERENCES,
  ...IOS_PREFERENCES,
  ...SPLASH_SCREEN_PREFERENCES,
  ...WEB_VIEW_PLUGIN_PREFERENCES,
  ...PLUGIN_PREFERENCES,
  ...PHONEGAP_BUILD_PREFERENCES,
  ...FORMER_PLATFORM_PREFERENCES,
];
