/** Elements of plugins and of PhoneGap Build: names and types, so that they are not reported as unknown. */
import { sentence } from '../../api/errors/sentence.ts';
import {
  ANYWHERE,
  attribute,
  DENSITY,
  type ElementRow,
  FILE,
  NAME,
  oneOf,
  PLATFORM,
  PLATFORM_NAME,
  TEXT,
} from './rule.ts';
import { phoneGapBuildAt, pluginPage } from './sources.ts';

const GENERAL = phoneGapBuildAt('0-index');
const NOT_READ = sentence('Only PhoneGap Build knew this element. Cordova does not read it.');

/** An element whose content only its plugin knows. */
function pluginElement(name: string, plugin: string): ElementRow {
  return { name, parents: ANYWHERE, isOpen: true, attributes: [], source: pluginPage(plugin) };
}

/** The elements of PhoneGap Build, with its prefix, and of widely used plugins. */
export const OTHER_ELEMENTS: readonly ElementRow[] = [
  {
    name: 'gap:plugin',
    parents: ANYWHERE,
    attributes: [
      attribute('name', NAME, undefined, { isRequired: true }),
      attribute('version', NAME),
      attribute('spec', NAME),
      attribute('source', NAME),
      PLATFORM,
    ],
    source: phoneGapBuildAt('plugins'),
  },
  {
    name: 'gap:platform',
    parents: ['widget', 'gap:platforms'],
    attributes: [attribute('name', PLATFORM_NAME, undefined, { isRequired: true })],
    leftOut: NOT_READ,
    source: GENERAL,
  },
  { name: 'gap:platforms', parents: ['widget'], attributes: [], leftOut: NOT_READ, source: GENERAL },
  {
    name: 'gap:config-file',
    parents: ANYWHERE,
    isOpen: true,
    attributes: [PLATFORM, attribute('parent', NAME), attribute('mode', oneOf('add', 'merge', 'replace', 'delete'))],
    leftOut: NOT_READ,
    source: phoneGapBuildAt('config-file-element'),
  },
  {
    name: 'gap:splash',
    parents: ANYWHERE,
    attributes: [
      attribute('src', FILE, undefined, { isRequired: true }),
      PLATFORM,
      attribute('density', DENSITY),
      ...['width', 'height', 'qualifier', 'role', 'state'].map((name) => attribute(name, NAME)),
    ],
    leftOut: NOT_READ,
    source: phoneGapBuildAt('icons-and-splash'),
  },
  {
    name: 'gap:url-scheme',
    parents: ANYWHERE,
    attributes: [attribute('name', NAME), attribute('role', oneOf('Editor', 'Viewer', 'Shell', 'None'))],
    leftOut: NOT_READ,
    source: GENERAL,
  },
  { name: 'scheme', parents: ['gap:url-scheme'], text: TEXT, attributes: [], source: GENERAL },
  {
    name: 'universal-links',
    parents: ANYWHERE,
    attributes: [],
    source: pluginPage('cordova-universal-links-plugin'),
  },
  {
    name: 'ios-team-id',
    parents: ['universal-links'],
    attributes: [attribute('value', NAME, undefined, { isRequired: true })],
    source: pluginPage('cordova-universal-links-plugin'),
  },
  {
    name: 'host',
    parents: ['universal-links'],
    attributes: [
      attribute('name', NAME, undefined, { isRequired: true }),
      attribute('scheme', oneOf('http', 'https')),
      attribute('event', NAME),
    ],
    source: pluginPage('cordova-universal-links-plugin'),
  },
  {
    name: 'path',
    parents: ['host'],
    attributes: [attribute('url', NAME, undefined, { isRequired: true }), attribute('event', NAME)],
    source: pluginPage('cordova-universal-links-plugin'),
  },
  pluginElement('chcp', 'cordova-hot-code-push-plugin'),
  pluginElement('custom-preference', 'cordova-custom-config'),
  pluginElement('custom-config-file', 'cordova-custom-config'),
  pluginElement('custom-resource', 'cordova-custom-config'),
  pluginElement('branch-config', 'branch-cordova-sdk'),
  pluginElement('pods-config', 'cordova-plugin-cocoapod-support'),
  pluginElement('pod', 'cordova-plugin-cocoapod-support'),
];
