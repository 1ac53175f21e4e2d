import path from 'node:path';
import type { Resource } from '../../api/hypermedia/resource.ts';
import { safeFileName } from '../../resources/downloads/fileName.ts';
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

/** Extensions of packages. The service’s name of a file chooses among these: a tool could run a file with another one. */
const PACKAGE_EXTENSION = /^\.(?:aab|apk|appx|ipa|msix|tgz|xap|zip)$/;

/** The name under which an agent saves a build: ours, with the service's ending where it is that of a package. */
export function packageFileName(
  app: Pick<App, 'title' | 'version'>,
  platform: string,
  suggested: string | undefined,
): string {
  const own = safeFileName(artifactName(app, platform));
  const extension = suggested === undefined ? '' : path.posix.extname(safeFileName(suggested)).toLowerCase();
  return PACKAGE_EXTENSION.test(extension)
    ? `${own.slice(0, own.length - path.posix.extname(own).length)}${extension}`
    : own;
}
