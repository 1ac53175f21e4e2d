import type { IncomingMessage } from 'node:http';

/**
 * Returns the path and query that a request asks for, or undefined if it asks for another host. A page on another host
 * name that resolves to this computer must not reach a server (DNS rebinding). The first line of a request may name a
 * host as well (RFC 9112 §3.2.2). Here, `//host` is a path.
 *
 * @param hosts names of the server in lowercase, with the port unless it's the default of the scheme
 */
export function getPathAtHosts(
  { headers, socket, url = '' }: IncomingMessage,
  hosts: ReadonlySet<string>,
): string | undefined {
  const host = headers.host?.toLowerCase() ?? '';
  if (!hosts.has(host)) {
    return undefined;
  }
  if (url.startsWith('/')) {
    return url;
  }
  const target = URL.parse(url);
  const protocol = 'encrypted' in socket ? 'https:' : 'http:';
  return target?.protocol === protocol && target.host === host ? target.pathname + target.search : undefined;
}
