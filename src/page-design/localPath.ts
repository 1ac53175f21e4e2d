/** An origin that no server has. Only an address without an origin of its own stays on it. */
const OWN_ORIGIN = 'https://own.invalid';

/**
 * Returns the path, query, and fragment of an address on the origin of a server that redirects to it. Prevents open
 * redirects.
 *
 * @param address untrusted path, relative to the root of the server
 * @param otherwise path to use if the address is empty or leads to another origin
 */
export function localPath(address: string, otherwise: string): string {
  const url = address === '' ? null : URL.parse(address, OWN_ORIGIN);
  // Browsers treat a path that begins with two slashes as a host.
  return url?.origin === OWN_ORIGIN && !url.pathname.startsWith('//') ? url.href.slice(OWN_ORIGIN.length) : otherwise;
}
