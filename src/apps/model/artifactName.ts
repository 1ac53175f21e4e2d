import type { App } from './app.ts';

/** What the platforms' installers are called. */
const EXTENSIONS: Readonly<Record<string, string>> = { android: 'apk', ios: 'ipa', winphone: 'xap' };

/** A name for what was built of an app, for a service that proposes none. */
export function artifactName({ title, version }: Pick<App, 'title' | 'version'>, platform: string): string {
  const extension = Object.hasOwn(EXTENSIONS, platform) ? EXTENSIONS[platform] : undefined;
  const parts = [title, version, ...(extension === undefined ? [platform] : [])].filter((part) => part !== undefined);
  return `${parts.join('-')}.${extension ?? 'zip'}`;
}
