/** Icons, and images that are shown while an app starts. */
import { sentence } from '../../api/errors/sentence.ts';
import {
  type AttributeRow,
  type ElementRow,
  ANDROID,
  ANDROID_AND_IOS,
  ANYWHERE,
  attribute,
  FILE,
  PLATFORM,
  TEXT,
} from './rule.ts';
import { ICONS, splashScreenAt } from './sources.ts';

const PIXELS = { kind: 'integer', min: 1 } as const;

const IMAGE_ATTRIBUTES: readonly AttributeRow[] = [
  PLATFORM,
  attribute('width', PIXELS, sentence('The width in pixels.'), { source: ICONS }),
  attribute('height', PIXELS, sentence('The height in pixels.'), { source: ICONS }),
  attribute(
    'density',
    TEXT,
    sentence(
      'The density of the screens that the image is for: ldpi, mdpi, hdpi, xhdpi, xxhdpi or xxxhdpi; land- and port- may stand before it.',
    ),
    { platforms: ANDROID, source: ICONS },
  ),
  attribute('qualifier', TEXT),
  attribute('role', TEXT),
  attribute('state', TEXT),
];

export const IMAGE_ELEMENTS: readonly ElementRow[] = [
  {
    name: 'icon',
    parents: ANYWHERE,
    attributes: [
      attribute('src', FILE, sentence('The image.')),
      ...IMAGE_ATTRIBUTES,
      attribute(
        'foreground',
        TEXT,
        sentence('The front of an adaptive icon: an image, or a colour of the resources.'),
        { platforms: ANDROID_AND_IOS },
      ),
      attribute('background', TEXT, sentence('The back of an adaptive icon: an image, or a colour of the resources.'), {
        platforms: ANDROID,
      }),
      attribute('monochrome', TEXT, sentence('The adaptive icon in one colour, for themes.'), {
        platforms: ANDROID_AND_IOS,
      }),
      attribute('target', TEXT),
    ],
    description: sentence('An icon of the app.'),
    source: ICONS,
  },
  {
    name: 'splash',
    parents: ANYWHERE,
    attributes: [
      attribute('src', FILE, sentence('The image.'), {
        isRequired: true,
        source: splashScreenAt('platform-splash-screen-image-configuration'),
      }),
      ...IMAGE_ATTRIBUTES,
      attribute('target', TEXT),
    ],
    description: sentence(
      'An image that is shown while the app starts. cordova-android does not read it from version 11 on: see the preference AndroidWindowSplashScreenAnimatedIcon.',
    ),
    source: splashScreenAt('ios-specific-information'),
  },
];
