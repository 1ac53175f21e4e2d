/**
 * A Git remote as a web address, which is how services fetch repositories.
 *
 * @param address as git takes it (git-clone, Git URLs): a URL, or `user@host:path`.
 * @returns without credentials, query and fragment; undefined for a file, or what is no address.
 */
export function webAddressOf(address: string): string | undefined {
  const [, host, path] = /^(?:[^@/\s]*@)?([\w-][\w.-]+):(?!\/\/|:)\/?(\S+)$/.exec(address) ?? [];
  const url = URL.parse(host !== undefined && path !== undefined ? `https://${host}/${path}` : address);
  if (url === null || !['http:', 'https:', 'ssh:', 'git:', 'git+ssh:'].includes(url.protocol) || url.hostname === '') {
    return undefined;
  }
  const web = URL.parse(`https://${url.hostname}${url.pathname}`);
  if (web === null || web.pathname === '/') {
    return undefined;
  }
  // The port of another protocol is none of the web.
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    web.protocol = url.protocol;
    web.port = url.port;
  }
  return web.href;
}
