import * as vscode from 'vscode';
import { sentence, type Sentence } from '../../errors/index.ts';
import {
  currentName,
  getNativePlugin,
  harmlessPlugin,
  isCapacitorPlugin,
  NATIVE_PLUGINS,
} from '../../android-package/index.ts';
import { localize } from '../workbench/notifications.ts';
import { listText } from '../workbench/texts.ts';

/** The app's builder and the plugins that it supports. */
export interface PluginSupport {
  /** `builtin`, `cordova`, or undefined if the service doesn't specify its builder. */
  readonly builder: string | undefined;
  /**
   * Supported plugins, with the reason if one is unavailable on Android. Undefined if the service accepts any plugin or
   * doesn't list its plugins.
   */
  readonly plugins:
    | readonly { readonly name: string; readonly unavailable?: Readonly<Record<string, string | undefined>> }[]
    | undefined;
}

/** Returns the plugin support of a config.xml's service, or undefined if no service was queried. */
export type ReadPluginSupport = (config: vscode.Uri) => PluginSupport | undefined;

/**
 * Returns the Cordova plugins that a service supports, sorted. Includes the built-in builder's plugins if the app uses
 * that builder or its builder is unknown. Excludes earlier names and plugins that apps don't need.
 */
export function supportedPlugins(support: PluginSupport | undefined): readonly string[] {
  const servicePlugins = support?.plugins?.filter(({ unavailable }) => unavailable?.android === undefined) ?? [];
  const builtInPlugins = isBuiltIn(support) ? NATIVE_PLUGINS : [];
  const names = new Set([...servicePlugins.map(({ name }) => name), ...builtInPlugins]);
  const isUseful = (name: string): boolean => getNativePlugin(name) !== undefined || harmlessPlugin(name) === undefined;
  return [...names].filter((name) => !isCapacitorPlugin(name) && currentName(name) === name && isUseful(name)).sort();
}

/** Describes a plugin in one sentence. Returns undefined for an unknown plugin. @param name any name that the plugin has had */
export function describePlugin(name: string): string | undefined {
  const native = getNativePlugin(name);
  const purpose = native === undefined ? undefined : PURPOSES[native.family];
  return purpose === undefined ? undefined : localize(purpose);
}

/**
 * Returns sentences about a plugin's availability, the plugins it requires, and its permissions.
 *
 * @param name any name that the plugin has had
 */
export function pluginFacts(name: string, support: PluginSupport | undefined): readonly string[] {
  const { permissions = [], needs = [] } = getNativePlugin(name) ?? {};
  return [
    availability(currentName(name), support),
    ...(needs.length === 0 ? [] : [vscode.l10n.t('Requires: {0}', listText(needs))]),
    ...(permissions.length === 0 ? [] : [vscode.l10n.t('Android permissions: {0}', listText(permissions))]),
  ];
}

/** Returns a sentence about a plugin's availability. @param name the plugin's current name */
function availability(name: string, support: PluginSupport | undefined): string {
  const servicePlugin = support?.plugins?.find((plugin) => currentName(plugin.name) === name);
  const reason = servicePlugin?.unavailable?.android;
  if (isBuiltIn(support) && getNativePlugin(name) !== undefined) {
    return vscode.l10n.t('Supported: the built-in builder includes its native code.');
  }
  if (harmlessPlugin(name) !== undefined) {
    return vscode.l10n.t('Not needed on Android. Builds work with and without it.');
  }
  if (reason !== undefined) {
    return vscode.l10n.t('Not available for Android on this computer: {0}', reason);
  }
  if (servicePlugin !== undefined) {
    return vscode.l10n.t('Supported by the service.');
  }
  if (isBuiltIn(support)) {
    return vscode.l10n.t('Not available in the built-in builder. Install the Cordova engine to use it.');
  }
  return support?.plugins === undefined
    ? vscode.l10n.t('The service doesn’t list its plugins.')
    : vscode.l10n.t('Not available from the service.');
}

function isBuiltIn(support: PluginSupport | undefined): boolean {
  return support === undefined || support.builder === 'builtin';
}

/** Descriptions of plugins, keyed by the family of their native code. */
const PURPOSES: Readonly<Record<string, Sentence>> = {
  Accessibility: sentence('Reads the accessibility settings of the phone.'),
  AdvancedHttp: sentence('Sends HTTP requests without CORS, and downloads and uploads files.'),
  App: sentence('Opens the app from links, and passes the address to it.'),
  AppVersion: sentence('Reads the name, ID, and version of the app.'),
  Badge: sentence('Shows a number on the icon of the app.'),
  Bars: sentence('Controls the status bar, the splash screen, and full-screen mode.'),
  Browser: sentence('Opens websites in a browser tab above the app.'),
  Calendars: sentence('Creates, finds, and changes events in the calendar.'),
  Camera: sentence('Takes photos, videos, and audio recordings, or picks them from the gallery.'),
  Chooser: sentence('Lets users choose files on the phone.'),
  Clipboard: sentence('Copies and pastes text.'),
  Contacts: sentence('Finds, creates, and changes contacts.'),
  CordovaFiles: sentence('Reads and writes files, and unpacks ZIP archives.'),
  Device: sentence('Reads the model, system version, and battery level of the phone.'),
  Dialogs: sentence('Shows native dialogs and toasts.'),
  Geolocation: sentence('Gets the location of the phone.'),
  Globalization: sentence('Reads the language, and formats dates and numbers for it.'),
  Haptics: sentence('Makes the phone vibrate.'),
  InAppBrowser: sentence('Opens websites in a browser inside the app.'),
  Keyboard: sentence('Shows and hides the keyboard, and reports its height.'),
  Launcher: sentence('Opens other apps, files, settings, and phone calls.'),
  LocalNotifications: sentence('Schedules notifications that appear even while the app is closed.'),
  Media: sentence('Plays and records audio.'),
  Network: sentence('Reports the type of the network connection.'),
  Permissions: sentence('Checks and requests Android permissions.'),
  Pickers: sentence('Shows native date pickers and action sheets.'),
  Preferences: sentence('Stores values on the phone.'),
  Screen: sentence('Keeps the screen on, and locks its orientation.'),
  Sensors: sentence('Reads the accelerometer and the compass.'),
  Share: sentence('Shares text and files, and writes emails and text messages.'),
  Speech: sentence('Speaks text.'),
  Sqlite: sentence('Stores data in SQLite databases.'),
  Transfers: sentence('Downloads and uploads files.'),
};
