import type { Resource } from '../../api/hypermedia/resource.ts';
import { dateOf, selfUrl } from './members.ts';

/** A link that installs exactly one build. It carries no token of the account. */
export interface InstallLink {
  readonly platform: string;
  /** Absolute. */
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
