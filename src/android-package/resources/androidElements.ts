/** Creates elements and attributes of Android's XML documents. */
import type { AndroidAttribute, ResourceAttribute, ResourceElement, ResourceValue } from './resources.ts';

/** IDs of the framework's attributes (`android.R.attr`), which never change. */
const ATTRIBUTES = {
  theme: 0x01010000,
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  debuggable: 0x0101000f,
  exported: 0x01010010,
  authorities: 0x01010018,
  grantUriPermissions: 0x0101001b,
  launchMode: 0x0101001d,
  screenOrientation: 0x0101001e,
  configChanges: 0x0101001f,
  mimeType: 0x01010026,
  scheme: 0x01010027,
  host: 0x01010028,
  port: 0x01010029,
  path: 0x0101002a,
  pathPrefix: 0x0101002b,
  pathPattern: 0x0101002c,
  windowBackground: 0x01010054,
  drawable: 0x01010199,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  windowSoftInputMode: 0x0101022b,
  targetSdkVersion: 0x01010270,
  required: 0x0101028e,
  hardwareAccelerated: 0x010102d3,
  supportsRtl: 0x010103af,
  statusBarColor: 0x01010451,
  inset: 0x010104b5,
  windowLightStatusBar: 0x010104e0,
  fullBackupContent: 0x010104eb,
  usesCleartextTraffic: 0x010104ec,
  autoVerify: 0x010104ee,
  compileSdkVersion: 0x01010572,
  compileSdkVersionCodename: 0x01010573,
  pathSuffix: 0x0101061e,
  pathAdvancedPattern: 0x01010620,
  windowSplashScreenBackground: 0x0101062c,
  dataExtractionRules: 0x0101063e,
  enableOnBackInvokedCallback: 0x0101066c,
} as const;

/** Name of an Android attribute without its prefix. */
export type AttributeName = keyof typeof ATTRIBUTES;

/** Returns a framework attribute for use in a style. */
export function androidAttribute(name: AttributeName): AndroidAttribute {
  return { name, id: ATTRIBUTES[name] };
}

/** Creates an element. The attributes can be in any order. */
export function element(
  name: string,
  attributes: readonly ResourceAttribute[],
  children: readonly ResourceElement[] = [],
): ResourceElement {
  return { name, attributes, children };
}

/** Creates an attribute in the `android` namespace. */
export function android(name: AttributeName, value: ResourceValue): ResourceAttribute {
  return { name, id: ATTRIBUTES[name], value };
}

/** Creates an attribute without a namespace. */
export function plainAttribute(name: string, value: ResourceValue): ResourceAttribute {
  return { name, id: undefined, value };
}
