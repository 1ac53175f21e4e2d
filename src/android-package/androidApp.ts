/** Reads the values for an Android package from config.xml and the app's fields. */
import { toVersionCode } from './appIdentity.ts';
import { MAX_VERSION_CODE, MAX_SHOWN_LENGTH } from './limits.ts';
import {
  firstText,
  getVersionNumbers,
  removeUnsafeCharacters,
  requireAppId,
  requireStartPage,
  requireVersion,
  getWebsite,
} from './config/appValues.ts';
import { getNativePlugins, WEB_SQL, type PluginReceiver } from './plugins/nativePlugins.ts';
import { isCleartextPlugin } from './plugins/cordovaPlugins.ts';
import {
  allowedPermissions,
  PAGE_PERMISSIONS,
  type PagePermission,
  getPluginPermissions,
  PERMISSIONS_PREFERENCE,
} from './pages/pagePermissions.ts';
import type { PageScan } from './pages/pageScan.ts';
import type { AppFiles } from './config/appFiles.ts';
import type { ConfigFile } from './config/packageConfig.ts';
import { readLinks, type LinkFilter } from './config/links.ts';
import { logPlugins } from './plugins/pluginNotes.ts';
import { isDark, Preferences } from './config/preferences.ts';
import { BuildError, type WriteLog } from './buildError.ts';
import type { AppFields } from './model.ts';

/** The values of an Android package. */
export interface AndroidApp {
  readonly packageName: string;
  readonly label: string;
  /** Label under the app's icon. */
  readonly launcherLabel: string;
  readonly versionCode: number;
  readonly versionName: string;
  readonly minSdk: number;
  readonly targetSdk: number;
  /** Full names of Android permissions. */
  readonly permissions: readonly string[];
  readonly features: readonly string[];
  /** Entries for the manifest's `<queries>`, in the format of `readQueries`. */
  readonly queries: readonly string[];
  readonly receivers: readonly PluginReceiver[];
  /** Whether the app can load unencrypted content. */
  readonly allowsHttp: boolean;
  readonly isDebuggable: boolean;
  /** Orientation constant for the manifest. `undefined` lets the app rotate with the phone. */
  readonly orientation: number | undefined;
  readonly launchMode: number;
  /** Links that open the app. */
  readonly links: readonly LinkFilter[];
  /** Background color while the page loads: 32-bit ARGB. */
  readonly windowBackground: number;
  /** Methods of Capacitor plugins, keyed by the plugins' registered names. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
  /** Whether the app's pages call `openDatabase`. */
  readonly usesWebSql: boolean;
  /** Names of the dex files other than `classes.dex`. */
  readonly dexes: readonly string[];
  readonly shell: ShellSettings;
}

/**
 * Contents of `assets/shell.json`, which configures the shell (see `shell/README.md`). Colors are signed 32-bit
 * numbers.
 */
interface ShellSettings {
  /** Start page relative to the origin, or a URL. Empty means `/`. */
  readonly start: string;
  /** Page that's served for paths that don't refer to a file. Empty without such a page. */
  readonly fallback: string;
  readonly scheme: string;
  readonly hostname: string;
  readonly background: number;
  readonly statusBar: number;
  readonly darkStatusText: boolean;
  readonly fullscreen: boolean;
  readonly mixedContent: boolean;
  readonly gestureForMedia: boolean;
  readonly userAgent: string;
  readonly appendUserAgent: string;
  readonly inspectable: boolean;
  /** Patterns of `<allow-navigation>` and `<allow-intent>`. */
  readonly navigation: readonly string[];
  readonly intents: readonly string[];
  /** Shell classes that implement the native part of plugins. */
  readonly plugins: readonly string[];
  /** Comma-separated URL schemes. The in-app browser passes links with these schemes to the app. */
  readonly customSchemes: string;
}

/** Minimum API level of packages: Android 7, the first version that can verify signatures of whole files. */
export const MIN_SDK = 24;
/** Default target API level: Android 16, which Google Play requires. The shell supports its behavior. */
export const TARGET_SDK = 36;
/** Minimum target API level: Android 14, for apps that depend on the behavior of an earlier version. */
const MIN_TARGET_SDK = 34;
const WHITE = -1;

/**
 * Permissions that Android grants at installation without asking. WebView requires the last two for `navigator.onLine`
 * and `navigator.vibrate`.
 */
const FREE_PERMISSIONS = ['INTERNET', 'ACCESS_NETWORK_STATE', 'VIBRATE'];

interface PermissionDeclaration {
  /** Permission names without `android.permission.`. */
  readonly permissions: readonly string[];
  /**
   * Names, without `android.hardware.`, of features that the permissions imply. Declared as optional, because some
   * phones don't have them.
   */
  readonly features: readonly string[];
}

/** Manifest declarations for each permission that pages can use. */
const DECLARATIONS: Readonly<Record<PagePermission, PermissionDeclaration>> = {
  camera: { permissions: ['CAMERA'], features: ['camera', 'camera.autofocus'] },
  // `getUserMedia` requires both permissions.
  microphone: { permissions: ['RECORD_AUDIO', 'MODIFY_AUDIO_SETTINGS'], features: ['microphone'] },
  location: {
    permissions: ['ACCESS_COARSE_LOCATION', 'ACCESS_FINE_LOCATION'],
    features: ['location', 'location.gps', 'location.network'],
  },
};

/** Values of `android:screenOrientation`, keyed by lowercase preference value. */
const ORIENTATIONS: ReadonlyMap<string, number | null> = new Map([
  ['default', null],
  ...(
    'landscape portrait user behind sensor nosensor sensorlandscape sensorportrait reverselandscape reverseportrait ' +
    'fullsensor userlandscape userportrait fulluser locked'
  )
    .split(' ')
    .map((name, number) => [name, number] as const),
]);
const LAUNCH_MODES: ReadonlyMap<string, number> = new Map(
  Object.entries({ standard: 0, singletop: 1, singletask: 2, singleinstance: 3 }),
);
const SINGLE_TOP = 1;

/**
 * Elements to ignore without a log line, because the package already does that by default, or because they're only for
 * app stores.
 */
const SILENT_ELEMENTS: ReadonlySet<string> = new Set(['icon', 'content', 'license', 'feature']);

/**
 * Reads the values for an app's package.
 *
 * @param scan results of scanning the app's pages
 * @param isRelease whether the package is signed with the user's key instead of the test key
 * @param lastVersionCode highest version code of the app's releases
 * @param log receives a line for each part of config.xml that the package ignores
 * @throws BuildError if the app can't be built with these values
 */
export function readAndroidApp(
  app: AppFields,
  { hasConfig, config, webFiles }: AppFiles,
  scan: PageScan,
  isRelease: boolean,
  lastVersionCode: number | undefined,
  log: WriteLog,
): AndroidApp {
  if (hasConfig && config.name === '') {
    throw new BuildError('Malformed config.xml: the element name is missing or empty.');
  }
  const preferences = new Preferences(config, log);
  const label = firstText(toLabel(config.name), toLabel(app.title), 'App');
  const versionName = requireVersion(firstText(config.version, app.version));
  const plugins = logPlugins(config, scan.pluginUses, webFiles.includes('cordova_plugins.js'), log);
  const declared = getPermissions(plugins, scan, preferences, log);
  const native = getNativePlugins(plugins);
  const usesWebSql = scan.pluginUses.has(WEB_SQL.plugin);
  const families = [...new Set([...native.map(({ family }) => family), ...(usesWebSql ? [WEB_SQL.family] : [])])];
  const background = preferences.color('BackgroundColor') ?? WHITE;
  const splash =
    preferences.color('AndroidWindowSplashScreenBackground') ?? preferences.color('SplashScreenBackgroundColor');
  const statusBar = preferences.color('StatusBarBackgroundColor') ?? background;
  const start = getStart(config, webFiles, log);
  const origins = [...config.accessOrigins, ...config.allowedNavigation, ...start.navigation];
  const allowsHttp =
    config.usesCleartextTraffic || origins.some((origin) => /^http:/i.test(origin)) || plugins.some(isCleartextPlugin);
  if (!allowsHttp) {
    noteHttp(scan, log);
  }
  const targetSdk = readTargetSdk(preferences.text('android-targetSdkVersion') ?? `${TARGET_SDK}`, log);
  const isFullscreen = [preferences.isOn('Fullscreen'), preferences.isOn('FullscreenNotImmersive')].includes(true);
  const result: AndroidApp = {
    packageName: requireAppId(
      firstText(config.platformVersions['android-packageName'], config.id),
      app,
      'android',
      log,
    ),
    label,
    launcherLabel: firstText(toLabel(config.shortName), label),
    versionCode: readVersionCode(
      versionName,
      config.platformVersions['android-versionCode'],
      isRelease ? lastVersionCode : undefined,
      log,
    ),
    versionName,
    minSdk: readMinSdk(preferences.text('android-minSdkVersion') ?? `${MIN_SDK}`, targetSdk, log),
    targetSdk,
    permissions: [
      ...new Set([
        ...FREE_PERMISSIONS,
        ...declared.flatMap((each) => DECLARATIONS[each].permissions),
        ...native.flatMap(({ permissions }) => permissions),
      ]),
    ].map((name) => `android.permission.${name}`),
    features: [
      ...declared.flatMap((each) => DECLARATIONS[each].features),
      ...native.flatMap(({ permissions }) => (permissions.includes('CALL_PHONE') ? ['telephony'] : [])),
    ].map((name) => `android.hardware.${name}`),
    queries: [...new Set([...native.flatMap((each) => each.queries), ...config.queries])],
    receivers: [...new Map(native.flatMap((each) => each.receivers).map((each) => [each.name, each])).values()],
    allowsHttp,
    isDebuggable: !isRelease,
    orientation: preferences.choice('Orientation', ORIENTATIONS) ?? undefined,
    launchMode: preferences.choice('AndroidLaunchMode', LAUNCH_MODES) ?? SINGLE_TOP,
    links: readLinks(config.intentFilters, log),
    windowBackground: splash ?? background,
    methods: new Map(native.flatMap((plugin) => [...plugin.methods])),
    usesWebSql,
    dexes: families.length === 0 ? [] : [...new Set(['Bridge', ...families, ...native.flatMap(({ uses }) => uses)])],
    shell: {
      start: start.page,
      // Single-page apps request addresses that don't refer to files. Cordova doesn't have a fallback for them.
      fallback: !hasConfig ? 'index.html' : getFallbackPage(preferences, webFiles),
      scheme: preferences.choice('Scheme', SCHEMES) ?? 'https',
      hostname: preferences.read('Hostname', (name) => (HOSTNAME.test(name) ? name : undefined)) ?? 'localhost',
      background,
      statusBar,
      darkStatusText: preferences.choice('StatusBarStyle', STATUS_BAR_STYLES) ?? !isDark(statusBar),
      fullscreen: isFullscreen,
      mixedContent: allowsHttp,
      gestureForMedia: preferences.isOn('MediaPlaybackRequiresUserAction'),
      userAgent: preferences.text('OverrideUserAgent') ?? '',
      appendUserAgent: preferences.text('AppendUserAgent') ?? '',
      inspectable: preferences.isOn('InspectableWebview'),
      navigation: [...config.allowedNavigation, ...start.navigation],
      intents: config.allowedIntents,
      plugins: families,
      customSchemes: preferences.text('AllowedSchemes') ?? '',
    },
  };
  // Mark the preference as read, because every build with a user's own key creates both types.
  preferences.text('AndroidPackageType');
  preferences.logUnread();
  noteElements(config, log);
  return result;
}

/** Logs a line for each unencrypted origin that the app can't load from. */
function noteHttp({ http }: PageScan, log: WriteLog): void {
  for (const [origin, { path }] of http) {
    log(
      `${removeUnsafeCharacters(path)} loads from ${removeUnsafeCharacters(origin)}, which isn’t encrypted, so the app can’t load it. Use https:, or ` +
        `allow it with <access origin="${removeUnsafeCharacters(origin)}" /> in config.xml.`,
    );
  }
}

/** Returns the page of the app that's served for paths that don't refer to a file. */
function getFallbackPage(preferences: Preferences, webFiles: readonly string[]): string {
  const page = preferences.text('FallbackPage') ?? '';
  return webFiles.includes(page) ? page : '';
}

const SCHEMES: ReadonlyMap<string, string> = new Map([
  ['http', 'http'],
  ['https', 'https'],
]);
const HOSTNAME = /^[a-z0-9](?:[a-z0-9.-]{0,98}[a-z0-9])?$/i;
/** Whether the status bar's text is dark, keyed by lowercase preference value. */
const STATUS_BAR_STYLES: ReadonlyMap<string, boolean> = new Map(
  Object.entries({
    default: true,
    darkcontent: true,
    lightcontent: false,
    blacktranslucent: false,
    blackopaque: false,
  }),
);

function toLabel(name: string | undefined): string {
  // Iterate by code point and drop lone surrogates.
  return Array.from((name ?? '').replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim())
    .slice(0, MAX_SHOWN_LENGTH)
    .join('');
}

/**
 * Returns the `android-versionCode` in config.xml, or the code that cordova-android would derive from the version.
 * Google Play accepts each code only once, so a derived code that isn't higher than those of all releases is replaced
 * by the next number.
 */
function readVersionCode(version: string, given: string | undefined, last: number | undefined, log: WriteLog): number {
  if (given !== undefined) {
    if (/^\d{1,10}$/.test(given) && Number(given) <= MAX_VERSION_CODE) {
      const code = Math.max(1, Number(given));
      const isTaken = last !== undefined && last >= code;
      const hint = ` An earlier package for Google Play has ${last}. If Google Play has that package, increase android-versionCode.`;
      log(`Version code ${code}, from android-versionCode.${isTaken ? hint : ''}`);
      return code;
    }
    log(
      `config.xml: the android-versionCode “${removeUnsafeCharacters(given)}” isn’t a number up to ${MAX_VERSION_CODE}, so it’s ignored.`,
    );
  }
  const code = toVersionCode(getVersionNumbers(version));
  if (code > MAX_VERSION_CODE) {
    throw new BuildError(
      `Invalid version “${version}”: it results in android-versionCode ${code}, but Android allows at most ${MAX_VERSION_CODE}. ` +
        'Set android-versionCode on <widget> in config.xml.',
    );
  }
  if (last !== undefined && last >= code) {
    if (last >= MAX_VERSION_CODE) {
      throw new BuildError(
        `The version code can’t increase, because an earlier package for Google Play has ${last}, the highest that Android allows. If Google ` +
          'Play doesn’t have that package, set a lower android-versionCode on <widget> in config.xml. Otherwise, the app needs another ID.',
      );
    }
    const next = last + 1;
    log(`Version code ${next}: the version gives ${code}, and an earlier package for Google Play has ${last}.`);
    return next;
  }
  log(`Version code ${Math.max(1, code)}, from the version.`);
  return Math.max(1, code);
}

/** Returns the package's minimum API level. Replaces an out-of-range value with the nearest valid one. */
function readMinSdk(requested: string, targetSdk: number, log: WriteLog): number {
  const sdk = Number(requested);
  const nearest = Number.isInteger(sdk) ? Math.min(targetSdk, Math.max(MIN_SDK, sdk)) : MIN_SDK;
  if (nearest !== sdk) {
    log(
      `config.xml: android-minSdkVersion must be from ${MIN_SDK} to ${targetSdk}, not “${removeUnsafeCharacters(requested)}”, so the package is for ` +
        `${nearest} and later.`,
    );
  }
  return nearest;
}

/** Returns the package's target API level. Uses {@link TARGET_SDK} for an out-of-range value. */
function readTargetSdk(requested: string, log: WriteLog): number {
  const sdk = Number(requested);
  if (Number.isInteger(sdk) && sdk >= MIN_TARGET_SDK && sdk <= TARGET_SDK) {
    return sdk;
  }
  log(
    `config.xml: android-targetSdkVersion must be from ${MIN_TARGET_SDK} to ${TARGET_SDK}, not “${removeUnsafeCharacters(requested)}”, so the package targets ` +
      `${TARGET_SDK}.`,
  );
  return TARGET_SDK;
}

/**
 * Returns the start page.
 *
 * @throws BuildError if the app doesn't have one
 */
function getStart(
  config: ConfigFile,
  webFiles: readonly string[],
  log: WriteLog,
): { readonly page: string; readonly navigation: readonly string[] } {
  const website = getWebsite(config);
  if (website !== undefined) {
    return { page: website.href, navigation: [`${website.origin}/*`] };
  }
  const src = config.contentSrc;
  const page = requireStartPage(src, webFiles, log);
  const suffix = /[?#].*$/s.exec(src)?.[0] ?? '';
  // Many single-page apps route `/` but not `/index.html`.
  return { page: page === 'index.html' ? suffix : page + suffix, navigation: [] };
}

/**
 * Returns the permissions that plugins or pages need, except those that config.xml excludes. Logs a line for each
 * needed permission.
 */
function getPermissions(
  plugins: readonly string[],
  scan: PageScan,
  preferences: Preferences,
  log: WriteLog,
): readonly PagePermission[] {
  const allowed = preferences.read(PERMISSIONS_PREFERENCE, allowedPermissions) ?? new Set(PAGE_PERMISSIONS);
  return PAGE_PERMISSIONS.filter((permission) => {
    const plugin = plugins.find((name) => getPluginPermissions(name).includes(permission));
    const by = plugin ?? scan.permissions.get(permission);
    if (by === undefined) {
      return false;
    }
    const outcome = allowed.has(permission)
      ? `Declared: ${DECLARATIONS[permission].permissions.join(', ')}.`
      : `Not declared: the preference “${PERMISSIONS_PREFERENCE}” doesn’t allow it.`;
    log(`The app asks for the ${permission}: ${removeUnsafeCharacters(by)}. ${outcome}`);
    return allowed.has(permission);
  });
}

/** Logs a line for each element in config.xml that has no effect. */
function noteElements(config: ConfigFile, log: WriteLog): void {
  for (const name of config.otherElements.filter((each) => !SILENT_ELEMENTS.has(each))) {
    log(`config.xml: <${removeUnsafeCharacters(name)}> has no effect in this package.`);
  }
  if (config.accessOrigins.some((origin) => origin !== '*')) {
    log(
      'config.xml: <access> isn’t enforced. To limit what the app can load, use a Content-Security-Policy in its pages.',
    );
  }
}
