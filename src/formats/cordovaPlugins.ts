/** Plugins of Cordova by their names: other names of the same plugin, plugins that pages don't miss, and what pages call of the others. */

import { isPackageName } from './npmPackage.ts';

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

/** Something that web pages have no more: called without any plugin. */
export const WEB_SQL = 'WebSQL';

/** Plugins that cordova.js or the web stand in for: a package lacks only a part of them. */
export const PARTLY_THERE: ReadonlySet<string> = new Set([
  'cordova-plugin-device',
  'cordova-plugin-dialogs',
  'cordova-plugin-geolocation',
  'cordova-plugin-inappbrowser',
  'cordova-plugin-network-information',
  'cordova-plugin-vibration',
]);

/**
 * What pages call of plugins whose native code is not in a package, of those that cordova.js stands in for only what it lacks. A
 * name with dots is one wherever it stands; one without is a global variable. `new X` is a constructor, `.x` a method of anything,
 * `"x"` a text, `=x` a function that the pages define. The services of ng-cordova begin with `$`.
 */
export const PLUGIN_CALLS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    [WEB_SQL]: 'openDatabase',
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
    'cordova-plugin-battery-status': '"batterystatus" "batterylow" "batterycritical" $cordovaBatteryStatus',
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
    'cordova-plugin-customurlscheme': '=handleOpenURL plugins.launchmyapp',
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
    'cordova-plugin-inappbrowser': '.executeScript .insertCSS "loadstart" "loadstop" "loaderror" $cordovaInAppBrowser',
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
  }).map(([name, calls]) => [name, calls === '' ? [] : calls.split(/(?<!new) /)]),
);

/** Whether npm has a plugin of this name of today, as far as the name tells. */
export function isOnNpm(name: string): boolean {
  return PLUGIN_CALLS.has(name) || (isPackageName(name) && /(?:^|[/-])(?:cordova|phonegap)(?:-|$)/i.test(name));
}

/** Whether something is known of a plugin of this name. */
export function isKnownPlugin(name: string): boolean {
  const current = currentName(name);
  return current !== name || PLUGIN_CALLS.has(current) || harmlessPlugin(current) !== undefined;
}
