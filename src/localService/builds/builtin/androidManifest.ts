import type { AndroidApp } from './androidApp.ts';
import { compileXml, ICON_ID, THEME_ID, type Attribute, type Element, type Value } from './compiledResources.ts';

/** The version of Android whose behaviour the shell is made for: 14. From 35 on, pages would lie below the bars of the system. */
const TARGET_SDK = 34;
const TARGET_NAME = '14';

/** The shell's class. Its name does not depend on the app. */
const ACTIVITY = 'appbuild.shell.MainActivity';
/** The page survives every change but one of the language or the layout direction. */
const CONFIG_CHANGES = 0x40003ffc;
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
      plain('package', text(app.packageName)),
      android('versionCode', integer(app.versionCode)),
      android('versionName', text(app.versionName)),
      android('compileSdkVersion', integer(TARGET_SDK)),
      android('compileSdkVersionCodename', text(TARGET_NAME)),
      plain('platformBuildVersionCode', integer(TARGET_SDK)),
      plain('platformBuildVersionName', text(TARGET_NAME)),
    ],
    children: [
      element('uses-sdk', [
        android('minSdkVersion', integer(app.minSdk)),
        android('targetSdkVersion', integer(TARGET_SDK)),
      ]),
      ...app.permissions.map((name) => element('uses-permission', [android('name', text(name))])),
      // A permission alone would keep the app from phones without such a part.
      ...app.features.map((name) =>
        element('uses-feature', [android('name', text(name)), android('required', boolean(false))]),
      ),
      application(app),
    ],
  });
}

function application(app: AndroidApp): Element {
  return element(
    'application',
    [
      android('label', text(app.label)),
      android('icon', { type: 'reference', id: ICON_ID }),
      android('theme', { type: 'reference', id: THEME_ID }),
      android('hardwareAccelerated', boolean(true)),
      android('usesCleartextTraffic', boolean(app.allowsHttp)),
      android('debuggable', boolean(app.isDebuggable)),
    ],
    [
      element(
        'activity',
        [
          android('name', text(ACTIVITY)),
          android('label', text(app.launcherLabel)),
          android('exported', boolean(true)),
          android('launchMode', integer(app.launchMode)),
          android('configChanges', { type: 'flags', number: CONFIG_CHANGES }),
          android('windowSoftInputMode', { type: 'flags', number: ADJUST_RESIZE }),
          ...(app.orientation === undefined ? [] : [android('screenOrientation', integer(app.orientation))]),
        ],
        [
          element(
            'intent-filter',
            [],
            [
              element('action', [android('name', text('android.intent.action.MAIN'))]),
              element('category', [android('name', text('android.intent.category.LAUNCHER'))]),
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

function text(value: string): Value {
  return { type: 'text', text: value };
}

function integer(number: number): Value {
  return { type: 'integer', number };
}

function boolean(isTrue: boolean): Value {
  return { type: 'boolean', isTrue };
}
