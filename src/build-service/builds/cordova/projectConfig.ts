/**
 * Creates the configuration of a Cordova project from the values in the app's config.xml that are known to be safe.
 * Needed because Cordova copies names into build scripts and uses paths in file operations.
 */
import {
  type AppFiles,
  BuildError,
  type ConfigFile,
  type ConfigPlugin,
  currentName,
  escapeMarkup,
  firstText,
  getVersionNumbers,
  getWebsite,
  harmlessPlugin,
  isCapacitorPlugin,
  isPackageName,
  isVersionRange,
  type Platform,
  removeUnsafeCharacters,
  requireAppId,
  requireStartPage,
  requireVersion,
  VERSION_NUMBERS,
  type WriteLog,
  xmlAttributes,
} from '../../../android-package/index.ts';
import type { App } from '../../store/model.ts';

/** Validated values of a Cordova project. */
export interface ProjectConfig {
  /** Reverse domain name, such as `com.example.app`. */
  readonly id: string;
  readonly version: string;
  readonly name: string;
  /** Start page of the app, relative to the web root. */
  readonly startPage: string;
  readonly plugins: readonly InstalledPlugin[];
  /** The preference `AndroidPackageType`. App stores require `bundle`, and devices install `apk`. */
  readonly androidPackageType: 'apk' | 'bundle';
  /** Text of the config.xml. */
  readonly xml: string;
}

/** The input for a project's configuration. */
export interface ConfiguredJob {
  readonly app: Pick<App, 'title' | 'package' | 'version' | 'description'>;
  readonly platform: Platform;
  readonly source: Pick<AppFiles, 'config' | 'webFiles'>;
}

/** A plugin in the engine. */
interface InstalledPlugin {
  readonly name: string;
  /** Version in the engine. */
  readonly version: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Cordova's preference for the type of Android package, in lowercase. */
const PACKAGE_TYPE = 'androidpackagetype';
const ORIGIN = /^[\w.*:/+@%~,;=[\]-]{1,300}$/;
const VARIABLE_NAME = /^[A-Z_][A-Z0-9_]{0,99}$/;
const VARIABLE_VALUE = /^[\w .,:/@+=-]{0,500}$/;
const PLATFORM_VERSIONS: Readonly<Record<string, RegExp>> = {
  'android-versionCode': /^\d{1,9}$/,
  'ios-CFBundleVersion': VERSION_NUMBERS,
};

/**
 * Creates a configuration from the safe values in an app's config.xml. Uses the app's fields in place of missing
 * values.
 *
 * @param plugins plugins that apps can use, with their versions
 * @param icon the `<icon>` element, or an empty string
 * @param log receives a line for each omitted part
 * @throws BuildError if the app can't be built with these values
 */
export function projectConfig(
  { app, platform, source: { config, webFiles } }: ConfiguredJob,
  plugins: ReadonlyMap<string, string>,
  icon: string,
  log: WriteLog,
): ProjectConfig {
  for (const name of config.otherElements) {
    log(`config.xml: <${removeUnsafeCharacters(name)}> isn’t supported and is ignored.`);
  }
  const address = getWebsite(config);
  const website = address !== undefined && removeUnsafeCharacters(address.href) === address.href ? address : undefined;
  const id = requireAppId(config.id, app, platform, log);
  const version = versionFor(platform, requireVersion(firstText(config.version, app.version)), log);
  const name = checkedName(firstText(config.name, app.title));
  const startPage = requireStartPage(website === undefined ? config.contentSrc : 'index.html', webFiles, log);
  const packageType = config.preferences.findLast((each) => each.name.toLowerCase() === PACKAGE_TYPE)?.value;
  const attributes = {
    ...{ xmlns: 'http://www.w3.org/ns/widgets', id, version },
    ...Object.fromEntries(
      Object.entries(config.platformVersions).filter(([key, value]) => PLATFORM_VERSIONS[key]?.test(value)),
    ),
  };
  const lines = [
    `<name>${escapeMarkup(name)}</name>`,
    `<description>${escapeMarkup(removeUnsafeCharacters(firstText(config.description, app.description)))}</description>`,
    element('content', { src: website?.href ?? startPage }),
    ...(icon === '' ? [] : [icon]),
    ...originElements('access', 'origin', config.accessOrigins, log),
    ...originElements('allow-navigation', 'href', config.allowedNavigation, log),
    ...originElements('allow-intent', 'href', config.allowedIntents, log),
    ...(website === undefined ? [] : [element('allow-navigation', { href: `${website.origin}/*` })]),
    ...preferenceElements(config, log),
  ];
  return {
    ...{ id, version, name, startPage },
    plugins: config.plugins.flatMap((plugin) => checkedPlugin(plugin, plugins, log)),
    androidPackageType: packageType === 'bundle' ? 'bundle' : 'apk',
    xml: `<?xml version="1.0" encoding="UTF-8"?>
<widget${xmlAttributes(attributes)}>
${lines.map((line) => `  ${line}\n`).join('')}</widget>
`,
  };
}

/** Formats an element without content. */
export function element(name: string, attributes: Readonly<Record<string, string>>): string {
  return `<${name}${xmlAttributes(attributes)} />`;
}

/** Returns the version for a platform. Apple accepts only numeric versions. */
function versionFor(platform: Platform, version: string, log: WriteLog): string {
  const numbers = getVersionNumbers(version);
  if (platform !== 'ios' || numbers === version) {
    return version;
  }
  log(`Version ${version}: iOS accepts only numbers, so the version is ${numbers} there.`);
  return numbers;
}

function checkedName(name: string): string {
  // In an Android resource, a leading @ or ? would refer to another resource.
  const checked = removeUnsafeCharacters(name).replace(/^[@?\s]+/, '');
  if (checked === '') {
    throw new BuildError('Malformed config.xml: name is missing.');
  }
  return checked;
}

/** Returns the elements that contain an origin or a URL prefix. */
function originElements(
  name: 'access' | 'allow-navigation' | 'allow-intent',
  attribute: 'origin' | 'href',
  origins: readonly string[],
  log: WriteLog,
): readonly string[] {
  return origins.flatMap((origin) => {
    if (ORIGIN.test(origin)) {
      return [element(name, { [attribute]: origin })];
    }
    log(`config.xml: <${name}> with “${removeUnsafeCharacters(origin)}” doesn’t name an origin and is ignored.`);
    return [];
  });
}

function preferenceElements({ preferences }: ConfigFile, log: WriteLog): readonly string[] {
  return preferences.flatMap(({ name, value }) => {
    if (isAllowedPreference(name, value)) {
      return [element('preference', { name, value })];
    }
    if (name.toLowerCase() !== PACKAGE_TYPE) {
      log(
        `config.xml: the preference “${removeUnsafeCharacters(name)}” isn’t supported with this value and is ignored.`,
      );
    }
    return [];
  });
}

/**
 * Returns a plugin with its version in the engine.
 *
 * @returns an empty array if apps work without the plugin, or if it isn't a Cordova plugin
 * @throws BuildError for any other plugin that the engine doesn't have
 */
function checkedPlugin(
  { name: given, version, variables }: ConfigPlugin,
  plugins: ReadonlyMap<string, string>,
  log: WriteLog,
): readonly InstalledPlugin[] {
  if (isCapacitorPlugin(given)) {
    log(`Plugin ${removeUnsafeCharacters(given)}: it’s a Capacitor plugin, so Cordova builds the app without it.`);
    return [];
  }
  const name = plugins.has(given) ? given : currentName(given);
  const installed = plugins.get(name);
  if (installed === undefined && harmlessPlugin(name) !== undefined) {
    log(`Plugin ${removeUnsafeCharacters(given)}: the app doesn’t need it.`);
    return [];
  }
  if (installed === undefined) {
    throw new BuildError(`Plugin not supported: ${removeUnsafeCharacters(given)}. ${waysToPlugin(name, version)}`);
  }
  if (version !== null && version !== installed) {
    log(
      `Plugin ${name}: the engine’s version ${installed} is used. The app requests ${removeUnsafeCharacters(version)}.`,
    );
  }
  for (const [variable, value] of Object.entries(variables)) {
    if (!VARIABLE_NAME.test(variable) || !VARIABLE_VALUE.test(value)) {
      throw new BuildError(
        `Plugin ${name}: the variable “${removeUnsafeCharacters(variable)}” has a name or value that isn’t supported.`,
      );
    }
  }
  return [{ name, version: installed, variables }];
}

/** Returns advice for an app whose plugin isn't installed in the engine. */
function waysToPlugin(name: string, version: string | null): string {
  return isPackageName(name) && (version === null || isVersionRange(version))
    ? 'It has native code, which only Cordova can compile. Run “Install Engine…” to install it from npm, or remove the plugin.'
    : 'It has native code, and only plugins from npm can be installed here. Specify a version from npm, or remove the plugin.';
}

/**
 * Preferences that an app can set in its config.xml, with patterns for their values. Keyed by lowercase name, because
 * Cordova ignores case. Excludes preferences for versions of build tools or for files.
 *
 * https://cordova.apache.org/docs/en/latest/config_ref/#preference
 */
export const ALLOWED_VALUES: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      [
        /^(true|false)$/i,
        'AllowBackForwardNavigationGestures AllowInlineMediaPlayback AllowNewWindows AllowUntrustedCerts ' +
          'AndroidInsecureFileModeEnabled AutoHideSplashScreen DisallowOverscroll EnableViewportScale exit-on-suspend ' +
          'FadeSplashScreen Fullscreen HideKeyboardFormAccessoryBar InspectableWebview KeepRunning ' +
          'KeyboardDisplayRequiresUserAction MediaPlaybackAllowsAirPlay MediaPlaybackRequiresUserAction ' +
          'ResolveServiceWorkerRequests SetFullscreen ShowSplashScreen ShowSplashScreenSpinner ShowTitle ' +
          'StatusBarOverlaysWebView Suppresses3DTouchGesture SuppressesIncrementalRendering SuppressesLongPressGesture ' +
          'WKSuspendInBackground',
      ],
      [
        /^[A-Za-z][A-Za-z0-9_-]{0,49}$/,
        'AndroidLaunchMode AndroidPersistentFileLocation BackupWebStorage DefaultVolumeStream LogLevel ' +
          'MediaTypesRequiringUserActionForPlayback Orientation PreferredContentMode StatusBarStyle target-device ' +
          'TopActivityIndicator',
      ],
      [
        /^(0x|#)?[0-9a-f]{3,8}$/i,
        'AndroidWindowSplashScreenBackground BackgroundColor SplashScreenBackgroundColor StatusBarBackgroundColor',
      ],
      [/^\d{1,9}$/, 'FadeSplashScreenDuration LoadUrlTimeoutValue SplashScreenDelay'],
      [/^\d{1,6}(\.\d{1,6})?$/, 'deployment-target'],
      [/^\d{2}$/, 'android-minSdkVersion'],
      [/^[\w .,;:()/+-]{1,300}$/, 'AppendUserAgent OverrideUserAgent'],
      [/^[a-z0-9]([a-z0-9.-]{0,98}[a-z0-9])?$/i, 'hostname'],
      [/^[a-z][a-z0-9.-]{0,49}$/i, 'Scheme'],
    ] as const
  ).flatMap(([value, names]) => names.split(' ').map((name) => [name.toLowerCase(), value])),
);

/** Reports whether an app can set a preference to a value. */
export function isAllowedPreference(name: string, value: string): boolean {
  return ALLOWED_VALUES.get(name.toLowerCase())?.test(value) ?? false;
}
