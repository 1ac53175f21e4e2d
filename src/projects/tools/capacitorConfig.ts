import type { PathValue, Value } from './configValue.ts';
import { readConfig } from './readConfig.ts';

/** In the order in which Capacitor's `loadConfig` asks for them. */
export const CAPACITOR_FILES = ['capacitor.config.ts', 'capacitor.config.js', 'capacitor.config.json'] as const;

/** What a capacitor.config says of an app. Source: capacitorjs.com/docs/config, and the pages of the two plugins. */
export interface CapacitorConfig {
  readonly appId: Value;
  readonly appName: Value;
  /** Folder of the pages. */
  readonly webDir: PathValue;
  readonly androidScheme: Value;
  readonly hostname: Value;
  /** Of the web view on Android. */
  readonly backgroundColor: Value;
  readonly splashScreen: {
    readonly backgroundColor: Value;
    /** In milliseconds, as the next one. */
    readonly launchShowDuration: Value;
    readonly launchFadeOutDuration: Value;
    readonly launchAutoHide: Value;
    readonly splashFullScreen: Value;
  };
  readonly statusBar: {
    readonly backgroundColor: Value;
    /** `DARK`, `LIGHT` or `DEFAULT`. */
    readonly style: Value;
    readonly overlaysWebView: Value;
  };
}

/** Reads a capacitor.config.ts, .js or .json; never throws. */
export async function readCapacitorConfig(text: string, fileName: string): Promise<CapacitorConfig> {
  const config = await readConfig(text, fileName);
  const ofAndroid = config.at('android', 'backgroundColor');
  const splashScreen = (key: string): Value => config.at('plugins', 'SplashScreen', key);
  const statusBar = (key: string): Value => config.at('plugins', 'StatusBar', key);
  return {
    appId: config.at('appId'),
    appName: config.at('appName'),
    webDir: config.path('webDir'),
    androidScheme: config.at('server', 'androidScheme'),
    hostname: config.at('server', 'hostname'),
    backgroundColor: ofAndroid.kind === 'absent' ? config.at('backgroundColor') : ofAndroid,
    splashScreen: {
      backgroundColor: splashScreen('backgroundColor'),
      launchShowDuration: splashScreen('launchShowDuration'),
      launchFadeOutDuration: splashScreen('launchFadeOutDuration'),
      launchAutoHide: splashScreen('launchAutoHide'),
      splashFullScreen: splashScreen('splashFullScreen'),
    },
    statusBar: {
      backgroundColor: statusBar('backgroundColor'),
      style: statusBar('style'),
      overlaysWebView: statusBar('overlaysWebView'),
    },
  };
}
