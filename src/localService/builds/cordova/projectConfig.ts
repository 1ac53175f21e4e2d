/**
 * The configuration of a Cordova project: the values of an app's config.xml that are known to be harmless, and nothing else.
 * Cordova itself copies names into build scripts, and paths into file operations.
 */
import { currentName, harmlessPlugin, isPackageName, isVersionRange } from '../../../formats/cordovaPlugins.ts';
import type { App, Platform } from '../../store/model.ts';
import { BuildError } from '../builder.ts';
import {
  escapeMarkup,
  firstText,
  givenId,
  numbersOfVersion,
  plainText,
  requireAppId,
  requireStartPage,
  requireVersion,
  websiteOf,
  VERSION_NUMBERS,
} from '../webApp.ts';
import type { ConfigFile, ConfigPlugin, Preference } from '../packages/packageConfig.ts';

export interface ProjectConfig {
  /** Reverse domain name, such as `com.example.app`. */
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly description: string;
  /** The first page of the app, relative to the web root. */
  readonly startPage: string;
  /** The website that the app shows instead of its first page. */
  readonly website: URL | undefined;
  /** Attributes of the root that are for one platform, such as `android-versionCode`. */
  readonly platformVersions: readonly (readonly [name: string, value: string])[];
  readonly preferences: readonly (readonly [name: string, value: string])[];
  /** Elements that name an origin or the start of a URL. */
  readonly origins: readonly { readonly element: OriginElement; readonly origin: string }[];
  readonly plugins: readonly ProjectPlugin[];
  /** The preference `AndroidPackageType`: `bundle` is what shops take, `apk` what devices install. */
  readonly androidPackageType: 'apk' | 'bundle';
}

/** A plugin of the engine. */
export interface ProjectPlugin {
  readonly name: string;
  /** The version that the engine has. */
  readonly version: string;
  readonly variables: Readonly<Record<string, string>>;
}

type OriginElement = 'access' | 'allow-navigation' | 'allow-intent';

export interface ConfigSource {
  readonly app: Pick<App, 'title' | 'package' | 'version' | 'description'>;
  /** `undefined`: the package has no config.xml. */
  readonly config: ConfigFile | undefined;
  readonly platform: Platform;
  /** The plugins that apps may use, with their versions. */
  readonly plugins: ReadonlyMap<string, string>;
  /** The files of the web root, with slashes. */
  readonly webFiles: ReadonlySet<string>;
  /** Receives a line for each part that is left out. */
  readonly log: (line: string) => void;
}

const ORIGIN = /^[\w.*:/+@%~,;=[\]-]{1,300}$/;
const VARIABLE_NAME = /^[A-Z_][A-Z0-9_]{0,99}$/;
const VARIABLE_VALUE = /^[\w .,:/@+=-]{0,500}$/;
const PLATFORM_VERSIONS: Readonly<Record<string, RegExp>> = {
  'android-versionCode': /^\d{1,9}$/,
  'ios-CFBundleVersion': VERSION_NUMBERS,
};
/**
 * Takes over the safe values of an app's config.xml. The fields of the app stand in for missing ones.
 *
 * @throws BuildError when the app cannot be built with these values
 */
export function checkConfig({ app, config, platform, plugins, webFiles, log }: ConfigSource): ProjectConfig {
  const isForPlatform = (part: { readonly platform: string | undefined }): boolean =>
    part.platform === undefined || part.platform === platform;
  for (const { name } of (config?.otherElements ?? []).filter(isForPlatform)) {
    log(`config.xml: <${plainText(name)}> is not supported, and left out.`);
  }
  const address = websiteOf(config);
  const website = address !== undefined && plainText(address.href) === address.href ? address : undefined;
  const preferences = (config?.preferences ?? []).filter(isForPlatform);
  const isPackageType = ({ name }: Preference): boolean => name.toLowerCase() === 'androidpackagetype';
  return {
    id: requireAppId(givenId(config?.id ?? '', app, log), platform, log),
    version: versionFor(platform, requireVersion(firstText(config?.version, app.version)), log),
    name: checkedName(firstText(config?.name, app.title)),
    description: plainText(firstText(config?.description, app.description)),
    startPage: requireStartPage(website === undefined ? config?.contentSrc : undefined, webFiles, log),
    website,
    platformVersions: Object.entries(config?.platformVersions ?? {}).filter(([name, value]) =>
      PLATFORM_VERSIONS[name]?.test(value),
    ),
    androidPackageType: preferences.find(isPackageType)?.value === 'bundle' ? 'bundle' : 'apk',
    preferences: preferences.flatMap((preference) => {
      const { name, value } = preference;
      const allowed = allowedPreference(name, value);
      if (allowed === undefined && !isPackageType(preference)) {
        log(`config.xml: the preference “${plainText(name)}” is not supported with this value, and left out.`);
      }
      return allowed === undefined ? [] : [allowed];
    }),
    origins: [
      ...checkedOrigins(config, log),
      ...(website === undefined ? [] : [{ element: 'allow-navigation', origin: `${website.origin}/*` } as const]),
    ],
    plugins: (config?.plugins ?? []).filter(isForPlatform).flatMap((plugin) => checkedPlugin(plugin, plugins, log)),
  };
}

/** An icon as config.xml names it. */
export interface Icon {
  readonly src: string;
  /** Pixels. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** The text of a config.xml for these values. */
export function configXml(config: ProjectConfig, icon: Icon | undefined): string {
  const { id, version, name, description, startPage, website, platformVersions, preferences, origins } = config;
  const attributes = [['id', id], ['version', version], ...platformVersions] as const;
  return `<?xml version="1.0" encoding="UTF-8"?>
<widget xmlns="http://www.w3.org/ns/widgets"${attributes
    .map(([attribute, value]) => ` ${attribute}="${escapeMarkup(value)}"`)
    .join('')}>
  <name>${escapeMarkup(name)}</name>
  <description>${escapeMarkup(description)}</description>
  <content src="${escapeMarkup(website?.href ?? startPage)}" />
${icon === undefined ? '' : iconXml(icon)}${origins
    .map(
      ({ element, origin }) =>
        `  <${element} ${element === 'access' ? 'origin' : 'href'}="${escapeMarkup(origin)}" />\n`,
    )
    .join('')}${preferences
    .map(([key, value]) => `  <preference name="${escapeMarkup(key)}" value="${escapeMarkup(value)}" />\n`)
    .join('')}</widget>
`;
}

function iconXml({ src, size }: Icon): string {
  return `  <icon src="${escapeMarkup(src)}"${size === undefined ? '' : ` width="${size.width}" height="${size.height}"`} />\n`;
}

/** Apple takes numbers only. */
function versionFor(platform: Platform, version: string, log: (line: string) => void): string {
  const numbers = numbersOfVersion(version);
  if (platform !== 'ios' || numbers === version) {
    return version;
  }
  log(`Version ${version}: iOS takes numbers only, so it is ${numbers} there.`);
  return numbers;
}

function checkedName(name: string): string {
  // In a resource of Android, a leading @ or ? is a reference to another one.
  const checked = plainText(name).replace(/^[@?\s]+/, '');
  if (checked === '') {
    throw new BuildError('Malformed config.xml: name is missing.');
  }
  return checked;
}

function checkedOrigins(config: ConfigFile | undefined, log: (line: string) => void): ProjectConfig['origins'] {
  const all = [
    ...(config?.accessOrigins ?? []).map((origin) => ({ element: 'access', origin }) as const),
    ...(config?.allowedNavigation ?? []).map((origin) => ({ element: 'allow-navigation', origin }) as const),
    ...(config?.allowedIntents ?? []).map((origin) => ({ element: 'allow-intent', origin }) as const),
  ];
  return all.filter(({ element, origin }) => {
    const isAllowed = ORIGIN.test(origin);
    if (!isAllowed) {
      log(`config.xml: <${element}> with “${plainText(origin)}” names no origin, and is left out.`);
    }
    return isAllowed;
  });
}

/**
 * @returns no plugin when the engine doesn't have it and apps don't need it
 * @throws BuildError for any other plugin that the engine doesn't have
 */
function checkedPlugin(
  { name: given, version, variables }: ConfigPlugin,
  plugins: ReadonlyMap<string, string>,
  log: (line: string) => void,
): readonly ProjectPlugin[] {
  const name = plugins.has(given) ? given : currentName(given);
  const installed = plugins.get(name);
  if (installed === undefined && harmlessPlugin(name) !== undefined) {
    log(`Plugin ${plainText(given)}: the app doesn’t need it.`);
    return [];
  }
  if (installed === undefined) {
    throw new BuildError(`Plugin not supported: ${plainText(given)}. ${waysToPlugin(name, version)}`);
  }
  if (version !== null && version !== installed) {
    log(`Plugin ${name}: version ${installed} of the engine is used. The app asks for ${plainText(version)}.`);
  }
  for (const [variable, value] of Object.entries(variables)) {
    if (!VARIABLE_NAME.test(variable) || !VARIABLE_VALUE.test(value)) {
      throw new BuildError(
        `Plugin ${name}: the variable “${plainText(variable)}” has a name or value that is not supported.`,
      );
    }
  }
  return [{ name, version: installed, variables }];
}

/** Advice for an app whose plugin isn't installed in Cordova. */
function waysToPlugin(name: string, version: string | null): string {
  return isPackageName(name) && (version === null || isVersionRange(version))
    ? 'It has native code, which only Cordova compiles. Run “Install Build Engine…” to get it from npm, or remove the plugin.'
    : 'It has native code, and only plugins from npm can be installed here. Name a version that npm has, or remove the plugin.';
}

/**
 * The preferences of config.xml that an app may set, with what their values look like, by lower-case name: Cordova does not mind
 * case. Left out are those that choose versions of build tools, and those that name files.
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

/** A preference that an app may set; `undefined` for any other, and for a value that it does not take. */
export function allowedPreference(name: string, value: string): readonly [name: string, value: string] | undefined {
  return ALLOWED_VALUES.get(name.toLowerCase())?.test(value) ? [name, value] : undefined;
}
