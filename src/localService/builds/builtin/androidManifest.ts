import { TARGET_SDK, type AndroidApp } from './androidApp.ts';
import { compileXml, ICON_ID, THEME_ID, type Attribute, type Element, type Value } from './compiledResources.ts';

/** The version of {@link TARGET_SDK}. */
const TARGET_NAME = '14';

/** The shell's class. Its name does not depend on the app. */
const ACTIVITY = 'appbuild.shell.MainActivity';
/** Every change that Android would start the page anew for: also of the language, the wallpaper's colors, bold text, the color mode. */
const CONFIG_CHANGES = 0xd000fffc;
/** The page becomes smaller while the keyboard shows. */
const ADJUST_RESIZE = 0x10;

/** The IDs of the framework's attributes (`android.R.attr`), which never change. */
const ATTRIBUTES = {
  theme: 0x01010000,
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  debuggable: 0x0101000f,
  exported: 0x01010010,
  launchMode: 0x0101001d,
  screenOrientation: 0x0101001e,
  configChanges: 0x0101001f,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  windowSoftInputMode: 0x0101022b,
  targetSdkVersion: 0x01010270,
  required: 0x0101028e,
  hardwareAccelerated: 0x010102d3,
  usesCleartextTraffic: 0x010104ec,
  compileSdkVersion: 0x01010572,
  compileSdkVersionCodename: 0x01010573,
} as const;

/** `AndroidManifest.xml`, compiled. */
export function encodeManifest(app: AndroidApp): Buffer {
  return compileXml({
    name: 'manifest',
    attributes: [
      plain('package', app.packageName),
      android('versionCode', app.versionCode),
      android('versionName', app.versionName),
      android('compileSdkVersion', TARGET_SDK),
      android('compileSdkVersionCodename', TARGET_NAME),
      plain('platformBuildVersionCode', TARGET_SDK),
      plain('platformBuildVersionName', TARGET_NAME),
    ],
    children: [
      element('uses-sdk', [android('minSdkVersion', app.minSdk), android('targetSdkVersion', TARGET_SDK)]),
      ...app.permissions.map((name) => element('uses-permission', [android('name', name)])),
      // A permission alone would keep the app from phones without such a part.
      ...app.features.map((name) => element('uses-feature', [android('name', name), android('required', false)])),
      application(app),
    ],
  });
}

function application(app: AndroidApp): Element {
  return element(
    'application',
    [
      android('label', app.label),
      android('icon', { reference: ICON_ID }),
      android('theme', { reference: THEME_ID }),
      android('hardwareAccelerated', true),
      android('usesCleartextTraffic', app.allowsHttp),
      android('debuggable', app.isDebuggable),
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
          element(
            'intent-filter',
            [],
            [
              element('action', [android('name', 'android.intent.action.MAIN')]),
              element('category', [android('name', 'android.intent.category.LAUNCHER')]),
            ],
          ),
        ],
      ),
    ],
  );
}

function element(name: string, attributes: readonly Attribute[], children: readonly Element[] = []): Element {
  return { name, attributes, children };
}

function android(name: keyof typeof ATTRIBUTES, value: Value): Attribute {
  return { name, id: ATTRIBUTES[name], value };
}

/** An attribute without a namespace. */
function plain(name: string, value: Value): Attribute {
  return { name, id: undefined, value };
}
