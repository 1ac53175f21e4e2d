import { withoutCredentials } from '../credentials.ts';
import { RedirectError } from '../errors/redirectError.ts';
import type { Redactor } from '../redaction.ts';

const mostRedirects = 5;
const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/** What a caller allows: `never`, only on the origin of the request, or (for downloads) to any host without credentials. */
export type RedirectPolicy = 'never' | 'sameOrigin' | 'anywhere';

export interface Hop {
  readonly method: string;
  readonly url: string;
  /** True once the chain has left the origin it began at. Credentials are not attached again, even when it comes back. */
  readonly left: boolean;
}

export function isRedirect(status: number): boolean {
  return redirectStatuses.includes(status);
}

/**
 * Decides where a redirect leads. Methods other than GET and HEAD are followed for 303 only, as GET (RFC 9110 §15.4.4): they
 * carry secrets or change something.
 *
 * @param trail the hops so far; the last one was redirected.
 * @param redactor knows the secrets in use: a target that repeats one is not handed on.
 * @throws {@link RedirectError}
 */
export function nextHop(
  { status, location }: { readonly status: number; readonly location: string | undefined },
  trail: readonly Hop[],
  policy: RedirectPolicy,
  redactor: Redactor,
): Hop {
  const last = trail.at(-1);
  if (last === undefined || location === undefined || location === '') {
    throw new RedirectError('noLocation');
  }
  const from = new URL(last.url);
  if (!URL.canParse(location, last.url)) {
    throw new RedirectError('invalidLocation');
  }
  const to = new URL(location, last.url);
  if (to.protocol !== 'https:' && to.protocol !== 'http:') {
    throw new RedirectError('invalidLocation');
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new RedirectError('downgrade');
  }
  const safe = last.method === 'GET' || last.method === 'HEAD';
  if (policy === 'never' || (!safe && status !== 303)) {
    throw new RedirectError('unsafeMethod');
  }
  to.hash = '';
  const url = withoutCredentials(to.href);
  if (to.origin !== from.origin && (policy !== 'anywhere' || !safe || redactor.contains(url))) {
    throw new RedirectError('elsewhere', redactor.contains(url) ? new URL(url).origin : url);
  }
  const method = safe ? last.method : 'GET';
  if (trail.some((hop) => hop.method === method && withoutCredentials(hop.url) === url)) {
    throw new RedirectError('loop');
  }
  if (trail.length > mostRedirects) {
    throw new RedirectError('tooMany');
  }
  return { method, url, left: last.left || to.origin !== from.origin };
}
