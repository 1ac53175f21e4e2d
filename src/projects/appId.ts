import { idFault } from '../configXml/checks/appId.ts';
import { webAddressOf } from './webAddress.ts';

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
    .replace(/^_+|_+$/g, '')
    .slice(0, 40);
  return word === '' || idFault(`com.${word}`) === undefined ? word : PREFIX + word;
}
