import { withoutCredentials } from '../credentials.ts';
import { RedirectError } from '../errors/responseErrors.ts';
import { isHttp } from '../hypermedia/url.ts';
import { MAX_ADDRESS_LENGTH, MAX_REDIRECTS } from '../limits.ts';
import type { Redactor } from '../redaction.ts';

const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Which redirects to follow: none, those within the request's origin, or (for downloads) all, without credentials on
 * other hosts.
 */
export type RedirectPolicy = 'never' | 'sameOrigin' | 'anywhere';

/** One request of a call: the first one, or the target of a redirect. */
export interface RedirectHop {
  readonly method: string;
  readonly url: string;
  /**
   * Whether this hop or an earlier one left the first origin. If so, credentials aren't attached again, even after a
   * redirect back.
   */
  readonly leftOrigin: boolean;
}

/** Reports whether a status is for a redirect with a target. */
export function isRedirect(status: number): boolean {
  return REDIRECT_STATUSES.includes(status);
}

/**
 * Returns the request that a redirect leads to. Requests other than GET and HEAD carry secrets or change something, so
 * only a 303 redirects them, as a GET (RFC 9110 §15.4.4).
 *
 * @param hops requests so far. The last one was redirected.
 * @param redactor contains the secrets in use. A redirect to another origin isn't followed if its target contains a
 * secret.
 * @throws {@link RedirectError}
 */
export function nextHop(
  { status, location }: { readonly status: number; readonly location: string | undefined },
  hops: readonly RedirectHop[],
  policy: RedirectPolicy,
  redactor: Redactor,
): RedirectHop {
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
 * Rejects a target that must not be requested, from either a redirect or a link.
 *
 * @param written target as written in the response.
 * @throws {@link RedirectError} when an encrypted address leads to an unencrypted one, or when the host name contains a
 * secret.
 */
export function refuseUnsafeTarget(from: URL, to: URL, written: string, redactor: Redactor): void {
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new RedirectError('downgrade');
  }
  // A DNS lookup of a host name that contains a secret would leak it.
  const authority = getAuthority(written);
  if (to.origin !== from.origin && (redactor.containsSecretInHost(to.host) || redactor.containsSecret(authority))) {
    throw new RedirectError('secretElsewhere');
  }
}

/** Returns the host as the service sent it. The URL parser converts hosts to lowercase. */
function getAuthority(location: string): string {
  return location.replace(/^[^/\\]*[/\\]+/, '').split(/[/\\?#]/, 1)[0] ?? '';
}
