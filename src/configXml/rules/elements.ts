import { ACCESS_ELEMENTS } from './elements/access.ts';
import { APP_ELEMENTS } from './elements/app.ts';
import { BUILD_ELEMENTS } from './elements/build.ts';
import { IMAGE_ELEMENTS } from './elements/images.ts';
import { PHONEGAP_BUILD_ELEMENTS } from './elements/phoneGapBuild.ts';
import { PLUGIN_ELEMENTS } from './elements/plugins.ts';
import type { ElementRule } from './rule.ts';

/** The elements of a config.xml: those of Cordova, of PhoneGap Build with its prefix, and of widely used plugins. Names are unique. */
export const ELEMENTS: readonly ElementRule[] = [
  ...APP_ELEMENTS,
  ...ACCESS_ELEMENTS,
  ...BUILD_ELEMENTS,
  ...IMAGE_ELEMENTS,
  ...PHONEGAP_BUILD_ELEMENTS,
  ...PLUGIN_ELEMENTS,
];
