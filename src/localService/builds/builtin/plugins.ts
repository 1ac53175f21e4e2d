/** Cordova plugins whose work the package, or the web itself, does. Every other one needs code that is not in the package. */

export interface KnownPlugin {
  readonly permissions?: readonly string[];
  /** Parts of a phone that the permissions mean, and that not all phones have. */
  readonly features?: readonly string[];
  /** A hint for the developer of the app; absent when nothing is different. */
  readonly note?: string;
}

const POSITION = ['ACCESS_COARSE_LOCATION', 'ACCESS_FINE_LOCATION'];
const CAMERA = ['CAMERA'];
const SOUND = ['RECORD_AUDIO', 'MODIFY_AUDIO_SETTINGS'];

/** By their names. */
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
      permissions: POSITION,
      features: ['location', 'location.gps', 'location.network'],
      note: 'the page asks by navigator.geolocation of the web.',
    },
    'cordova-plugin-network-information': {
      permissions: ['ACCESS_NETWORK_STATE'],
      note: 'navigator.connection is that of the web, without the constants of Connection.',
    },
    'cordova-plugin-vibration': {
      permissions: ['VIBRATE'],
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
      permissions: CAMERA,
      features: ['camera', 'camera.autofocus'],
      note: 'use <input type="file"> or getUserMedia of the web; there is no navigator.camera.',
    },
    'cordova-plugin-device-motion': { note: 'use the event devicemotion; there is no navigator.accelerometer.' },
    'cordova-plugin-device-orientation': { note: 'use the event deviceorientation; there is no navigator.compass.' },
    'cordova-plugin-globalization': { note: 'use Intl; there is no navigator.globalization.' },
    'cordova-plugin-media': { note: 'use Audio of the web; there is no Media.' },
    'cordova-plugin-media-capture': {
      permissions: [...CAMERA, ...SOUND],
      features: ['camera', 'camera.autofocus', 'microphone'],
      note: 'use getUserMedia of the web; there is no navigator.device.capture.',
    },
    'cordova-plugin-statusbar': {
      note: 'the preferences StatusBarBackgroundColor and StatusBarStyle count; there is no StatusBar.',
    },
  }),
);
