/** Larger files are no configuration that a person wrote. */
const MAX_LENGTH = 100_000;

/**
 * The remote that a repository's configuration names (git-config, Syntax): `origin`, else the first one.
 *
 * @param config text of `.git/config`.
 * @returns an http(s) address without credentials; undefined when the remote has none.
 */
export function remoteOf(config: string): string | undefined {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.slice(0, MAX_LENGTH).split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) {
      remote = /^remote\s+"(.*)"\s*$/i.exec(section)?.[1];
    }
    const value = /^\s*(?:\[[^\]]*\]\s*)?url\s*=\s*(.*)$/i.exec(line)?.[1];
    if (remote !== undefined && value !== undefined && !urls.has(remote)) {
      urls.set(remote, valueOf(value));
    }
  }
  const address = urls.get('origin') ?? urls.values().next().value;
  return address === undefined ? undefined : webAddressOf(address);
}

/** The branch that is checked out. @param head text of `.git/HEAD` @returns undefined for a commit without a branch */
export function branchOf(head: string): string | undefined {
  return /^ref:\s*refs\/heads\/(\S+)\s*$/.exec(head.slice(0, MAX_LENGTH))?.[1];
}

/**
 * A remote as a web address, which is how services fetch repositories.
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

/** A value as git reads it: quotes are taken off, and a comment behind it. */
function valueOf(text: string): string {
  return text
    .replace(/^((?:"(?:\\.|[^"\\])*"|[^"#;])*)[#;].*$/, '$1')
    .replace(/"/g, '')
    .trim();
}
