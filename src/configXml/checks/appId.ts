import { type Sentence, sentence } from '../../api/errors/sentence.ts';
import { JAVA_KEYWORDS, toAndroidId } from '../../formats/appIdentity.ts';
import { MAX_ID_LENGTH } from '../../formats/limits.ts';
import { shown } from '../widget.ts';

/** Cordova wants two characters in the first part, and none but these. */
const ANDROID_ID = /^[A-Za-z][A-Za-z0-9_]+(?:\.[A-Za-z][A-Za-z0-9_]*)+$/;
/** The form that Apple takes. */
export const IOS_ID = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/;

/** Cordova refuses `Class`, too. */
const KEYWORDS: ReadonlySet<string> = new Set([...JAVA_KEYWORDS, 'Class']);

/** The problem of an id for all platforms; undefined for a valid one, also for one that builders change for Android. */
export function idFault(id: string): Sentence | undefined {
  const parts = id.split('.');
  const keyword = parts.find((part) => KEYWORDS.has(part));
  if (keyword !== undefined) {
    return sentence('“{0}” in the id of the app is a word of the language Java, which Android does not take.', keyword);
  }
  if (id.length > MAX_ID_LENGTH) {
    return sentence(
      'The id of the app has {0} characters; {1} are the most.',
      String(id.length),
      String(MAX_ID_LENGTH),
    );
  }
  return ANDROID_ID.test(toAndroidId(id)) ? undefined : formFault(id, parts);
}

function formFault(id: string, parts: readonly string[]): Sentence {
  if (id.trim() !== id) {
    return sentence('The id of the app must not begin or end with white space.');
  }
  if (parts.length === 1) {
    return sentence('The id “{0}” has one part only.', shown(id));
  }
  if (parts.includes('')) {
    return sentence('The id “{0}” has a dot with nothing before or behind it.', shown(id));
  }
  const foreign = /[^A-Za-z0-9_.-]/u.exec(id)?.[0];
  if (foreign !== undefined) {
    return sentence('The id “{0}” has a character that is not allowed: “{1}”.', shown(id), foreign);
  }
  const wrongStart = parts.find((part) => !/^[A-Za-z]/.test(part));
  if (wrongStart !== undefined) {
    return sentence('“{0}” in the id of the app must begin with a letter.', shown(wrongStart));
  }
  return parts[0]?.length === 1
    ? sentence('The first part of the id “{0}” is one letter: Android wants two or more.', shown(id))
    : sentence('The id “{0}” is malformed.', shown(id));
}

/** The id that was probably meant; undefined when that is not plain. */
export function suggestedId(id: string): string | undefined {
  const parts = id
    .trim()
    .replaceAll('-', '_')
    .split('.')
    // As the Java Language Specification advises, §6.1.
    .map((part) => (KEYWORDS.has(part) ? `${part}_` : part));
  const suggestion = parts.length === 1 ? `com.example.${parts.join('')}` : parts.join('.');
  return idFault(suggestion) === undefined ? suggestion : undefined;
}

/** Put before a part that begins with a digit, or that is a word of Java. */
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
