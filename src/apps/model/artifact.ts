import type { Resource } from '../../api/hypermedia/resource.ts';
import type { App } from './app.ts';
import { dateOf, selfUrl } from './members.ts';

const EXTENSIONS: Readonly<Record<string, string>> = { android: 'apk', ios: 'ipa', winphone: 'xap' };

/** A name for what was built of an app, for a service that proposes none. */
export function artifactName({ title, version }: Pick<App, 'title' | 'version'>, platform: string): string {
  const extension = Object.hasOwn(EXTENSIONS, platform) ? EXTENSIONS[platform] : undefined;
  const parts = [title, version, ...(extension === undefined ? [platform] : [])].filter((part) => part !== undefined);
  return `${parts.join('-')}.${extension ?? 'zip'}`;
}

/** A link that installs exactly one build. It carries no token of the account. */
export interface InstallLink {
  readonly platform: string;
  readonly url: string;
  readonly expiresAt: Date | undefined;
  /** The link's own resource, where it can be revoked. */
  readonly revokeUrl: string | undefined;
}

/** Reads the answer of the operation `share`; undefined when there is no link in it. Never throws. */
export function readInstallLink(resource: Resource, platform: string): InstallLink | undefined {
  const target = resource.links.find(({ rel }) => rel === 'install')?.target;
  return target === undefined || target.kind === 'template'
    ? undefined
    : { platform, url: target.url, expiresAt: dateOf(resource, 'expires_at'), revokeUrl: selfUrl(resource) };
}
