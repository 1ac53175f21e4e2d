import type { App, PlatformBuild } from '../model/app.ts';

export interface RowContext {
  isWatched(appUrl: string): boolean;
  /** The app's builds in their latest state, without platforms that the service can't build for. */
  buildsOf(app: App): readonly PlatformBuild[];
  /** True when each new build of the app is installed on a phone. */
  installsBuilds(appUrl: string): boolean;
  isShared(appUrl: string): boolean;
  isLinked(appUrl: string): boolean;
  readonly hasFolder: boolean;
}

/** `viewItem` of a row: what it is, and each thing that can be done with it. The menus in package.json match it. */
export function contextValue(kind: string, flags: Readonly<Record<string, boolean>>): string {
  return [kind, ...Object.keys(flags).filter((name) => flags[name]), ''].join(';');
}
