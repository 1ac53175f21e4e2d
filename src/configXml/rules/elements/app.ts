/** What an app is: the elements of the W3C's format, with what Cordova adds to them. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { AttributeRule, ElementRule } from '../rule.ts';
import { at, phoneGapBuildAt, widgetsAt } from '../sources.ts';
import { ANDROID, IOS, PAGE, TEXT, VERSION, WINDOWS } from '../valueTypes.ts';

const WIDGET = at('widget');
const PHONEGAP_BUILD = phoneGapBuildAt('0-index');
const VERSION_CODE = { kind: 'integer', min: 1, max: 2_100_000_000 } as const;
const ANYWHERE = ['widget', 'platform'];

/** That an element has by the W3C's format, whatever else it has. */
const LANGUAGE: readonly AttributeRule[] = [
  {
    name: 'xml:lang',
    type: TEXT,
    description: sentence('The language of the text, such as en or de-CH.'),
    source: widgetsAt('xml-lang'),
  },
  {
    name: 'dir',
    type: TEXT,
    description: sentence('The direction of the text: ltr, rtl, lro or rlo.'),
    source: widgetsAt('the-dir-attribute'),
  },
];

const WIDGET_ATTRIBUTES: readonly AttributeRule[] = [
  {
    name: 'id',
    type: { kind: 'identifier' },
    isRequired: true,
    description: sentence('The identifier of the app, as a reversed domain name: com.example.app.'),
    source: WIDGET,
  },
  {
    name: 'version',
    type: VERSION,
    isRequired: true,
    description: sentence('The version of the app that people see, such as 1.2.0.'),
    source: WIDGET,
  },
  {
    name: 'android-versionCode',
    type: VERSION_CODE,
    platforms: ANDROID,
    description: sentence(
      'The whole number by which Android and the shop tell a later version from an earlier one. It is made from the version when it is missing.',
    ),
    source: WIDGET,
  },
  {
    name: 'ios-CFBundleVersion',
    type: VERSION,
    platforms: IOS,
    description: sentence('The build number of the app on iOS. It is the version when it is missing.'),
    source: WIDGET,
  },
  {
    name: 'android-packageName',
    type: { kind: 'identifier' },
    platforms: ANDROID,
    description: sentence('The identifier of the app on Android, in place of “id”.'),
    source: WIDGET,
  },
  {
    name: 'ios-CFBundleIdentifier',
    type: TEXT,
    platforms: IOS,
    description: sentence('The identifier of the app on iOS, in place of “id”.'),
    source: WIDGET,
  },
  {
    name: 'android-activityName',
    type: TEXT,
    platforms: ANDROID,
    description: sentence('The name of the activity of the app. It counts only when the platform is added.'),
    source: WIDGET,
  },
  {
    name: 'defaultlocale',
    type: TEXT,
    platforms: ['ios', 'windows'],
    description: sentence('The language that the app is written in, such as en or en_US.'),
    source: WIDGET,
  },
  {
    name: 'osx-CFBundleVersion',
    type: VERSION,
    platforms: ['osx'],
    description: sentence('The build number of the app on macOS.'),
    source: WIDGET,
  },
  {
    name: 'windows-packageVersion',
    type: VERSION,
    platforms: WINDOWS,
    description: sentence('The version of the package for Windows.'),
    source: WIDGET,
  },
  {
    name: 'packageName',
    type: TEXT,
    platforms: WINDOWS,
    description: sentence('The name of the package for Windows.'),
    source: WIDGET,
  },
  {
    name: 'versionCode',
    type: VERSION_CODE,
    platforms: ANDROID,
    description: sentence(
      'The version code for Android, as PhoneGap Build read it. Cordova reads android-versionCode.',
    ),
    source: PHONEGAP_BUILD,
  },
  {
    name: 'CFBundleVersion',
    type: VERSION,
    platforms: IOS,
    description: sentence('The build number for iOS by an earlier name. Cordova reads ios-CFBundleVersion.'),
    source: WIDGET,
  },
  {
    name: 'packageVersion',
    type: VERSION,
    platforms: WINDOWS,
    description: sentence('The version for Windows by an earlier name. Cordova reads windows-packageVersion.'),
    source: WIDGET,
  },
  {
    name: 'width',
    type: TEXT,
    description: sentence('The width of the widget in pixels. Cordova does not read it.'),
    source: widgetsAt('the-width-attribute'),
  },
  {
    name: 'height',
    type: TEXT,
    description: sentence('The height of the widget in pixels. Cordova does not read it.'),
    source: widgetsAt('the-height-attribute'),
  },
  {
    name: 'viewmodes',
    type: TEXT,
    description: sentence('How the widget may be shown, such as fullscreen. Cordova does not read it.'),
    source: widgetsAt('the-viewmodes-attribute'),
  },
  ...LANGUAGE,
];

export const APP_ELEMENTS: readonly ElementRule[] = [
  {
    name: 'widget',
    parents: [],
    attributes: WIDGET_ATTRIBUTES,
    description: sentence('The app: the root element of config.xml.'),
    source: WIDGET,
  },
  {
    name: 'name',
    parents: ANYWHERE,
    isOnce: true,
    text: TEXT,
    attributes: [
      {
        name: 'short',
        type: TEXT,
        description: sentence('A shorter name for the home screen of a device.'),
        source: at('short-name'),
      },
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
      {
        name: 'email',
        type: { kind: 'email' },
        description: sentence('The e-mail address of the author. Builds for Electron need it.'),
        source: at('author'),
      },
      {
        name: 'href',
        type: { kind: 'url' },
        description: sentence('The website of the author. Builds for Electron need it.'),
        source: at('author'),
      },
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
    attributes: [
      {
        name: 'href',
        type: TEXT,
        description: sentence('Where the licence is.'),
        source: widgetsAt('the-license-element-and-its-attributes'),
      },
      ...LANGUAGE,
    ],
    description: sentence('The licence of the app. Cordova does not read it.'),
    source: widgetsAt('the-license-element-and-its-attributes'),
  },
  {
    name: 'content',
    parents: ANYWHERE,
    isOnce: true,
    attributes: [
      {
        name: 'src',
        type: PAGE,
        isRequired: true,
        description: sentence(
          'The page that the app begins with, below www, or a URL. It is index.html when it is missing.',
        ),
        source: at('content'),
      },
      {
        name: 'type',
        type: TEXT,
        description: sentence('The media type of the page. Cordova does not read it.'),
        source: widgetsAt('the-content-element-and-its-attributes'),
      },
      {
        name: 'encoding',
        type: TEXT,
        description: sentence('The character encoding of the page. Cordova does not read it.'),
        source: widgetsAt('the-content-element-and-its-attributes'),
      },
      {
        name: 'original-src',
        type: PAGE,
        description: sentence(
          'The page to go back to when a tool that reloads pages while they are written has changed “src”.',
        ),
        source: at('content'),
      },
    ],
    description: sentence('The page that the app begins with.'),
    source: at('content'),
  },
];
