import type { StatusCalls } from './statusQuestion.ts';

/** The account in use, as far as watching needs it. */
export type Access =
  | SignedInAccess
  | { readonly kind: 'signedOut' }
  /** That cannot be known, or the local service does not start. */
  | { readonly kind: 'broken'; readonly error: unknown };

export interface SignedInAccess {
  readonly kind: 'signedIn';
  /** Identifies the account. */
  readonly account: string;
  /** Of the service. */
  readonly origin: string;
  /** The same value as long as the same connection is in use. */
  readonly calls: StatusCalls;
}
