import { sentence, type Sentence } from '../../api/errors/sentence.ts';

/** How a Capacitor plugin works in a package, with only WebView and its code for the web. */
export type PluginAbility =
  | { readonly kind: 'works' }
  /** It does nothing, and apps work without it. */
  | { readonly kind: 'harmless' }
  /** Every call to it fails or does nothing. */
  | { readonly kind: 'missing' }
  /** It works except for these functions. */
  | { readonly kind: 'lacks'; readonly functions: readonly string[] }
  /** It needs this package to work fully. */
  | { readonly kind: 'needs'; readonly package: string }
  | { readonly kind: 'differs'; readonly verdict: 'fine' | 'mayFail'; readonly how: Sentence };

const WORKS: PluginAbility = { kind: 'works' };
const HARMLESS: PluginAbility = { kind: 'harmless' };
const MISSING: PluginAbility = { kind: 'missing' };
const NEEDS_ELEMENTS: PluginAbility = { kind: 'needs', package: '@ionic/pwa-elements' };
const lacks = (...functions: readonly string[]): PluginAbility => ({ kind: 'lacks', functions });

/** `{0}` is the plugin. */
const NOT_ENCRYPTED: PluginAbility = {
  kind: 'differs',
  verdict: 'mayFail',
  how: sentence('{0} stores its values without encryption in the package.'),
};

/**
 * The plugins, by package. WebView has no `navigator.share`, `Notification`, `PushManager`, `speechSynthesis`, Web Bluetooth
 * or `screen.orientation.lock`, and doesn't let pages read the clipboard. Google and Facebook refuse sign-ins there.
 *
 * Sources: the code for the web of each package, Capacitor 8; @mdn/browser-compat-data, `webview_android`.
 */
export const CAPACITOR_PLUGINS: ReadonlyMap<string, PluginAbility> = new Map(
  Object.entries({
    '@capacitor/action-sheet': NEEDS_ELEMENTS,
    '@capacitor/app': lacks('getInfo', 'exitApp', 'minimizeApp'),
    '@capacitor/app-launcher': WORKS,
    '@capacitor/background-runner': MISSING,
    '@capacitor/barcode-scanner': WORKS,
    '@capacitor/browser': {
      kind: 'differs',
      verdict: 'fine',
      how: sentence('{0} opens the phone’s browser, and reports no events.'),
    },
    '@capacitor/camera': NEEDS_ELEMENTS,
    '@capacitor/clipboard': lacks('read'),
    '@capacitor/device': WORKS,
    '@capacitor/dialog': WORKS,
    '@capacitor/file-transfer': WORKS,
    '@capacitor/file-viewer': MISSING,
    '@capacitor/filesystem': {
      kind: 'differs',
      verdict: 'fine',
      how: sentence('{0} keeps files in the storage of the pages, where other apps can’t see them.'),
    },
    '@capacitor/geolocation': lacks('requestPermissions'),
    '@capacitor/google-maps': WORKS,
    '@capacitor/haptics': WORKS,
    '@capacitor/inappbrowser': MISSING,
    '@capacitor/keyboard': HARMLESS,
    '@capacitor/local-notifications': MISSING,
    '@capacitor/motion': WORKS,
    '@capacitor/network': WORKS,
    '@capacitor/preferences': WORKS,
    '@capacitor/privacy-screen': HARMLESS,
    '@capacitor/push-notifications': MISSING,
    '@capacitor/screen-orientation': lacks('lock'),
    '@capacitor/screen-reader': MISSING,
    '@capacitor/share': MISSING,
    '@capacitor/splash-screen': HARMLESS,
    '@capacitor/status-bar': HARMLESS,
    '@capacitor/storage': WORKS,
    '@capacitor/text-zoom': HARMLESS,
    '@capacitor/toast': NEEDS_ELEMENTS,
    '@capacitor/watch': MISSING,

    '@aparajita/capacitor-biometric-auth': MISSING,
    '@aparajita/capacitor-secure-storage': NOT_ENCRYPTED,
    '@capacitor-community/admob': MISSING,
    '@capacitor-community/apple-sign-in': MISSING,
    '@capacitor-community/background-geolocation': MISSING,
    '@capacitor-community/barcode-scanner': WORKS,
    '@capacitor-community/bluetooth-le': MISSING,
    '@capacitor-community/camera-preview': WORKS,
    '@capacitor-community/contacts': MISSING,
    '@capacitor-community/facebook-login': MISSING,
    '@capacitor-community/fcm': MISSING,
    '@capacitor-community/file-opener': MISSING,
    '@capacitor-community/in-app-review': MISSING,
    '@capacitor-community/keep-awake': WORKS,
    '@capacitor-community/media': MISSING,
    '@capacitor-community/native-audio': WORKS,
    '@capacitor-community/privacy-screen': HARMLESS,
    '@capacitor-community/safe-area': HARMLESS,
    '@capacitor-community/speech-recognition': MISSING,
    '@capacitor-community/sqlite': { kind: 'needs', package: 'jeep-sqlite' },
    '@capacitor-community/text-to-speech': MISSING,
    '@capacitor-firebase/authentication': lacks(
      ...['Apple', 'Facebook', 'Github', 'Google', 'Microsoft', 'PlayGames', 'Twitter', 'Yahoo'].map(
        (account) => `signInWith${account}`,
      ),
    ),
    '@capacitor-firebase/crashlytics': MISSING,
    '@capacitor-firebase/messaging': MISSING,
    '@capacitor-mlkit/barcode-scanning': lacks('scan', 'enableTorch', 'toggleTorch', 'openSettings'),
    '@capawesome/capacitor-app-update': MISSING,
    '@capawesome/capacitor-live-update': MISSING,
    '@capgo/capacitor-social-login': MISSING,
    '@capgo/capacitor-updater': MISSING,
    '@codetrix-studio/capacitor-google-auth': MISSING,
    '@revenuecat/purchases-capacitor': MISSING,
    'capacitor-native-biometric': MISSING,
    'capacitor-native-settings': MISSING,
    'capacitor-secure-storage-plugin': NOT_ENCRYPTED,
    'send-intent': MISSING,
  } satisfies Record<string, PluginAbility>),
);

/** Plugins that register only a name. For the others, a call with only their name isn't a registration. */
export const REGISTERED_BY_NAME: ReadonlySet<string> = new Set([
  '@capacitor-community/background-geolocation',
  '@capacitor-community/file-opener',
  '@capacitor/keyboard',
  '@capacitor/status-bar',
]);

/** The names that plugins register, if they differ from the names of their packages. */
export const REGISTERED_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '@aparajita/capacitor-biometric-auth': 'BiometricAuthNative',
    '@aparajita/capacitor-secure-storage': 'SecureStorage',
    '@capacitor-community/admob': 'AdMob',
    '@capacitor-community/apple-sign-in': 'SignInWithApple',
    '@capacitor-community/fcm': 'FCM',
    '@capacitor-community/sqlite': 'CapacitorSQLite',
    '@capacitor-firebase/authentication': 'FirebaseAuthentication',
    '@capacitor-firebase/crashlytics': 'FirebaseCrashlytics',
    '@capacitor-firebase/messaging': 'FirebaseMessaging',
    '@capacitor-mlkit/barcode-scanning': 'BarcodeScanner',
    '@capacitor/background-runner': 'CapacitorBackgroundRunner',
    '@capacitor/barcode-scanner': 'CapacitorBarcodeScanner',
    '@capacitor/google-maps': 'CapacitorGoogleMaps',
    '@capacitor/inappbrowser': 'InAppBrowser',
    '@capawesome/capacitor-app-update': 'AppUpdate',
    '@capawesome/capacitor-live-update': 'LiveUpdate',
    '@capgo/capacitor-social-login': 'SocialLogin',
    '@codetrix-studio/capacitor-google-auth': 'GoogleAuth',
    '@revenuecat/purchases-capacitor': 'Purchases',
    'capacitor-native-biometric': 'NativeBiometric',
    'capacitor-native-settings': 'NativeSettings',
    'capacitor-secure-storage-plugin': 'SecureStoragePlugin',
  }),
);
