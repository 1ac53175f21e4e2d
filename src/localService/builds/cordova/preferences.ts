/**
 * The preferences of config.xml that an app may set, with what their values look like. Left out are those that choose
 * versions of build tools, and those that name files.
 */

const BOOLEAN = /^(true|false)$/i;
const NUMBER = /^\d{1,9}$/;
const DECIMAL = /^\d{1,6}(\.\d{1,6})?$/;
const WORD = /^[A-Za-z][A-Za-z0-9_-]{0,49}$/;
const COLOUR = /^(0x|#)?[0-9a-f]{3,8}$/i;
const API_LEVEL = /^\d{2}$/;
const TEXT = /^[\w .,;:()/+-]{1,300}$/;

/** What values may look like, by lower-case name: Cordova does not mind case. https://cordova.apache.org/docs/en/latest/config_ref/#preference */
export const ALLOWED_VALUES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    AllowBackForwardNavigationGestures: BOOLEAN,
    AllowInlineMediaPlayback: BOOLEAN,
    AllowNewWindows: BOOLEAN,
    AllowUntrustedCerts: BOOLEAN,
    AndroidInsecureFileModeEnabled: BOOLEAN,
    'android-minSdkVersion': API_LEVEL,
    AndroidLaunchMode: WORD,
    AndroidPersistentFileLocation: WORD,
    AndroidWindowSplashScreenBackground: COLOUR,
    AppendUserAgent: TEXT,
    AutoHideSplashScreen: BOOLEAN,
    BackgroundColor: COLOUR,
    BackupWebStorage: WORD,
    DefaultVolumeStream: WORD,
    'deployment-target': DECIMAL,
    DisallowOverscroll: BOOLEAN,
    EnableViewportScale: BOOLEAN,
    'exit-on-suspend': BOOLEAN,
    FadeSplashScreen: BOOLEAN,
    FadeSplashScreenDuration: NUMBER,
    Fullscreen: BOOLEAN,
    HideKeyboardFormAccessoryBar: BOOLEAN,
    hostname: /^[a-z0-9]([a-z0-9.-]{0,98}[a-z0-9])?$/i,
    InspectableWebview: BOOLEAN,
    KeepRunning: BOOLEAN,
    KeyboardDisplayRequiresUserAction: BOOLEAN,
    LoadUrlTimeoutValue: NUMBER,
    LogLevel: WORD,
    MediaPlaybackAllowsAirPlay: BOOLEAN,
    MediaPlaybackRequiresUserAction: BOOLEAN,
    MediaTypesRequiringUserActionForPlayback: WORD,
    Orientation: WORD,
    OverrideUserAgent: TEXT,
    PreferredContentMode: WORD,
    ResolveServiceWorkerRequests: BOOLEAN,
    Scheme: /^[a-z][a-z0-9.-]{0,49}$/i,
    SetFullscreen: BOOLEAN,
    ShowSplashScreen: BOOLEAN,
    ShowSplashScreenSpinner: BOOLEAN,
    ShowTitle: BOOLEAN,
    SplashScreenBackgroundColor: COLOUR,
    SplashScreenDelay: NUMBER,
    StatusBarBackgroundColor: COLOUR,
    StatusBarOverlaysWebView: BOOLEAN,
    StatusBarStyle: WORD,
    Suppresses3DTouchGesture: BOOLEAN,
    SuppressesIncrementalRendering: BOOLEAN,
    SuppressesLongPressGesture: BOOLEAN,
    'target-device': WORD,
    TopActivityIndicator: WORD,
    WKSuspendInBackground: BOOLEAN,
  }).map(([name, value]) => [name.toLowerCase(), value]),
);

/** A preference that an app may set; `undefined` for any other, and for a value that it does not take. */
export function allowedPreference(name: string, value: string): readonly [name: string, value: string] | undefined {
  return ALLOWED_VALUES.get(name.toLowerCase())?.test(value) ? [name, value] : undefined;
}
