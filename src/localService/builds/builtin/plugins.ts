/** Cordova plugins whose work the package, or the web itself, does. Every other one needs code that is not in the package. */

export interface KnownPlugin {
  /** A hint for the developer of the app; absent when nothing is different. */
  readonly note?: string;
}

/** By their names. Permissions of some are in `formats/pagePermissions.ts`. */
export const KNOWN_PLUGINS: ReadonlyMap<string, KnownPlugin> = new Map<string, KnownPlugin>(
  Object.entries({
    // Android, its WebView or the shell do it by themselves.
    'cordova-plugin-androidx': {},
    'cordova-plugin-androidx-adapter': {},
    'cordova-plugin-console': {},
    'cordova-plugin-crosswalk-webview': {},
    'cordova-plugin-ionic-webview': {},
    'cordova-plugin-legacy-whitelist': {},
    'cordova-plugin-splashscreen': {},
    'cordova-plugin-whitelist': {},
    'cordova-plugin-wkwebview-engine': {},
    // The web has it under the same name.
    'cordova-plugin-geolocation': {
      note: 'the page asks by navigator.geolocation of the web.',
    },
    'cordova-plugin-network-information': {
      note: 'navigator.connection is that of the web, without the constants of Connection.',
    },
    'cordova-plugin-vibration': {
      note: 'the page uses navigator.vibrate of the web.',
    },
    // cordova.js has what pages call.
    'cordova-plugin-device': { note: 'device tells the model and the version; uuid and serial are empty.' },
    'cordova-plugin-dialogs': { note: 'navigator.notification shows the dialogs of the web, with their own buttons.' },
    'cordova-plugin-inappbrowser': {
      note: 'cordova.InAppBrowser.open opens the browser of the phone, and tells no events.',
    },
    // The web has it under another name.
    'cordova-plugin-battery-status': { note: 'use navigator.getBattery of the web; there is no event batterystatus.' },
    'cordova-plugin-camera': {
      note: 'use <input type="file"> or getUserMedia of the web; there is no navigator.camera.',
    },
    'cordova-plugin-device-motion': { note: 'use the event devicemotion; there is no navigator.accelerometer.' },
    'cordova-plugin-device-orientation': { note: 'use the event deviceorientation; there is no navigator.compass.' },
    'cordova-plugin-globalization': { note: 'use Intl; there is no navigator.globalization.' },
    'cordova-plugin-media': { note: 'use Audio of the web; there is no Media.' },
    'cordova-plugin-media-capture': {
      note: 'use getUserMedia of the web; there is no navigator.device.capture.',
    },
    'cordova-plugin-statusbar': {
      note: 'the preferences StatusBarBackgroundColor and StatusBarStyle count; there is no StatusBar.',
    },
  }),
);
