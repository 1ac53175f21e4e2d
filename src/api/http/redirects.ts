import { withoutCredentials } from '../credentials.ts';
import { RedirectError } from '../errors/responseErrors.ts';
import { isHttp } from '../hypermedia/url.ts';
import { MAX_ADDRESS_LENGTH, MAX_REDIRECTS } from '../limits.ts';
import type { Redactor } from '../redaction.ts';

const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308];

/** Which redirects are followed: none, those on the origin of the request, or (for downloads) those to any host, without credentials. */
export type RedirectPolicy = 'never' | 'sameOrigin' | 'anywhere';

/** One request of a call: the first, or the target of a redirect. */
export interface Hop {
  readonly method: string;
  readonly url: string;
  /** True when it or an earlier hop is on another origin than the first. Credentials are not attached again, even on the way back. */
  readonly leftOrigin: boolean;
}

export function isRedirect(status: number): boolean {
  return REDIRECT_STATUSES.includes(status);
}

/**
 * The request that a redirect leads to. Methods other than GET and HEAD carry secrets or change something: they are redirected
 * by a 303 only, to a GET (RFC 9110 §15.4.4).
 *
 * @param hops so far; the last one was redirected.
 * @param redactor knows the secrets in use: a target that repeats one is not handed on.
 * @throws {@link RedirectError}
 */
export function nextHop(
  { status, location }: { readonly status: number; readonly location: string | undefined },
  hops: readonly Hop[],
  policy: RedirectPolicy,
  redactor: Redactor,
): Hop {
  const last = hops.at(-1);
  if (last === undefined || location === undefined || location === '') {
    throw new RedirectError('noLocation');
  }
  const from = new URL(last.url);
  const to = location.length > MAX_ADDRESS_LENGTH ? null : URL.parse(location, last.url);
  if (to === null || !isHttp(to)) {
    throw new RedirectError('invalidLocation');
  }
  refuseUnsafeTarget(from, to, location, redactor);
  const safe = last.method === 'GET' || last.method === 'HEAD';
  if (policy === 'never' || (!safe && status !== 303)) {
    throw new RedirectError('unsafeMethod');
  }
  to.hash = '';
  const url = withoutCredentials(to.href);
  if (to.origin !== from.origin) {
    const repeatsSecret = redactor.containsSecret(url);
    if (policy !== 'anywhere' || !safe || repeatsSecret) {
      throw new RedirectError('elsewhere', repeatsSecret ? to.origin : url);
    }
  }
  const method = safe ? last.method : 'GET';
  if (hops.some((hop) => hop.method === method && withoutCredentials(hop.url) === url)) {
    throw new RedirectError('loop');
  }
  if (hops.length > MAX_REDIRECTS) {
    throw new RedirectError('tooMany');
  }
  return { method, url, leftOrigin: last.leftOrigin || to.origin !== from.origin };
}

/**
 * Refuses where nothing is asked for, whether a redirect or a link of the service leads there.
 *
 * @param written how the answer has it.
 * @throws {@link RedirectError} for an address without encryption, from one with it, and a host that is named after a secret.
 */
export function refuseUnsafeTarget(from: URL, to: URL, written: string, redactor: Redactor): void {
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new RedirectError('downgrade');
  }
  // Looking up the name would hand the secret on.
  const authority = authorityOf(written);
  if (to.origin !== from.origin && (redactor.containsSecretInHost(to.host) || redactor.containsSecret(authority))) {
    throw new RedirectError('secretElsewhere');
  }
}

/** The host, as it was sent: a URL writes hosts in small letters. */
function authorityOf(location: string): string {
  return location.replace(/^[^/\\]*[/\\]+/, '').split(/[/\\?#]/, 1)[0] ?? '';
}
