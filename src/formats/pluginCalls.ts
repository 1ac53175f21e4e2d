/** What scripts call of Cordova plugins. */
import { currentName, harmlessPlugin, isPackageName } from './cordovaPlugins.ts';

/** Something that scripts write to call a plugin. */
export interface Call {
  readonly plugin: string;
  /** Where it counts, see {@link PLUGIN_CALLS}. */
  readonly kind: 'anywhere' | 'global' | 'constructor' | 'declared';
  readonly words: readonly string[];
  /** As findings show it. */
  readonly shown: string;
  /** Whether it's a guess from the plugin's name, which scripts may write in another case. */
  readonly ignoresCase: boolean;
}

/**
 * What scripts call of plugins whose native code isn't in a package. Of plugins that cordova.js or the web stand in for, it's only what
 * they lack.
 *
 * Names with dots, and the services of ng-cordova (`$x`), count wherever they are. Other names count as global variables, and `new X` as
 * the constructor of one. `*x` is a common word: it counts behind a dot or in quotes, and only where the app names the plugin.
 */
export const PLUGIN_CALLS: ReadonlyMap<string, readonly Call[]> = new Map(
  Object.entries({
    // It isn't a plugin, but was a part of the web.
    WebSQL: 'openDatabase',
    'cordova-clipboard': 'cordova.plugins.clipboard $cordovaClipboard',
    'cordova-open-native-settings': 'cordova.plugins.settings',
    'cordova-plugin-actionsheet': 'plugins.actionsheet $cordovaActionSheet',
    'cordova-plugin-admob-free': 'admob.banner admob.interstitial admob.rewardvideo AdMob $cordovaAdMob',
    'cordova-plugin-advanced-http': 'plugin.http plugins.http cordovaHTTP',
    'cordova-plugin-android-permissions': 'plugins.permissions',
    'cordova-plugin-app-version': 'cordova.getAppVersion $cordovaAppVersion',
    'cordova-plugin-app-launcher': 'plugins.launcher',
    'cordova-plugin-apprate': 'AppRate $cordovaAppRate',
    'cordova-plugin-background-mode': 'plugins.backgroundMode',
    'cordova-plugin-badge': 'plugins.notification.badge $cordovaBadge',
    'cordova-plugin-battery-status': '*batterystatus *batterylow *batterycritical $cordovaBatteryStatus',
    'cordova-plugin-ble-central':
      'ble.scan ble.startScan ble.startScanWithOptions ble.connect ble.isEnabled ble.enable $cordovaBLE',
    'cordova-plugin-bluetooth-serial': 'bluetoothSerial $cordovaBluetoothSerial',
    'cordova-plugin-bluetoothle': 'bluetoothle',
    'cordova-plugin-calendar': 'plugins.calendar $cordovaCalendar',
    'cordova-plugin-camera': 'navigator.camera Camera.DestinationType Camera.PictureSourceType $cordovaCamera',
    'cordova-plugin-chrome-apps-sockets-tcp': 'chrome.sockets.tcp',
    'cordova-plugin-chrome-apps-sockets-udp': 'chrome.sockets.udp',
    'cordova-plugin-code-push': 'codePush',
    'cordova-plugin-contacts': 'navigator.contacts new ContactFindOptions new ContactField $cordovaContacts',
    'cordova-plugin-customurlscheme': 'plugins.launchmyapp',
    'cordova-plugin-datepicker': 'datePicker.show plugins.datePicker $cordovaDatePicker',
    'cordova-plugin-device': 'device.uuid device.serial device.manufacturer $cordovaDevice.getUUID',
    'cordova-plugin-device-motion': 'navigator.accelerometer $cordovaDeviceMotion',
    'cordova-plugin-device-orientation': 'navigator.compass $cordovaDeviceOrientation',
    'cordova-plugin-diagnostic': 'plugins.diagnostic',
    'cordova-plugin-dialogs': 'navigator.notification.beep',
    'cordova-plugin-email-composer': 'cordova.plugins.email $cordovaEmailComposer',
    'cordova-plugin-facebook4': 'facebookConnectPlugin $cordovaFacebook',
    'cordova-plugin-fcm': 'FCMPlugin',
    'cordova-plugin-fcm-with-dependecy-updated': 'FCMPlugin FCM.getToken FCM.onNotification',
    'cordova-plugin-file':
      'requestFileSystem resolveLocalFileSystemURL resolveLocalFileSystemURI cordova.file LocalFileSystem $cordovaFile',
    'cordova-plugin-file-opener2': 'plugins.fileOpener2 $cordovaFileOpener2',
    'cordova-plugin-file-transfer': 'new FileTransfer new FileUploadOptions $cordovaFileTransfer',
    'cordova-plugin-filechooser': 'fileChooser.open',
    'cordova-plugin-filepath': 'FilePath.resolveNativePath',
    'cordova-plugin-fingerprint-aio': 'Fingerprint.show Fingerprint.isAvailable',
    'cordova-plugin-firebase': 'FirebasePlugin',
    'cordova-plugin-firebasex': 'FirebasePlugin',
    'cordova-plugin-flashlight': 'plugins.flashlight $cordovaFlashlight',
    'cordova-plugin-fullscreen': 'AndroidFullScreen',
    // The web has it under the same name.
    'cordova-plugin-geolocation': '',
    'cordova-plugin-globalization': 'navigator.globalization $cordovaGlobalization',
    'cordova-plugin-google-analytics': 'ga.startTrackerWithId analytics.startTrackerWithId $cordovaGoogleAnalytics',
    'cordova-plugin-googlemaps': 'plugin.google.maps',
    'cordova-plugin-googleplus': 'plugins.googleplus $cordovaGooglePlus',
    'cordova-plugin-hot-code-push': 'chcp.fetchUpdate chcp.configure',
    'cordova-plugin-image-picker': 'imagePicker.getPictures $cordovaImagePicker',
    'cordova-plugin-inappbrowser': '*executeScript *insertCSS *loadstart *loadstop *loaderror $cordovaInAppBrowser',
    'cordova-plugin-insomnia': 'plugins.insomnia $cordovaInsomnia',
    'cordova-plugin-ionic-keyboard': 'Keyboard.hide Keyboard.show Keyboard.hideFormAccessoryBar plugins.Keyboard',
    'cordova-plugin-keyboard':
      'Keyboard.hide Keyboard.show Keyboard.shrinkView Keyboard.disableScrollingInShrinkView plugins.Keyboard',
    'cordova-plugin-local-notification':
      'plugins.notification.local plugin.notification.local $cordovaLocalNotification',
    'cordova-plugin-market': 'plugins.market',
    'cordova-plugin-media': 'new Media $cordovaMedia',
    'cordova-plugin-media-capture': 'device.capture $cordovaCapture',
    'cordova-plugin-music-controls': 'MusicControls.create',
    'cordova-plugin-native-page-transitions': 'plugins.nativepagetransitions',
    'cordova-plugin-nativeaudio': 'plugins.NativeAudio $cordovaNativeAudio',
    'cordova-plugin-nativestorage': 'NativeStorage.getItem NativeStorage.setItem NativeStorage.remove',
    'cordova-plugin-network-information':
      'Connection.NONE Connection.UNKNOWN Connection.WIFI Connection.ETHERNET Connection.CELL Connection.CELL_2G ' +
      'Connection.CELL_3G Connection.CELL_4G navigator.network $cordovaNetwork',
    'cordova-plugin-printer': 'cordova.plugins.printer $cordovaPrinter',
    'cordova-plugin-purchase':
      'CdvPurchase store.CONSUMABLE store.NON_CONSUMABLE store.PAID_SUBSCRIPTION store.validator',
    'cordova-plugin-qrscanner': 'QRScanner',
    'cordova-plugin-safariviewcontroller': 'SafariViewController',
    'cordova-plugin-screen-orientation': 'screen.orientation.lock screen.lockOrientation screen.unlockOrientation',
    'cordova-plugin-secure-storage': 'plugins.SecureStorage',
    'cordova-plugin-sms': 'SMS.sendSMS SMS.listSMS SMS.startWatch',
    'cordova-plugin-speechrecognition': 'plugins.speechRecognition',
    'cordova-plugin-statusbar':
      'StatusBar.hide StatusBar.show StatusBar.overlaysWebView StatusBar.styleDefault StatusBar.styleLightContent ' +
      'StatusBar.styleBlackTranslucent StatusBar.styleBlackOpaque StatusBar.backgroundColorByName ' +
      'StatusBar.backgroundColorByHexString StatusBar.isVisible $cordovaStatusbar',
    'cordova-plugin-streaming-media': 'plugins.streamingMedia',
    'cordova-plugin-themeablebrowser': 'cordova.ThemeableBrowser',
    'cordova-plugin-tts': 'TTS.speak',
    'cordova-plugin-uniquedeviceid': 'plugins.uniqueDeviceID',
    'cordova-plugin-vibration': 'navigator.notification.vibrate',
    'cordova-plugin-wifiwizard2': 'WifiWizard2',
    'cordova-plugin-x-socialsharing': 'plugins.socialsharing $cordovaSocialSharing',
    'cordova-plugin-x-toast': 'plugins.toast $cordovaToast',
    'cordova-plugin-zip': 'zip.unzip $cordovaZip',
    'cordova-sms-plugin': 'sms.send $cordovaSms',
    'cordova-sqlite-storage': 'sqlitePlugin $cordovaSQLite',
    'cordova-universal-links-plugin': 'universalLinks',
    'ionic-plugin-deeplinks': 'IonicDeeplink',
    'ionic-plugin-keyboard': 'plugins.Keyboard $cordovaKeyboard',
    'onesignal-cordova-plugin': 'plugins.OneSignal OneSignal.initialize',
    'phonegap-nfc': 'nfc.addNdefListener nfc.addTagDiscoveredListener nfc.addMimeTypeListener nfc.write $cordovaNfc',
    'phonegap-plugin-barcodescanner': 'plugins.barcodeScanner plugins.barcodescanner $cordovaBarcodeScanner',
    'phonegap-plugin-push':
      'PushNotification.init PushNotification.hasPermission PushNotification.createChannel plugins.pushNotification ' +
      '$cordovaPush $cordovaPushV5',
  }).map(([plugin, calls]) => [
    plugin,
    calls === '' ? [] : calls.split(/(?<!new) /).map((written) => callOf(plugin, written)),
  ]),
);

/** Whether npm is likely to have a plugin. @param name today's */
export function isOnNpm(name: string): boolean {
  return PLUGIN_CALLS.has(name) || (isPackageName(name) && /(?:^|[/-])(?:cordova|phonegap)(?:-|$)/i.test(name));
}

/** Whether this is a known name of a plugin, today's or an old one. */
export function isKnownPlugin(name: string): boolean {
  const current = currentName(name);
  return current !== name || PLUGIN_CALLS.has(current) || harmlessPlugin(current) !== undefined;
}

/** @param written as {@link PLUGIN_CALLS} has it */
function callOf(plugin: string, written: string): Call {
  const shown = written.replace(/^[*~]/, '');
  const words = shown.replace(/^new /, '').split('.');
  const ofName = words.length > 1 || shown.startsWith('$') ? 'anywhere' : 'global';
  const kind = written.startsWith('*') ? 'declared' : written.startsWith('new ') ? 'constructor' : ofName;
  return { plugin, kind, words, shown, ignoresCase: written.startsWith('~') };
}

/** Names of the web, and those that several plugins share. */
const NO_CLOBBER =
  /^(?:|window|navigator|cordova|plugins?|cordova\.plugins?|device|screen|open|alert|console|document|Promise|File|FileReader|Blob|Media|navigator\.(?:geolocation|connection|vibrate|device))$/;

/** What scripts call of a plugin that isn't in the table: the names that its plugin.xml gives them, or else guesses from its own name. */
export function callsOfUnknown(name: string, clobbers: readonly string[] = []): readonly Call[] {
  const given = clobbers.map((each) => each.trim().replace(/^window\./, '')).filter((each) => !NO_CLOBBER.test(each));
  return (given.length > 0 ? given : guessedCalls(name)).map((written) => callOf(currentName(name), written));
}

/** `cordova-plugin-foo-bar` is called `fooBar` or `FooBar`, and its words are below `plugins`, `cordova` or `navigator`, in any case (`~`). */
function guessedCalls(name: string): readonly string[] {
  const last = (name.split('/').at(-1) ?? '').replace(/^(?:[\w-]{1,50}\.){2,9}/, '');
  const words = last
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => !/^(?:|x|cordova|phonegap|ionic|plugin|plugins)$/i.test(word));
  const pascal = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  if (!/^[A-Za-z]\w{2,}$/.test(pascal)) {
    return [];
  }
  const camel = pascal.slice(0, 1).toLowerCase() + pascal.slice(1);
  const parts = words.filter((word) => word.length > 3);
  const below = [pascal, ...parts].map((each) => `~plugins.${each.toLowerCase()}`);
  const elsewhere = ['cordova', 'navigator'].map((parent) => `~${parent}.${pascal.toLowerCase()}`);
  const alone = words.length > 1 ? [camel, pascal] : [];
  return [...new Set([...below, ...elsewhere, ...alone, `$cordova${pascal}`])];
}
