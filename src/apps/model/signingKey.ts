import type { Resource } from '../../api/hypermedia/resource.ts';

/** A signing key at the service. The file itself never comes back. */
export interface SigningKey {
  readonly url: string;
  readonly id: string;
  readonly platform: string;
  readonly title: string;
  readonly isDefault: boolean;
  /** Its password is not there: a build with it fails. Undefined when the service does not say. */
  readonly locked: boolean | undefined;
  readonly expiresAt: Date | undefined;
  readonly alias: string | undefined;
  readonly lastUsed: Date | undefined;
  readonly resource: Resource;
}

/** True for a resource that is a signing key by what it says of itself. */
export function isSigningKey(_resource: Resource): boolean {
  throw new Error('Not written yet.');
}

/** Reads a key. @param platform where the resource does not say. */
export function readSigningKey(_resource: Resource, _url: string, _platform: string): SigningKey {
  throw new Error('Not written yet.');
}
