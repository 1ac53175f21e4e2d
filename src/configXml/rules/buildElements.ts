/** What an app is built with: preferences, platforms, plugins, and what changes the project. */
import { sentence } from '../../api/errors/sentence.ts';
import {
  ANDROID_AND_IOS,
  ANYWHERE,
  attribute,
  BOOLEAN,
  type ElementRow,
  FILE,
  FOREIGN,
  IOS,
  NAME,
  oneOf,
  oneOfIgnoringCase,
  PLATFORM,
  PLATFORM_NAME,
  TEXT,
} from './rule.ts';
import { at, HOOKS, phoneGapBuildAt, pluginPage, pluginXmlAt, releaseOf } from './sources.ts';

const CUSTOM_CONFIG = pluginPage('cordova-custom-config');

const RUNS_CODE = sentence('It runs code on the machine that builds, so services that build for others leave it out.');
const CHOOSES_TOOLS = sentence('The service chooses the versions of the platforms, so it leaves this element out.');
const WRITES_FILES = sentence(
  'It can read and write files outside of the app, so services that build for others leave it out.',
);

export const BUILD_ELEMENTS: readonly ElementRow[] = [
  {
    name: 'preference',
    parents: ANYWHERE,
    attributes: [
      attribute('name', NAME, sentence('The name of the preference. Upper and lower case are the same.'), {
        isRequired: true,
      }),
      // Plugins have preferences without one: checks/preferences.ts reports where it is missing.
      attribute('value', TEXT, sentence('The value of the preference.')),
      PLATFORM,
      attribute('default', TEXT, sentence('The value when a plugin asks for none.'), {
        source: pluginXmlAt('preference'),
      }),
      attribute('onload', BOOLEAN),
      attribute('readonly', BOOLEAN),
      attribute('buildType', NAME, sentence('The kind of build that the preference is for (cordova-custom-config).'), {
        source: CUSTOM_CONFIG,
      }),
      attribute('quote', TEXT, sentence('What is put between quotes (cordova-custom-config).'), {
        source: CUSTOM_CONFIG,
      }),
    ],
    description: sentence('A setting of the app, of a platform or of a plugin.'),
    source: at('preference'),
  },
  {
    name: 'platform',
    parents: ['widget'],
    attributes: [attribute('name', PLATFORM_NAME, sentence('The name of the platform.'), { isRequired: true })],
    description: sentence('Elements that are for one platform.'),
    source: at('platform'),
  },
  {
    name: 'feature',
    parents: ANYWHERE,
    attributes: [
      attribute('name', NAME, sentence('The name of the feature.')),
      attribute('id', NAME, sentence('The name of a feature of BlackBerry. Cordova does not read it.')),
      attribute('version', NAME, sentence('The version of a feature of BlackBerry. Cordova does not read it.')),
      attribute('required', BOOLEAN, sentence('Whether the app needs it.')),
    ],
    description: sentence('Code of a plugin that is part of the app. Plugins add it themselves.'),
    source: at('feature'),
  },
  {
    name: 'param',
    parents: ['feature', 'plugin', 'gap:plugin'],
    attributes: [
      attribute('name', NAME, sentence('Such as android-package, ios-package or onload.'), { isRequired: true }),
      attribute('value', FOREIGN, sentence('The value of the parameter.'), { isRequired: true }),
      attribute('onload', BOOLEAN, sentence('True loads the code when the app starts.')),
    ],
    description: sentence('A parameter of a feature; of a plugin on PhoneGap Build.'),
    source: at('param'),
  },
  {
    name: 'plugin',
    parents: ANYWHERE,
    attributes: [
      attribute('name', NAME, sentence('The name of the plugin, such as cordova-plugin-camera.'), { isRequired: true }),
      attribute('spec', NAME, sentence('The version of the plugin, such as ^5.0.0, or where it is.')),
      attribute('version', NAME, sentence('An earlier name of “spec”.')),
      attribute('src', NAME, sentence('An earlier name of “spec”.')),
      attribute('source', NAME),
      PLATFORM,
    ],
    description: sentence('A plugin that the app is built with.'),
    source: at('plugin'),
  },
  {
    name: 'variable',
    parents: ['plugin', 'gap:plugin'],
    attributes: [
      attribute('name', NAME, sentence('Capital letters, digits and underscores, such as API_KEY.'), {
        isRequired: true,
      }),
      attribute('value', FOREIGN, sentence('The value of the variable.'), { isRequired: true }),
      attribute('default', FOREIGN, sentence('The value when there is no other.')),
    ],
    description: sentence('A value that a plugin asks for when it is added.'),
    source: at('variable'),
  },
  {
    name: 'engine',
    parents: ANYWHERE,
    attributes: [
      attribute('name', NAME, sentence('The name of the platform.'), { isRequired: true }),
      attribute('spec', NAME, sentence('The version of the platform, such as ^14.0.0, or where it is.')),
      attribute('version', NAME, sentence('An earlier name of “spec”.')),
    ],
    description: sentence('The version of a platform that Cordova builds with.'),
    leftOut: CHOOSES_TOOLS,
    source: at('engine'),
  },
  {
    name: 'hook',
    parents: ANYWHERE,
    attributes: [
      attribute(
        'type',
        oneOf(
          ...['build', 'clean', 'compile', 'deploy', 'emulate', 'prepare', 'run', 'serve'].flatMap(beforeAndAfter),
          ...['platform_add', 'platform_rm', 'platform_ls', 'platform_save'].flatMap(beforeAndAfter),
          ...['plugin_add', 'plugin_rm', 'plugin_ls', 'plugin_search', 'plugin_save'].flatMap(beforeAndAfter),
          ...['plugin_install', 'plugin_uninstall', 'docs'].flatMap(beforeAndAfter),
          'pre_package',
        ),
        sentence('When the script runs.'),
        { isRequired: true, source: HOOKS },
      ),
      attribute('src', FILE, sentence('The script.'), { isRequired: true }),
    ],
    description: sentence('A script that Cordova runs while it builds.'),
    leftOut: RUNS_CODE,
    source: at('hook'),
  },
  {
    name: 'resource-file',
    parents: ANYWHERE,
    platforms: ANDROID_AND_IOS,
    attributes: [
      attribute('src', FILE, sentence('The file.'), { isRequired: true }),
      attribute('target', NAME, sentence('Where it is copied to in the project of the platform.')),
      PLATFORM,
      attribute('arch', NAME),
      attribute('device-target', NAME),
      attribute('versions', NAME),
      attribute('reference', NAME),
    ],
    description: sentence('A file that is copied into the project of a platform.'),
    leftOut: WRITES_FILES,
    source: at('resource-file'),
  },
  {
    name: 'config-file',
    parents: ANYWHERE,
    isOpen: true,
    attributes: [
      attribute('target', NAME, sentence('The file that is changed, such as AndroidManifest.xml or *-Info.plist.')),
      attribute('parent', NAME, sentence('Where in that file the content is added: an XPath, or a key of a plist.')),
      attribute('after', NAME, sentence('The elements that the content is added after, separated by semicolons.')),
      attribute(
        'mode',
        oneOfIgnoringCase('add', 'merge', 'replace', 'overwrite', 'delete', 'remove'),
        sentence('How the content is added: add, merge, replace or delete.'),
        {
          source: phoneGapBuildAt('config-file-element'),
        },
      ),
      PLATFORM,
    ],
    description: sentence('Content that is added to a file of a platform, such as the manifest of Android.'),
    leftOut: WRITES_FILES,
    source: pluginXmlAt('config-file'),
  },
  {
    name: 'edit-config',
    parents: ANYWHERE,
    isOpen: true,
    attributes: [
      attribute('file', NAME, sentence('The file that is changed, such as AndroidManifest.xml or *-Info.plist.'), {
        isRequired: true,
      }),
      attribute('target', NAME, sentence('The element whose attributes are changed: an XPath, or a key of a plist.'), {
        isRequired: true,
      }),
      attribute('mode', oneOf('merge', 'overwrite', 'remove'), sentence('How the attributes are changed.'), {
        isRequired: true,
      }),
      PLATFORM,
    ],
    description: sentence('Attributes that are changed in a file of a platform, such as the manifest of Android.'),
    leftOut: WRITES_FILES,
    source: pluginXmlAt('edit-config'),
  },
  {
    name: 'privacy-manifest',
    parents: ['platform'],
    isOnce: true,
    isOpen: true,
    platforms: IOS,
    attributes: [],
    description: sentence(
      'What Apple demands to be told about the data of the app: the content of PrivacyInfo.xcprivacy.',
    ),
    source: releaseOf('ios', '2024/04/03', '7.1.0'),
  },
];

function beforeAndAfter(event: string): readonly string[] {
  return [`before_${event}`, `after_${event}`];
}
