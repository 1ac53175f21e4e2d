/** Elements of PhoneGap Build, with its prefix. Older files have them. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { ElementRule } from '../rule.ts';
import { phoneGapBuildAt } from '../sources.ts';
import { FILE, oneOf, TEXT } from '../valueTypes.ts';
import { PLATFORM, PLATFORM_NAME } from './attributes.ts';

const ANYWHERE = ['widget', 'platform'];
const GENERAL = phoneGapBuildAt('0-index');
const IMAGES = phoneGapBuildAt('icons-and-splash');
const NOT_READ = sentence('Only PhoneGap Build knew this element. Cordova does not read it.');

export const PHONEGAP_BUILD_ELEMENTS: readonly ElementRule[] = [
  {
    name: 'gap:plugin',
    parents: ANYWHERE,
    attributes: [
      {
        name: 'name',
        type: TEXT,
        isRequired: true,
        description: sentence('The name of the plugin, such as cordova-plugin-camera.'),
        source: phoneGapBuildAt('plugins'),
      },
      {
        name: 'version',
        type: TEXT,
        description: sentence('The version of the plugin.'),
        source: phoneGapBuildAt('plugins'),
      },
      {
        name: 'spec',
        type: TEXT,
        description: sentence('The version of the plugin, or where it is.'),
        source: phoneGapBuildAt('plugins'),
      },
      {
        name: 'source',
        type: TEXT,
        description: sentence('Where PhoneGap Build took the plugin from: npm, git, pgb or plugins.cordova.io.'),
        source: phoneGapBuildAt('plugins'),
      },
      PLATFORM,
    ],
    description: sentence('A plugin that the app is built with, as PhoneGap Build had it. Cordova reads <plugin>.'),
    source: phoneGapBuildAt('plugins'),
  },
  {
    name: 'gap:platform',
    parents: ['widget', 'gap:platforms'],
    attributes: [
      {
        name: 'name',
        type: PLATFORM_NAME,
        isRequired: true,
        description: sentence('The name of the platform.'),
        source: GENERAL,
      },
    ],
    description: sentence('A platform that PhoneGap Build built the app for.'),
    leftOut: NOT_READ,
    source: GENERAL,
  },
  {
    name: 'gap:platforms',
    parents: ['widget'],
    attributes: [],
    description: sentence('The platforms that PhoneGap Build built the app for.'),
    leftOut: NOT_READ,
    source: GENERAL,
  },
  {
    name: 'gap:config-file',
    parents: ANYWHERE,
    isOpen: true,
    attributes: [
      PLATFORM,
      {
        name: 'parent',
        type: TEXT,
        description: sentence(
          'Where the content is added: an XPath of the manifest of Android, or a key of the plist of iOS.',
        ),
        source: phoneGapBuildAt('config-file-element'),
      },
      {
        name: 'mode',
        type: oneOf('add', 'merge', 'replace', 'delete'),
        description: sentence('How the content is added.'),
        source: phoneGapBuildAt('config-file-element'),
      },
    ],
    description: sentence('Content that PhoneGap Build added to the manifest of Android or the plist of iOS.'),
    leftOut: NOT_READ,
    source: phoneGapBuildAt('config-file-element'),
  },
  {
    name: 'gap:splash',
    parents: ANYWHERE,
    attributes: [
      { name: 'src', type: FILE, isRequired: true, description: sentence('The image.'), source: IMAGES },
      PLATFORM,
      ...['width', 'height', 'density', 'qualifier', 'role', 'state'].map((name) => ({
        name,
        type: TEXT,
        description: sentence('What PhoneGap Build chose the image by.'),
        source: IMAGES,
      })),
    ],
    description: sentence('An image that is shown while the app starts, as PhoneGap Build had it.'),
    leftOut: NOT_READ,
    source: IMAGES,
  },
  {
    name: 'gap:url-scheme',
    parents: ANYWHERE,
    attributes: [
      {
        name: 'name',
        type: TEXT,
        description: sentence('The name of the scheme. It is the id of the app when it is missing.'),
        source: GENERAL,
      },
      {
        name: 'role',
        type: oneOf('Editor', 'Viewer', 'Shell', 'None'),
        description: sentence('What the app does with a URL.'),
        source: GENERAL,
      },
    ],
    description: sentence('The schemes of URLs that open the app, as PhoneGap Build had it for iOS.'),
    leftOut: NOT_READ,
    source: GENERAL,
  },
  {
    name: 'scheme',
    parents: ['gap:url-scheme'],
    text: TEXT,
    attributes: [],
    description: sentence('A scheme of URLs, such as myapp.'),
    source: GENERAL,
  },
];
