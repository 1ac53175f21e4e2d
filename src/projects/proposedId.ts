import { idFault } from '../configXml/checks/appId.ts';

/** Of a part that would begin with a digit, or that Java keeps for itself. */
const PREFIX = 'app_';

/**
 * An ID for an app that has none: of its Git remote, `https://github.com/owner/repo` as `com.github.owner.repo`; else of its name.
 *
 * @param remote address of a Git repository, as git takes it
 * @param name of the app
 */
export function proposedId(remote: string | undefined, name: string): string {
  const url = URL.parse(webAddressOf(remote ?? '') ?? '');
  const isName = url !== null && /[a-z]/i.test(url.hostname) && url.hostname.includes('.');
  const parts = isName
    ? [...url.hostname.split('.').toReversed(), ...url.pathname.replace(/\.git\/?$/, '').split('/')]
    : ['com', name, 'app'];
  const id = parts
    .map(partOf)
    .filter((part) => part !== '')
    .join('.');
  return idFault(id) === undefined ? id : 'com.example.app';
}

/** A part of an ID (Java Language Specification, §3.8 and §3.9). */
function partOf(text: string): string {
  const word = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return word === '' || idFault(`com.${word}`) === undefined ? word : PREFIX + word;
}

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
