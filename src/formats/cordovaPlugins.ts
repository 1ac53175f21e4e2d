/** Names of Cordova plugins: other names of the same plugin, and plugins that an app does without. */

/** Names of plugins before they moved to npm in 2015, and what each is called there. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'cc.fovea.cordova.purchase': 'cordova-plugin-purchase',
    'com.brodysoft.sqliteplugin': 'cordova-sqlite-storage',
    'com.chariotsolutions.nfc.plugin': 'phonegap-nfc',
    'com.cordova.plugins.sms': 'cordova-sms-plugin',
    'com.danielcwilson.plugins.googleanalytics': 'cordova-plugin-google-analytics',
    'com.hutchind.cordova.plugins.launcher': 'cordova-plugin-app-launcher',
    'com.ionic.keyboard': 'ionic-plugin-keyboard',
    'com.megster.cordova.ble': 'cordova-plugin-ble-central',
    'com.megster.cordova.bluetoothserial': 'cordova-plugin-bluetooth-serial',
    'com.phonegap.plugin.statusbar': 'cordova-plugin-statusbar',
    'com.phonegap.plugins.barcodescanner': 'phonegap-plugin-barcodescanner',
    'com.phonegap.plugins.facebookconnect': 'cordova-plugin-facebook4',
    'com.phonegap.plugins.pushplugin': 'phonegap-plugin-push',
    'com.plugin.datepicker': 'cordova-plugin-datepicker',
    'com.synconset.imagepicker': 'cordova-plugin-image-picker',
    'com.telerik.plugins.nativepagetransitions': 'cordova-plugin-native-page-transitions',
    'com.verso.cordova.clipboard': 'cordova-clipboard',
    'cordova.plugins.diagnostic': 'cordova-plugin-diagnostic',
    'cordova-plugin-barcodescanner': 'phonegap-plugin-barcodescanner',
    'cordova-plugin-email': 'cordova-plugin-email-composer',
    'cordova-plugin-facebook-connect': 'cordova-plugin-facebook4',
    'cordova-plugin-localnotification': 'cordova-plugin-local-notification',
    'cordova-plugin-sqlite': 'cordova-sqlite-storage',
    'cordova-plugin-sqlite-2': 'cordova-sqlite-storage',
    'cordova-sqlite-ext': 'cordova-sqlite-storage',
    'cordova-sqlite-evcore-extbuild-free': 'cordova-sqlite-storage',
    'cordova-sqlcipher-adapter': 'cordova-sqlite-storage',
    'de.appplant.cordova.plugin.background-mode': 'cordova-plugin-background-mode',
    'de.appplant.cordova.plugin.badge': 'cordova-plugin-badge',
    'de.appplant.cordova.plugin.email-composer': 'cordova-plugin-email-composer',
    'de.appplant.cordova.plugin.local-notification': 'cordova-plugin-local-notification',
    'de.appplant.cordova.plugin.printer': 'cordova-plugin-printer',
    'io.github.pwlin.cordova.plugins.fileopener2': 'cordova-plugin-file-opener2',
    'io.litehelpers.cordova.sqlite': 'cordova-sqlite-storage',
    'net.yoik.cordova.plugins.screenorientation': 'cordova-plugin-screen-orientation',
    'nl.x-services.plugins.actionsheet': 'cordova-plugin-actionsheet',
    'nl.x-services.plugins.calendar': 'cordova-plugin-calendar',
    'nl.x-services.plugins.insomnia': 'cordova-plugin-insomnia',
    'nl.x-services.plugins.launchmyapp': 'cordova-plugin-customurlscheme',
    'nl.x-services.plugins.socialsharing': 'cordova-plugin-x-socialsharing',
    'nl.x-services.plugins.toast': 'cordova-plugin-x-toast',
    'org.chromium.zip': 'cordova-plugin-zip',
    'phonegap-facebook-plugin': 'cordova-plugin-facebook4',
    'plugin.google.maps': 'cordova-plugin-googlemaps',
    'uk.co.whiteoctober.cordova.appversion': 'cordova-plugin-app-version',
  }),
);
/** Cordova's own plugins were called that. */
const OLD_CORE_NAME = /^(?:org\.apache\.cordova(?:\.core)?|com\.phonegap\.plugin)\.([a-z-]{3,40})$/i;

/** The name of a plugin today, by any name that it has had. */
export function currentName(name: string): string {
  const known = OLD_NAMES.get(name.toLowerCase());
  if (known !== undefined) {
    return known;
  }
  const [, core] = OLD_CORE_NAME.exec(name) ?? [];
  return core === undefined ? name : `cordova-plugin-${core.toLowerCase()}`;
}

/** All names of a plugin, today's first. */
export function namesOf(name: string): readonly string[] {
  const current = currentName(name);
  const old = [...OLD_NAMES].filter(([, now]) => now === current).map(([before]) => before);
  const [, core] = /^cordova-plugin-([a-z-]+)$/.exec(current) ?? [];
  return [current, ...old, ...(core === undefined ? [] : [`org.apache.cordova.${core}`])];
}

/** Why pages miss nothing of a plugin. */
export type Harmless =
  /** Android, its WebView or the shell do the same. */
  | 'builtIn'
  /** It only changes how Cordova builds. */
  | 'buildOnly'
  /** It does nothing on Android. */
  | 'iosOnly'
  /** The phone's own keyboard comes and goes by itself. */
  | 'keyboard';

const HARMLESS: ReadonlyMap<string, Harmless> = new Map(
  Object.entries({
    builtIn:
      'cordova-plugin-androidx cordova-plugin-androidx-adapter cordova-plugin-console cordova-plugin-crosswalk-webview ' +
      'cordova-plugin-ionic-webview cordova-plugin-legacy-whitelist cordova-plugin-splashscreen cordova-plugin-whitelist ' +
      'cordova-plugin-wkwebview-engine',
    buildOnly:
      'cordova-android-firebase-gradle-release cordova-android-play-services-gradle-release ' +
      'cordova-android-support-gradle-release cordova-build-architecture cordova-custom-config cordova-plugin-abi-filter ' +
      'cordova-plugin-add-swift-support cordova-plugin-browsersync cordova-plugin-cleartext cordova-plugin-cocoapod-support ' +
      'cordova-plugin-compat cordova-plugin-custom-config cordova-plugin-enable-cleartext-traffic ' +
      'cordova-plugin-enable-multidex cordova-plugin-exclude-files cordova-plugin-ignore-lint-translation ' +
      'cordova-plugin-multidex cordova-plugin-proguard cordova-plugin-test-framework cordova-plugin-webpack ' +
      'cordova-support-android-plugin cordova-support-google-services es6-promise-plugin phonegap-plugin-multidex',
    iosOnly:
      'cordova-plugin-3dtouch cordova-plugin-disable-ios11-statusbar cordova-plugin-idfa cordova-plugin-iosrtc ' +
      'cordova-plugin-swift-support cordova-plugin-transport-security cordova-plugin-tracking-transparency ' +
      'cordova-plugin-wkuserscript cordova-plugin-wkwebviewxhrfix',
    keyboard: 'cordova-plugin-ionic-keyboard cordova-plugin-keyboard ionic-plugin-keyboard',
  } satisfies Record<Harmless, string>).flatMap(([why, names]) =>
    names.split(' ').map((name): [string, Harmless] => [name, why as Harmless]),
  ),
);
const BUILD_ONLY_NAME = /(?:-gradle-release|multidex|-cleartext|-swift-support)$/;
const BUILT_IN_NAME = /^cordova-plugin-androidx(?:-|$)/;
const IOS_NAME = /^cordova-plugin-(?:ios|wkwebview)-/;

/** The plugins that are known by their names, today's names. */
export const HARMLESS_PLUGINS: readonly string[] = [...HARMLESS.keys()];

/** Why pages miss nothing of a plugin; undefined for one that they may miss. @param name today's */
export function harmlessPlugin(name: string): Harmless | undefined {
  const known = HARMLESS.get(name);
  if (known !== undefined) {
    return known;
  }
  if (BUILT_IN_NAME.test(name)) {
    return 'builtIn';
  }
  return BUILD_ONLY_NAME.test(name) ? 'buildOnly' : IOS_NAME.test(name) ? 'iosOnly' : undefined;
}

/** Whether a plugin lets an app load what isn't encrypted, and does nothing else. @param name today's */
export function isCleartextPlugin(name: string): boolean {
  return /^cordova-plugin-[\w-]{0,40}cleartext\b/.test(name);
}

/** Plugins that cordova.js or the web stand in for: a package lacks only a part of them. */
export const PARTLY_THERE: ReadonlySet<string> = new Set([
  'cordova-plugin-device',
  'cordova-plugin-dialogs',
  'cordova-plugin-geolocation',
  'cordova-plugin-inappbrowser',
  'cordova-plugin-network-information',
  'cordova-plugin-vibration',
]);

/** Names and version ranges of npm packages: those that npm takes from its registry, and from nowhere else. */

/** One part of a range: `1.2.3`, `^1.2`, `>=1`, `*`, and `||` or `-` between two. */
const RANGE_PART =
  /^(?:\|\||-|(?:[~^=]|[<>]=?)?v?(?:\d{1,9}|[xX*])(?:\.(?:\d{1,9}|[xX*])){0,2}(?:-[\w.-]+)?(?:\+[\w.-]+)?)$/;

/** The range of a package that was named without one: the newest version. */
export const NEWEST = 'latest';

/** Whether this can be the name of a package: no path, address or option. */
export function isPackageName(name: string): boolean {
  return /^(?:@[a-z\d][\w.-]*\/)?[A-Za-z\d][\w.-]*$/.test(name);
}

/**
 * Whether this is `latest` or a range of versions. Any other tag is refused, and so is what npm would take for a file, an address
 * or another package.
 */
export function isVersionRange(range: string): boolean {
  return (
    range === NEWEST ||
    // npm takes such a version for a file.
    (!/\.(?:tgz|tar|tar\.gz)$/i.test(range) && range.split(/\s+/).every((part) => RANGE_PART.test(part)))
  );
}
