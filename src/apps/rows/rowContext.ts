import type { App, PlatformBuild } from '../model/app.ts';

/** State of this window that the rows of apps show. */
export interface RowContext {
  /** True while this window watches a build of the app. */
  isWatched(appUrl: string): boolean;
  /** The app's builds; of watched ones the latest state. */
  buildsOf(app: App): readonly PlatformBuild[];
  /** True when each new build of the app is installed on a phone. */
  installsBuilds(appUrl: string): boolean;
  /** True while this window shares a build of the app in the network. */
  isShared(appUrl: string): boolean;
  /** True when a folder of this window is built as the app. */
  isLinked(appUrl: string): boolean;
  /** True when there is a folder that could be linked to an app. */
  readonly hasFolder: boolean;
}

/** `viewItem` of a row: what it is, and each thing that can be done with it. The menus in package.json match it. */
export function contextValue(kind: string, flags: Readonly<Record<string, boolean>>): string {
  return [kind, ...Object.keys(flags).filter((name) => flags[name]), ''].join(';');
}
