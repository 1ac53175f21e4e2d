/** The values of an Android package: from config.xml, or else from the fields of the app. */
import { toVersionCode } from '../../../formats/appIdentity.ts';
import { MAX_VERSION_CODE } from '../../../formats/limits.ts';
import { MAX_SHOWN_LENGTH } from '../../limits.ts';
import type { App } from '../../store/model.ts';
import { BuildError, type Log } from '../builder.ts';
import {
  firstText,
  numbersOfVersion,
  plainText,
  requireAppId,
  requireStartPage,
  requireVersion,
  websiteOf,
} from '../appValues.ts';
import { nativePluginsOf, WEB_SQL, type PluginReceiver } from '../../../formats/nativePlugins.ts';
import { isCleartextPlugin } from '../../../formats/cordovaPlugins.ts';
import {
  allowedPermissions,
  PAGE_PERMISSIONS,
  type PagePermission,
  permissionsOfPlugin,
  PERMISSIONS_PREFERENCE,
} from '../../../formats/pagePermissions.ts';
import type { PageScan } from '../../../formats/pageScan.ts';
import type { AppFiles } from '../packages/appFiles.ts';
import type { ConfigFile } from '../packages/packageConfig.ts';
import { readLinks, type LinkFilter } from './links.ts';
import { notePlugins } from './plugins.ts';
import { isDark, Preferences } from './preferences.ts';

export interface AndroidApp {
  readonly packageName: string;
  readonly label: string;
  /** Shown below its icon. */
  readonly launcherLabel: string;
  readonly versionCode: number;
  readonly versionName: string;
  readonly minSdk: number;
  readonly targetSdk: number;
  /** Names of Android, whole. */
  readonly permissions: readonly string[];
  readonly features: readonly string[];
  /** As the packages' config.xml has them. */
  readonly queries: readonly string[];
  readonly receivers: readonly PluginReceiver[];
  /** Whether the app may load what is not encrypted. */
  readonly allowsHttp: boolean;
  readonly isDebuggable: boolean;
  /** Numbers of the manifest; `undefined`: as the phone is held. */
  readonly orientation: number | undefined;
  readonly launchMode: number;
  /** The links that open the app. */
  readonly links: readonly LinkFilter[];
  /** Color behind the page while it loads, 32 bits. */
  readonly windowBackground: number;
  /** Methods of Capacitor's plugins, by the names under which their JavaScript registers them. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
  /** Whether its pages call `openDatabase`. */
  readonly usesWebSql: boolean;
  /** The dex files beside `classes.dex`, by the names of their classes. */
  readonly dexes: readonly string[];
  readonly shell: ShellSettings;
}

/** `assets/shell.json`, which the shell reads (`shell/README.md`). Colors are signed 32-bit numbers. */
export interface ShellSettings {
  /** The page, relative to the origin, or a URL; empty: `/`. */
  readonly start: string;
  /** The page that answers what names no file; empty: none does. */
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
  /** Classes of the shell: the native half of plugins. */
  readonly plugins: readonly string[];
  /** Separated by commas: whose links the in-app browser gives to the app. */
  readonly customSchemes: string;
}

/** Android 7: the first one that knows signatures of the whole file. */
export const MIN_SDK = 24;
/** The version of Android whose behavior the shell is made for: 16. Google Play asks for it. */
export const TARGET_SDK = 36;
/** Android 14, for apps that need the behavior of an earlier version. */
const MIN_TARGET_SDK = 34;
const WHITE = -1;

/** Android grants them at installation, without a question: navigator.onLine and navigator.vibrate of WebView need the last two. */
const FREE_PERMISSIONS = ['INTERNET', 'ACCESS_NETWORK_STATE', 'VIBRATE'];

interface Declaration {
  /** Without `android.permission.` */
  readonly permissions: readonly string[];
  /** Without `android.hardware.`: what the permissions imply, and not every phone has. */
  readonly features: readonly string[];
}

/** What the manifest declares for each permission of the pages. */
const DECLARATIONS: Readonly<Record<PagePermission, Declaration>> = {
  camera: { permissions: ['CAMERA'], features: ['camera', 'camera.autofocus'] },
  // getUserMedia needs the second one, too.
  microphone: { permissions: ['RECORD_AUDIO', 'MODIFY_AUDIO_SETTINGS'], features: ['microphone'] },
  location: {
    permissions: ['ACCESS_COARSE_LOCATION', 'ACCESS_FINE_LOCATION'],
    features: ['location', 'location.gps', 'location.network'],
  },
};

/** `android:screenOrientation`, by the lower-case values of the preference. */
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

/** Elements that say what the package has anyway, or that are for shops. */
const SILENT_ELEMENTS: ReadonlySet<string> = new Set(['icon', 'content', 'license', 'feature']);

/**
 * Reads the values of the package.
 *
 * @param scan what the scripts of its pages do
 * @param isRelease whether it is signed with a key of the person, and is no test
 * @param lastVersionCode the highest version code of the app's releases
 * @param log receives a line for each part of config.xml that the package does not have
 * @throws BuildError when the app cannot be built like this
 */
export function readAndroidApp(
  app: App,
  { hasConfig, config, webFiles }: AppFiles,
  scan: PageScan,
  isRelease: boolean,
  lastVersionCode: number | undefined,
  log: Log,
): AndroidApp {
  if (hasConfig && config.name === '') {
    throw new BuildError('Malformed config.xml: the element name is missing or empty.');
  }
  const preferences = new Preferences(config, log);
  const label = firstText(labelOf(config.name), labelOf(app.title), 'App');
  const versionName = requireVersion(firstText(config.version, app.version));
  const plugins = notePlugins(config, scan.pluginUses, webFiles.includes('cordova_plugins.js'), log);
  const declared = permissionsOf(plugins, scan, preferences, log);
  const native = nativePluginsOf(plugins);
  const usesWebSql = scan.pluginUses.has(WEB_SQL.plugin);
  const families = [...new Set([...native.map(({ family }) => family), ...(usesWebSql ? [WEB_SQL.family] : [])])];
  const background = preferences.color('BackgroundColor') ?? WHITE;
  const splash =
    preferences.color('AndroidWindowSplashScreenBackground') ?? preferences.color('SplashScreenBackgroundColor');
  const statusBar = preferences.color('StatusBarBackgroundColor') ?? background;
  const start = startOf(config, webFiles, log);
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
    launcherLabel: firstText(labelOf(config.shortName), label),
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
      // A page that routes by itself is asked for under addresses that are no files. Cordova has no such rule.
      fallback: !hasConfig ? 'index.html' : fallbackOf(preferences, webFiles),
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
  // Each build with a key of the user's makes both types.
  preferences.text('AndroidPackageType');
  preferences.noteOthers();
  noteElements(config, log);
  return result;
}

/** A line for each origin that the app can't load from. */
function noteHttp({ http }: PageScan, log: Log): void {
  for (const [origin, { path }] of http) {
    log(
      `${plainText(path)} loads from ${plainText(origin)}, which isn’t encrypted, so the app can’t load it. Use https:, or ` +
        `allow it with <access origin="${plainText(origin)}" /> in config.xml.`,
    );
  }
}

/** The page that answers what names no file: one of the app's. */
function fallbackOf(preferences: Preferences, webFiles: readonly string[]): string {
  const page = preferences.text('FallbackPage') ?? '';
  return webFiles.includes(page) ? page : '';
}

const SCHEMES: ReadonlyMap<string, string> = new Map([
  ['http', 'http'],
  ['https', 'https'],
]);
const HOSTNAME = /^[a-z0-9](?:[a-z0-9.-]{0,98}[a-z0-9])?$/i;
/** By the lower-case values of the preference: whether the text of the status bar is dark. */
const STATUS_BAR_STYLES: ReadonlyMap<string, boolean> = new Map(
  Object.entries({
    default: true,
    darkcontent: true,
    lightcontent: false,
    blacktranslucent: false,
    blackopaque: false,
  }),
);

function labelOf(name: string | undefined): string {
  // By characters: a half of a pair is none.
  return Array.from((name ?? '').replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim())
    .slice(0, MAX_SHOWN_LENGTH)
    .join('');
}

/**
 * The `android-versionCode` of config.xml, or what cordova-android makes of a version. Google Play takes each code once.
 * If the version doesn't give a higher code than all releases, the next number counts.
 */
function readVersionCode(version: string, given: string | undefined, last: number | undefined, log: Log): number {
  if (given !== undefined) {
    if (/^\d{1,10}$/.test(given) && Number(given) <= MAX_VERSION_CODE) {
      const code = Math.max(1, Number(given));
      const isTaken = last !== undefined && last >= code;
      const hint = ` An earlier package for Google Play has ${last}: raise android-versionCode if Google Play has that one.`;
      log(`Version code ${code}, from android-versionCode.${isTaken ? hint : ''}`);
      return code;
    }
    log(
      `config.xml: the android-versionCode “${plainText(given)}” is no number up to ${MAX_VERSION_CODE}, and left out.`,
    );
  }
  const code = toVersionCode(numbersOfVersion(version));
  if (code > MAX_VERSION_CODE) {
    throw new BuildError(
      `Invalid version “${version}”: it makes the android-versionCode ${code}, and Android takes up to ${MAX_VERSION_CODE}. ` +
        'Give <widget> in config.xml an android-versionCode.',
    );
  }
  if (last !== undefined && last >= code) {
    if (last >= MAX_VERSION_CODE) {
      throw new BuildError(
        `The version code can’t count up: an earlier package for Google Play has ${last}, and Android takes no higher one. If Google ` +
          'Play doesn’t have that package, give <widget> in config.xml a lower android-versionCode. Otherwise the app needs another ID.',
      );
    }
    const next = last + 1;
    log(`Version code ${next}: the version gives ${code}, and an earlier package for Google Play has ${last}.`);
    return next;
  }
  log(`Version code ${Math.max(1, code)}, from the version.`);
  return Math.max(1, code);
}

/** The first API level that the package is for: one out of the range counts as the nearest in it. */
function readMinSdk(wanted: string, targetSdk: number, log: Log): number {
  const sdk = Number(wanted);
  const nearest = Number.isInteger(sdk) ? Math.min(targetSdk, Math.max(MIN_SDK, sdk)) : MIN_SDK;
  if (nearest !== sdk) {
    log(
      `config.xml: android-minSdkVersion can be from ${MIN_SDK} to ${targetSdk}, not “${plainText(wanted)}”, so the package is for ` +
        `${nearest} and later.`,
    );
  }
  return nearest;
}

/** The API level whose behavior the package is made for: one out of the range counts as {@link TARGET_SDK}. */
function readTargetSdk(wanted: string, log: Log): number {
  const sdk = Number(wanted);
  if (Number.isInteger(sdk) && sdk >= MIN_TARGET_SDK && sdk <= TARGET_SDK) {
    return sdk;
  }
  log(
    `config.xml: android-targetSdkVersion can be from ${MIN_TARGET_SDK} to ${TARGET_SDK}, not “${plainText(wanted)}”, so the package is made for ` +
      `${TARGET_SDK}.`,
  );
  return TARGET_SDK;
}

/** @throws BuildError when there is no page to begin with */
function startOf(
  config: ConfigFile,
  webFiles: readonly string[],
  log: Log,
): { readonly page: string; readonly navigation: readonly string[] } {
  const website = websiteOf(config);
  if (website !== undefined) {
    return { page: website.href, navigation: [`${website.origin}/*`] };
  }
  const src = config.contentSrc;
  const page = requireStartPage(src, webFiles, log);
  const suffix = /[?#].*$/s.exec(src)?.[0] ?? '';
  // Many a page that routes by itself knows `/`, and no `/index.html`.
  return { page: page === 'index.html' ? suffix : page + suffix, navigation: [] };
}

/** The permissions that plugins or pages ask for and config.xml doesn't refuse. Logs a line for each that is asked for. */
function permissionsOf(
  plugins: readonly string[],
  scan: PageScan,
  preferences: Preferences,
  log: Log,
): readonly PagePermission[] {
  const allowed = preferences.read(PERMISSIONS_PREFERENCE, allowedPermissions) ?? new Set(PAGE_PERMISSIONS);
  return PAGE_PERMISSIONS.filter((permission) => {
    const plugin = plugins.find((name) => permissionsOfPlugin(name).includes(permission));
    const by = plugin ?? scan.permissions.get(permission);
    if (by === undefined) {
      return false;
    }
    const outcome = allowed.has(permission)
      ? `Declared: ${DECLARATIONS[permission].permissions.join(', ')}.`
      : `Not declared: the preference “${PERMISSIONS_PREFERENCE}” doesn’t allow it.`;
    log(`The app asks for the ${permission}: ${plainText(by)}. ${outcome}`);
    return allowed.has(permission);
  });
}

/** A line for each element that has no effect. */
function noteElements(config: ConfigFile, log: Log): void {
  for (const name of config.otherElements.filter((each) => !SILENT_ELEMENTS.has(each))) {
    log(`config.xml: <${plainText(name)}> has no effect in this package.`);
  }
  if (config.accessOrigins.some((origin) => origin !== '*')) {
    log(
      'config.xml: <access> is not enforced. What the app may load is said by a Content-Security-Policy in its pages.',
    );
  }
}
