import type { KeyObject } from 'node:crypto';

/** What a package is signed with. */
export interface Signer {
  readonly privateKey: KeyObject;
  /** DER, the key's own first, then its issuers. */
  readonly certificates: readonly Buffer[];
}

export async function openSigner(_key: unknown, _signal?: AbortSignal): Promise<Signer> {
  throw new Error('not merged yet');
}
