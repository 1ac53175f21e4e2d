/** What an app is: the elements of the W3C's format, with what Cordova adds to them. */
import { sentence } from '../../api/errors/sentence.ts';
import {
  ANDROID,
  ANDROID_AND_IOS,
  ANYWHERE,
  attribute,
  type AttributeRow,
  DENSITY,
  DIRECTION,
  type ElementRow,
  FILE,
  IOS,
  NAME,
  PAGE,
  PLATFORM,
  TEXT,
  VERSION,
} from './rule.ts';
import { at, ICONS, splashScreenAt, widgetsAt } from './sources.ts';

const VERSION_CODE = { kind: 'integer', min: 1, max: 2_100_000_000 } as const;

/** That an element has by the W3C's format, whatever else it has. */
const LANGUAGE: readonly AttributeRow[] = [
  attribute('xml:lang', NAME, sentence('The language of the text, such as en or de-CH.'), {
    source: widgetsAt('xml-lang'),
  }),
  attribute('dir', DIRECTION, sentence('The direction of the text: ltr, rtl, lro or rlo.'), {
    source: widgetsAt('the-dir-attribute'),
  }),
];

const WIDGET_ATTRIBUTES: readonly AttributeRow[] = [
  attribute(
    'id',
    { kind: 'identifier' },
    sentence('The identifier of the app, as a reversed domain name: com.example.app.'),
    { isRequired: true },
  ),
  attribute('version', VERSION, sentence('The version of the app that people see, such as 1.2.0.'), {
    isRequired: true,
  }),
  attribute(
    'android-versionCode',
    VERSION_CODE,
    sentence(
      'The whole number by which Android and the shop tell a later version from an earlier one. It is made from the version when it is missing.',
    ),
    { platforms: ANDROID },
  ),
  attribute(
    'ios-CFBundleVersion',
    VERSION,
    sentence('The build number of the app on iOS. It is the version when it is missing.'),
    { platforms: IOS },
  ),
  attribute(
    'android-packageName',
    { kind: 'identifier' },
    sentence('The identifier of the app on Android, in place of “id”.'),
    { platforms: ANDROID },
  ),
  attribute('ios-CFBundleIdentifier', NAME, sentence('The identifier of the app on iOS, in place of “id”.'), {
    platforms: IOS,
  }),
  attribute(
    'android-activityName',
    NAME,
    sentence('The name of the activity of the app. It counts only when the platform is added.'),
    { platforms: ANDROID },
  ),
  attribute('defaultlocale', NAME, sentence('The language that the app is written in, such as en or en_US.'), {
    platforms: ['ios', 'windows'],
  }),
  attribute('osx-CFBundleVersion', VERSION),
  attribute('windows-packageVersion', VERSION),
  attribute('packageName', NAME),
  attribute('packageVersion', VERSION),
  attribute('width', NAME),
  attribute('height', NAME),
  attribute('viewmodes', NAME),
  ...LANGUAGE,
];

export const APP_ELEMENTS: readonly ElementRow[] = [
  {
    name: 'widget',
    parents: [],
    attributes: WIDGET_ATTRIBUTES,
    description: sentence('The app: the root element of config.xml.'),
    source: at('widget'),
  },
  {
    name: 'name',
    parents: ANYWHERE,
    isOnce: true,
    text: TEXT,
    attributes: [
      attribute('short', TEXT, sentence('A shorter name for the home screen of a device.'), {
        source: at('short-name'),
      }),
      ...LANGUAGE,
    ],
    description: sentence('The name of the app, as devices and shops show it.'),
    source: at('name'),
  },
  {
    name: 'description',
    parents: ANYWHERE,
    isOnce: true,
    text: TEXT,
    attributes: LANGUAGE,
    description: sentence('What the app is for, in a few words.'),
    source: at('description'),
  },
  {
    name: 'author',
    parents: ANYWHERE,
    isOnce: true,
    text: TEXT,
    attributes: [
      attribute('email', { kind: 'email' }, sentence('The e-mail address of the author. Builds for Electron need it.')),
      attribute('href', { kind: 'url' }, sentence('The website of the author. Builds for Electron need it.')),
      ...LANGUAGE,
    ],
    description: sentence('Who made the app: a person or a company.'),
    source: at('author'),
  },
  {
    name: 'license',
    parents: ANYWHERE,
    isOnce: true,
    text: TEXT,
    attributes: [attribute('href', NAME, sentence('Where the licence is.')), ...LANGUAGE],
    description: sentence('The licence of the app. Cordova does not read it.'),
    source: widgetsAt('the-license-element-and-its-attributes'),
  },
  {
    name: 'content',
    parents: ANYWHERE,
    isOnce: true,
    attributes: [
      attribute(
        'src',
        PAGE,
        sentence('The page that the app begins with, below www, or a URL. It is index.html when it is missing.'),
        { isRequired: true },
      ),
      attribute('type', NAME),
      attribute('encoding', NAME),
      attribute(
        'original-src',
        PAGE,
        sentence('The page to go back to when a tool that reloads pages while they are written has changed “src”.'),
      ),
    ],
    description: sentence('The page that the app begins with.'),
    source: at('content'),
  },
];

const PIXELS = { kind: 'integer', min: 1 } as const;

/** @param isFatal whether a build for Android ends at a density that it does not know */
const imageAttributes = (isFatal: boolean): readonly AttributeRow[] => [
  PLATFORM,
  attribute('width', PIXELS, sentence('The width in pixels.'), { source: ICONS }),
  attribute('height', PIXELS, sentence('The height in pixels.'), { source: ICONS }),
  attribute(
    'density',
    DENSITY,
    sentence(
      'The density of the screens that the image is for: ldpi, mdpi, hdpi, xhdpi, xxhdpi or xxxhdpi; land- and port- may stand before it.',
    ),
    { platforms: ANDROID, source: ICONS, isFatal },
  ),
  attribute('qualifier', NAME),
  attribute('role', NAME),
  attribute('state', NAME),
];

/** Icons, and images that are shown while an app starts. */
export const IMAGE_ELEMENTS: readonly ElementRow[] = [
  {
    name: 'icon',
    parents: ANYWHERE,
    attributes: [
      attribute('src', FILE, sentence('The image.')),
      ...imageAttributes(true),
      attribute(
        'foreground',
        NAME,
        sentence('The front of an adaptive icon: an image, or a colour of the resources.'),
        { platforms: ANDROID_AND_IOS },
      ),
      attribute('background', NAME, sentence('The back of an adaptive icon: an image, or a colour of the resources.'), {
        platforms: ANDROID,
      }),
      attribute('monochrome', NAME, sentence('The adaptive icon in one colour, for themes.'), {
        platforms: ANDROID_AND_IOS,
      }),
      attribute('target', NAME),
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
      ...imageAttributes(false),
      attribute('target', NAME),
    ],
    description: sentence(
      'An image that is shown while the app starts. cordova-android does not read it from version 11 on: see the preference AndroidWindowSplashScreenAnimatedIcon.',
    ),
    source: splashScreenAt('ios-specific-information'),
  },
];
