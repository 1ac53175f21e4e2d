/** What an app is built with: preferences, platforms, plugins, and what changes the project. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { ElementRule } from '../rule.ts';
import { at, HOOKS, phoneGapBuildAt, pluginPage, pluginXmlAt, releaseOf } from '../sources.ts';
import { ANDROID_AND_IOS, BOOLEAN, FILE, IOS, oneOf, oneOfIgnoringCase } from '../valueTypes.ts';
import { PLATFORM, PLATFORM_NAME, requiredText, text } from './attributes.ts';

const ANYWHERE = ['widget', 'platform'];
const CUSTOM_CONFIG = pluginPage('cordova-custom-config');

const RUNS_CODE = sentence('It runs code on the machine that builds, so services that build for others leave it out.');
const CHOOSES_TOOLS = sentence('The service chooses the versions of the platforms, so it leaves this element out.');
const WRITES_FILES = sentence(
  'It can read and write files outside of the app, so services that build for others leave it out.',
);

export const BUILD_ELEMENTS: readonly ElementRule[] = [
  {
    name: 'preference',
    parents: ANYWHERE,
    attributes: [
      requiredText(
        'name',
        sentence('The name of the preference. Upper and lower case are the same.'),
        at('preference'),
      ),
      // Plugins have preferences without one: checks/preferences.ts tells where it is missing.
      text('value', sentence('The value of the preference.'), at('preference')),
      PLATFORM,
      text('default', sentence('The value when a plugin asks for none.'), pluginXmlAt('preference')),
      { name: 'onload', type: BOOLEAN, description: sentence('Cordova does not read it.'), source: at('preference') },
      {
        name: 'readonly',
        type: BOOLEAN,
        description: sentence('True says that the app cannot change the preference. Cordova does not read it.'),
        source: at('preference'),
      },
      text(
        'buildType',
        sentence('The kind of build that the preference is for (cordova-custom-config).'),
        CUSTOM_CONFIG,
      ),
      text('quote', sentence('What is put between quotes (cordova-custom-config).'), CUSTOM_CONFIG),
    ],
    description: sentence('A setting of the app, of a platform or of a plugin.'),
    source: at('preference'),
  },
  {
    name: 'platform',
    parents: ['widget'],
    attributes: [
      {
        name: 'name',
        type: PLATFORM_NAME,
        isRequired: true,
        description: sentence('The name of the platform.'),
        source: at('platform'),
      },
    ],
    description: sentence('Elements that are for one platform.'),
    source: at('platform'),
  },
  {
    name: 'feature',
    parents: ANYWHERE,
    attributes: [
      text('name', sentence('The name of the feature.'), at('feature')),
      text('id', sentence('The name of a feature of BlackBerry. Cordova does not read it.'), at('feature')),
      text('version', sentence('The version of a feature of BlackBerry. Cordova does not read it.'), at('feature')),
      { name: 'required', type: BOOLEAN, description: sentence('Whether the app needs it.'), source: at('feature') },
    ],
    description: sentence('Code of a plugin that is part of the app. Plugins add it themselves.'),
    source: at('feature'),
  },
  {
    name: 'param',
    parents: ['feature', 'plugin', 'gap:plugin'],
    attributes: [
      requiredText('name', sentence('Such as android-package, ios-package or onload.'), at('param')),
      requiredText('value', sentence('The value of the parameter.'), at('param')),
      {
        name: 'onload',
        type: BOOLEAN,
        description: sentence('True loads the code when the app starts.'),
        source: at('param'),
      },
    ],
    description: sentence('A parameter of a feature; of a plugin on PhoneGap Build.'),
    source: at('param'),
  },
  {
    name: 'plugin',
    parents: ANYWHERE,
    attributes: [
      requiredText('name', sentence('The name of the plugin, such as cordova-plugin-camera.'), at('plugin')),
      text('spec', sentence('The version of the plugin, such as ^5.0.0, or where it is.'), at('plugin')),
      text('version', sentence('An earlier name of “spec”.'), at('plugin')),
      text('src', sentence('An earlier name of “spec”.'), at('plugin')),
      text(
        'source',
        sentence('Where PhoneGap Build took the plugin from: npm, git or pgb.'),
        phoneGapBuildAt('plugins'),
      ),
      PLATFORM,
    ],
    description: sentence('A plugin that the app is built with.'),
    source: at('plugin'),
  },
  {
    name: 'variable',
    parents: ['plugin', 'gap:plugin'],
    attributes: [
      requiredText('name', sentence('Capital letters, digits and underscores, such as API_KEY.'), at('variable')),
      requiredText('value', sentence('The value of the variable.'), at('variable')),
      text('default', sentence('The value when there is no other.'), at('variable')),
    ],
    description: sentence('A value that a plugin asks for when it is added.'),
    source: at('variable'),
  },
  {
    name: 'engine',
    parents: ANYWHERE,
    attributes: [
      requiredText('name', sentence('The name of the platform.'), at('engine')),
      text('spec', sentence('The version of the platform, such as ^14.0.0, or where it is.'), at('engine')),
      text('version', sentence('An earlier name of “spec”.'), at('engine')),
    ],
    description: sentence('The version of a platform that Cordova builds with.'),
    leftOut: CHOOSES_TOOLS,
    source: at('engine'),
  },
  {
    name: 'hook',
    parents: ANYWHERE,
    attributes: [
      {
        name: 'type',
        type: oneOf(
          ...['build', 'clean', 'compile', 'deploy', 'emulate', 'prepare', 'run', 'serve'].flatMap(beforeAndAfter),
          ...['platform_add', 'platform_rm', 'platform_ls', 'platform_save'].flatMap(beforeAndAfter),
          ...['plugin_add', 'plugin_rm', 'plugin_ls', 'plugin_search', 'plugin_save'].flatMap(beforeAndAfter),
          ...['plugin_install', 'plugin_uninstall', 'docs'].flatMap(beforeAndAfter),
          'pre_package',
        ),
        isRequired: true,
        description: sentence('When the script runs.'),
        source: HOOKS,
      },
      { name: 'src', type: FILE, isRequired: true, description: sentence('The script.'), source: at('hook') },
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
      { name: 'src', type: FILE, isRequired: true, description: sentence('The file.'), source: at('resource-file') },
      text('target', sentence('Where it is copied to in the project of the platform.'), at('resource-file')),
      PLATFORM,
      text('arch', sentence('The processor that the file is for, on Windows.'), pluginXmlAt('resource-file')),
      text('device-target', sentence('The devices that the file is for, on Windows.'), pluginXmlAt('resource-file')),
      text('versions', sentence('The versions of Windows that the file is for.'), pluginXmlAt('resource-file')),
      text(
        'reference',
        sentence('Whether the file is linked in place of copied, on Windows.'),
        pluginXmlAt('resource-file'),
      ),
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
      text(
        'target',
        sentence('The file that is changed, such as AndroidManifest.xml or *-Info.plist.'),
        pluginXmlAt('config-file'),
      ),
      text(
        'parent',
        sentence('Where in that file the content is added: an XPath, or a key of a plist.'),
        pluginXmlAt('config-file'),
      ),
      text(
        'after',
        sentence('The elements that the content is added after, separated by semicolons.'),
        pluginXmlAt('config-file'),
      ),
      text(
        'mode',
        sentence('How the content is added: add, merge, replace or delete.'),
        phoneGapBuildAt('config-file-element'),
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
      text(
        'file',
        sentence('The file that is changed, such as AndroidManifest.xml or *-Info.plist.'),
        pluginXmlAt('edit-config'),
      ),
      text(
        'target',
        sentence('The element whose attributes are changed: an XPath, or a key of a plist.'),
        pluginXmlAt('edit-config'),
      ),
      {
        name: 'mode',
        type: oneOfIgnoringCase('merge', 'overwrite', 'add', 'remove', 'delete', 'replace'),
        description: sentence('How the attributes are changed.'),
        source: pluginXmlAt('edit-config'),
      },
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
