/** Icons, and images that are shown while an app starts. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { AttributeRule, ElementRule } from '../rule.ts';
import { ICONS, phoneGapBuildAt, splashScreenAt } from '../sources.ts';
import { ANDROID, ANDROID_AND_IOS, FILE, TEXT } from '../valueTypes.ts';
import { PLATFORM, text } from './attributes.ts';

const ANYWHERE = ['widget', 'platform'];
const PHONEGAP_IMAGES = phoneGapBuildAt('icons-and-splash');
const PIXELS = { kind: 'integer', min: 1 } as const;

const IMAGE_ATTRIBUTES: readonly AttributeRule[] = [
  PLATFORM,
  { name: 'width', type: PIXELS, description: sentence('The width in pixels.'), source: ICONS },
  { name: 'height', type: PIXELS, description: sentence('The height in pixels.'), source: ICONS },
  {
    name: 'density',
    type: TEXT,
    platforms: ANDROID,
    description: sentence(
      'The density of the screens that the image is for: ldpi, mdpi, hdpi, xhdpi, xxhdpi or xxxhdpi; land- and port- may stand before it.',
    ),
    source: ICONS,
  },
  text('qualifier', sentence('The density, as PhoneGap Build called it.'), PHONEGAP_IMAGES),
  text('role', sentence('What the image is for on platforms of PhoneGap Build, such as background.'), PHONEGAP_IMAGES),
  text('state', sentence('The state that the image is for on BlackBerry, such as hover.'), PHONEGAP_IMAGES),
];

export const IMAGE_ELEMENTS: readonly ElementRule[] = [
  {
    name: 'icon',
    parents: ANYWHERE,
    attributes: [
      { name: 'src', type: FILE, description: sentence('The image.'), source: ICONS },
      ...IMAGE_ATTRIBUTES,
      {
        ...text(
          'foreground',
          sentence('The front of an adaptive icon: an image, or a colour of the resources.'),
          ICONS,
        ),
        platforms: ANDROID_AND_IOS,
      },
      {
        ...text('background', sentence('The back of an adaptive icon: an image, or a colour of the resources.'), ICONS),
        platforms: ANDROID,
      },
      {
        ...text('monochrome', sentence('The adaptive icon in one colour, for themes.'), ICONS),
        platforms: ANDROID_AND_IOS,
      },
      text('target', sentence('app or installer on Electron; the name of the file on Windows.'), ICONS),
    ],
    description: sentence('An icon of the app.'),
    source: ICONS,
  },
  {
    name: 'splash',
    parents: ANYWHERE,
    attributes: [
      {
        name: 'src',
        type: FILE,
        isRequired: true,
        description: sentence('The image.'),
        source: splashScreenAt('platform-splash-screen-image-configuration'),
      },
      ...IMAGE_ATTRIBUTES,
      text('target', sentence('The name of the file on Windows.'), ICONS),
    ],
    description: sentence(
      'An image that is shown while the app starts. cordova-android does not read it from version 11 on: see the preference AndroidWindowSplashScreenAnimatedIcon.',
    ),
    source: splashScreenAt('ios-specific-information'),
  },
];
