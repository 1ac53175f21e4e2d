import type { AndroidApp } from '../androidApp.ts';
import { android, element, plainAttribute } from './androidElements.ts';
import { PACKAGE } from '../config/queries.ts';
import type { LinkFilter } from '../config/links.ts';
import type { ResourceElement } from './resources.ts';

/** API level whose attributes the manifest uses. */
const COMPILE_SDK = 36;
const COMPILE_SDK_NAME = '16';

/** The shell's class names, which are the same for all apps. */
const ACTIVITY = 'appbuild.shell.MainActivity';
const PROVIDER = 'appbuild.shell.AppFiles';
/**
 * All configuration changes, including the language, the wallpaper's colors, bold text, and the color mode. Android
 * would restart the page after a change that isn't listed.
 */
const CONFIG_CHANGES = 0xd000fffc;
/** Shrinks the page while the keyboard is visible. */
const ADJUST_RESIZE = 0x10;

/** IDs of the resources that the manifest refers to. */
interface ManifestResources {
  readonly icon: number;
  readonly theme: number;
  readonly fullBackupContent: number;
  readonly dataExtractionRules: number;
}

/** Creates `AndroidManifest.xml`. */
export function createManifest(app: AndroidApp, resources: ManifestResources): ResourceElement {
  return element(
    'manifest',
    [
      plainAttribute('package', app.packageName),
      android('versionCode', app.versionCode),
      android('versionName', app.versionName),
      android('compileSdkVersion', COMPILE_SDK),
      android('compileSdkVersionCodename', COMPILE_SDK_NAME),
      plainAttribute('platformBuildVersionCode', COMPILE_SDK),
      plainAttribute('platformBuildVersionName', COMPILE_SDK_NAME),
    ],
    [
      element('uses-sdk', [android('minSdkVersion', app.minSdk), android('targetSdkVersion', app.targetSdk)]),
      ...app.permissions.map((name) => element('uses-permission', [android('name', name)])),
      // Without these elements, the permissions would exclude phones that don't have the hardware.
      ...app.features.map((name) => element('uses-feature', [android('name', name), android('required', false)])),
      ...(app.queries.length === 0 ? [] : [element('queries', [], app.queries.map(queryElement))]),
      application(app, resources),
    ],
  );
}

function application(app: AndroidApp, resources: ManifestResources): ResourceElement {
  return element(
    'application',
    [
      android('label', app.label),
      android('icon', { reference: resources.icon }),
      android('theme', { reference: resources.theme }),
      android('hardwareAccelerated', true),
      android('supportsRtl', true),
      android('usesCleartextTraffic', app.allowsHttp),
      android('debuggable', app.isDebuggable),
      android('fullBackupContent', { reference: resources.fullBackupContent }),
      android('dataExtractionRules', { reference: resources.dataExtractionRules }),
      android('enableOnBackInvokedCallback', true),
    ],
    [
      element(
        'activity',
        [
          android('name', ACTIVITY),
          android('label', app.launcherLabel),
          android('exported', true),
          android('launchMode', app.launchMode),
          android('configChanges', { flags: CONFIG_CHANGES }),
          android('windowSoftInputMode', { flags: ADJUST_RESIZE }),
          ...(app.orientation === undefined ? [] : [android('screenOrientation', app.orientation)]),
        ],
        [
          intentFilter('MAIN', ['LAUNCHER']),
          ...app.links.map((links) => intentFilter('VIEW', ['DEFAULT', 'BROWSABLE'], links)),
        ],
      ),
      element('provider', [
        android('name', PROVIDER),
        android('authorities', `${app.packageName}.files`),
        android('exported', false),
        android('grantUriPermissions', true),
      ]),
      // Only the system can reach a receiver that isn't exported.
      ...app.receivers.map(({ name, actions }) =>
        element(
          'receiver',
          [android('name', `appbuild.shell.${name}`), android('exported', false)],
          actions.length === 0 ? [] : [element('intent-filter', [], actions.map(actionElement))],
        ),
      ),
    ],
  );
}

/**
 * Creates an element of `<queries>`.
 *
 * @param query an entry in the format of {@link AndroidApp.queries}
 */
function queryElement(query: string): ResourceElement {
  if (query.startsWith(PACKAGE)) {
    return element('package', [android('name', query.slice(PACKAGE.length))]);
  }
  const [action = '', data] = query.split(':');
  const name = data?.includes('/') === true ? 'mimeType' : 'scheme';
  return element(
    'intent',
    [],
    [actionElement(action), ...(data === undefined ? [] : [element('data', [android(name, data)])])],
  );
}

function actionElement(action: string): ResourceElement {
  return element('action', [android('name', action)]);
}

function intentFilter(action: string, categories: readonly string[], links?: LinkFilter): ResourceElement {
  return element('intent-filter', links?.autoVerify === true ? [android('autoVerify', true)] : [], [
    actionElement(`android.intent.action.${action}`),
    ...categories.map((name) => element('category', [android('name', `android.intent.category.${name}`)])),
    ...(links?.data ?? []).map((attributes) => element('data', attributes)),
  ]);
}
