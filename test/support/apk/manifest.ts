/** AndroidManifest.xml: Android's "App manifest file" decides, and `PackageParser` where that is silent. */
import { ANDROID_NAMESPACE, type XmlAttribute, type XmlElement } from './binaryXml.ts';
import { demand } from './invalidApkError.ts';
import type { TypedValue } from './typedValue.ts';

const TITLE = 'AndroidManifest.xml';

/**
 * Attributes of Android, by the IDs that its `public.xml` gives them for ever, with the types of value that Android takes. It
 * finds them by ID alone, so a wrong one is noticed by nobody who reads names.
 */
const ATTRIBUTES: Readonly<Record<string, readonly [id: number, ...types: TypedValue['type'][]]>> = {
  theme: [0x01010000, 'reference'],
  label: [0x01010001, 'string', 'reference'],
  icon: [0x01010002, 'reference'],
  name: [0x01010003, 'string'],
  permission: [0x01010006, 'string'],
  enabled: [0x0101000e, 'boolean'],
  debuggable: [0x0101000f, 'boolean'],
  exported: [0x01010010, 'boolean'],
  process: [0x01010011, 'string'],
  authorities: [0x01010018, 'string'],
  grantUriPermissions: [0x0101001b, 'boolean'],
  launchMode: [0x0101001d, 'integer'],
  screenOrientation: [0x0101001e, 'integer'],
  configChanges: [0x0101001f, 'hexadecimal'],
  value: [0x01010024, 'string', 'integer', 'boolean', 'reference'],
  resource: [0x01010025, 'reference'],
  mimeType: [0x01010026, 'string'],
  scheme: [0x01010027, 'string'],
  host: [0x01010028, 'string'],
  path: [0x0101002a, 'string'],
  pathPrefix: [0x0101002b, 'string'],
  drawable: [0x01010199, 'reference', 'color'],
  minSdkVersion: [0x0101020c, 'integer'],
  versionCode: [0x0101021b, 'integer'],
  versionName: [0x0101021c, 'string'],
  windowSoftInputMode: [0x0101022b, 'hexadecimal'],
  targetSdkVersion: [0x01010270, 'integer'],
  maxSdkVersion: [0x01010271, 'integer'],
  testOnly: [0x01010272, 'boolean'],
  allowBackup: [0x01010280, 'boolean'],
  required: [0x0101028e, 'boolean'],
  hardwareAccelerated: [0x010102d3, 'boolean'],
  supportsRtl: [0x010103af, 'boolean'],
  inset: [0x010104b5, 'dimension', 'fraction', 'reference'],
  extractNativeLibs: [0x010104ea, 'boolean'],
  fullBackupContent: [0x010104eb, 'boolean', 'reference'],
  usesCleartextTraffic: [0x010104ec, 'boolean'],
  autoVerify: [0x010104ee, 'boolean'],
  resizeableActivity: [0x010104f6, 'boolean'],
  networkSecurityConfig: [0x01010527, 'reference'],
  roundIcon: [0x0101052c, 'reference'],
  appCategory: [0x01010545, 'integer'],
  compileSdkVersion: [0x01010572, 'integer'],
  compileSdkVersionCodename: [0x01010573, 'string'],
};

/** What Android may start by an intent, and asks `exported` of (from targetSdkVersion 31 on). */
const COMPONENTS = ['activity', 'activity-alias', 'service', 'receiver', 'provider'];

/**
 * Holds a manifest to what Android asks of an app that one taps on.
 *
 * @returns the class of the activity for the launcher, with its package also where the manifest leaves that out
 * @throws InvalidApkError
 */
export function checkManifest(root: XmlElement): string {
  checkAttributes(root, TITLE);
  demand(root.name === 'manifest', `${TITLE}: its root is <manifest>`);
  const packageName = textOf(root, 'package');
  demand(
    packageName.length <= 223 && /^[a-z]\w*(\.[a-z]\w*)+$/i.test(packageName),
    `${TITLE}: ${JSON.stringify(packageName)} is the name of a package`,
  );
  demand(integerOf(root, 'android:versionCode') > 0, `${TITLE}: the versionCode is above 0`);
  textOf(root, 'android:versionName');
  const sdk = onlyChild(root, 'uses-sdk');
  const minSdk = integerOf(sdk, 'android:minSdkVersion');
  demand(minSdk >= 24, `${TITLE}: minSdkVersion is 24 or more, since there is no v1 signature`);
  demand(
    integerOf(sdk, 'android:targetSdkVersion') >= minSdk,
    `${TITLE}: targetSdkVersion is no less than minSdkVersion`,
  );

  const application = onlyChild(root, 'application');
  attributeDemanded(application, 'android:label');
  attributeDemanded(application, 'android:icon');
  for (const component of application.children.filter(({ name }) => COMPONENTS.includes(name))) {
    textOf(component, 'android:name');
    demand(
      childrenOf(component, 'intent-filter').length === 0 || attributeOf(component, 'android:exported') !== undefined,
      `${TITLE}: <${component.name}> with an intent filter says whether it is exported`,
    );
  }
  const launchers = application.children.filter(isLauncher);
  const [launcher] = launchers;
  demand(launcher !== undefined && launchers.length === 1, `${TITLE}: there is one activity for the launcher`);
  demand(
    attributeOf(launcher, 'android:exported')?.value === true,
    `${TITLE}: the activity for the launcher is exported`,
  );
  demand(
    (attributeOf(application, 'android:theme') ?? attributeOf(launcher, 'android:theme')) !== undefined,
    `${TITLE}: the activity for the launcher has a theme`,
  );
  const className = textOf(launcher, 'android:name');
  if (className.startsWith('.')) {
    return packageName + className;
  }
  return className.includes('.') ? className : `${packageName}.${className}`;
}

/** The attribute of a name: `android:label`, `package`. */
export function attributeOf(element: XmlElement, name: string): XmlAttribute | undefined {
  const local = name.replace(/^android:/, '');
  const namespace = local === name ? undefined : ANDROID_NAMESPACE;
  return element.attributes.find((attribute) => attribute.name === local && attribute.namespace === namespace);
}

/** The elements of a name in an element. */
export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** An element and all in it. */
export function withDescendants(element: XmlElement): readonly XmlElement[] {
  return [element, ...element.children.flatMap(withDescendants)];
}

/** Each attribute of Android has the ID of its name, and a value of a type that Android takes. */
export function checkAttributes(root: XmlElement, title: string): void {
  for (const element of withDescendants(root)) {
    for (const { namespace, name, resourceId, type } of element.attributes) {
      if (namespace === ANDROID_NAMESPACE) {
        const where = `${title}: <${element.name}> android:${name}`;
        const known = ATTRIBUTES[name];
        demand(known !== undefined, `${where}: the test knows the ID of the attribute`);
        const [id, ...types] = known;
        demand(resourceId === id, `${where}: its ID is 0x${id.toString(16)}`);
        demand(types.includes(type), `${where}: its type is ${types.join(' or ')}, not ${type}`);
      }
    }
  }
}

function isLauncher(element: XmlElement): boolean {
  const has = (filter: XmlElement, child: string, value: string): boolean =>
    childrenOf(filter, child).some((each) => attributeOf(each, 'android:name')?.value === `android.intent.${value}`);
  return (
    element.name === 'activity' &&
    childrenOf(element, 'intent-filter').some(
      (filter) => has(filter, 'action', 'action.MAIN') && has(filter, 'category', 'category.LAUNCHER'),
    )
  );
}

function onlyChild(element: XmlElement, name: string): XmlElement {
  const found = childrenOf(element, name);
  const [child] = found;
  demand(child !== undefined && found.length === 1, `${TITLE}: there is one <${name}>`);
  return child;
}

function attributeDemanded(element: XmlElement, name: string): XmlAttribute {
  const attribute = attributeOf(element, name);
  demand(attribute !== undefined, `${TITLE}: <${element.name}> has ${name}`);
  return attribute;
}

function textOf(element: XmlElement, name: string): string {
  const attribute = attributeDemanded(element, name);
  demand(attribute.type === 'string', `${TITLE}: ${name} is a text`);
  return attribute.value;
}

function integerOf(element: XmlElement, name: string): number {
  const attribute = attributeDemanded(element, name);
  demand(attribute.type === 'integer', `${TITLE}: ${name} is an integer`);
  return attribute.value;
}
