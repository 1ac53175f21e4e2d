import { type Sentence, sentence } from '../../errors/index.ts';
import { JAVA_KEYWORDS, MAX_ID_LENGTH, toAndroidId } from '../../android-package/index.ts';
import { toDisplayText } from '../widget.ts';

/** Matches an Android ID. Cordova requires at least two characters in the first part. */
const ANDROID_ID = /^[A-Za-z][A-Za-z0-9_]+(?:\.[A-Za-z][A-Za-z0-9_]*)+$/;
/** Matches an iOS bundle ID. */
export const IOS_ID = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/;

/** Java keywords, and `Class`, which Cordova also rejects. */
const KEYWORDS: ReadonlySet<string> = new Set([...JAVA_KEYWORDS, 'Class']);

/**
 * Returns the first problem with an ID on any platform. Returns undefined for a valid ID, including an ID that builders
 * change for Android.
 */
export function idFault(id: string): Sentence | undefined {
  const parts = id.split('.');
  const keyword = parts.find((part) => KEYWORDS.has(part));
  if (keyword !== undefined) {
    return sentence('“{0}” in the app ID is a Java keyword, which Android doesn’t accept.', keyword);
  }
  if (id.length > MAX_ID_LENGTH) {
    return sentence(
      'The app ID has {0} characters. At most {1} are allowed.',
      String(id.length),
      String(MAX_ID_LENGTH),
    );
  }
  return ANDROID_ID.test(toAndroidId(id)) ? undefined : formFault(id, parts);
}

function formFault(id: string, parts: readonly string[]): Sentence {
  if (id.trim() !== id) {
    return sentence('The app ID can’t begin or end with white space.');
  }
  if (parts.length === 1) {
    return sentence('The app ID “{0}” has only one part.', toDisplayText(id));
  }
  if (parts.includes('')) {
    return sentence('The app ID “{0}” has a dot with nothing before or after it.', toDisplayText(id));
  }
  const foreign = /[^A-Za-z0-9_.-]/u.exec(id)?.[0];
  if (foreign !== undefined) {
    return sentence('The app ID “{0}” contains a character that isn’t allowed: “{1}”.', toDisplayText(id), foreign);
  }
  const wrongStart = parts.find((part) => !/^[A-Za-z]/.test(part));
  if (wrongStart !== undefined) {
    return sentence('“{0}” in the app ID must begin with a letter.', toDisplayText(wrongStart));
  }
  return parts[0]?.length === 1
    ? sentence('The first part of the app ID “{0}” is one letter. Android requires at least two.', toDisplayText(id))
    : sentence('The app ID “{0}” is malformed.', toDisplayText(id));
}

/** Returns the valid ID that was probably meant, or undefined if that isn't clear. */
export function suggestedId(id: string): string | undefined {
  const parts = id
    .trim()
    .replaceAll('-', '_')
    .split('.')
    // The Java Language Specification, §6.1, suggests an underscore.
    .map((part) => (KEYWORDS.has(part) ? `${part}_` : part));
  const suggestion = parts.length === 1 ? `com.example.${parts.join('')}` : parts.join('.');
  return idFault(suggestion) === undefined ? suggestion : undefined;
}

/** Prefix for a part that begins with a digit or is a Java keyword. */
const PREFIX = 'app_';

/**
 * Creates an ID for an app. Derives it from the Git remote (`https://github.com/owner/repo` becomes
 * `com.github.owner.repo`), or from the app's name if no remote exists.
 *
 * @param remote the address of a Git repository in any form that Git accepts
 * @param name the name of the app
 */
export function proposedId(remote: string | undefined, name: string): string {
  const url = URL.parse(toWebAddress(remote ?? '') ?? '');
  const isName = url !== null && /[a-z]/i.test(url.hostname) && url.hostname.includes('.');
  const parts = isName
    ? [...url.hostname.split('.').toReversed(), ...url.pathname.replace(/\.git\/?$/, '').split('/')]
    : ['com', name, 'app'];
  const id = parts
    .map(toIdPart)
    .filter((part) => part !== '')
    .join('.');
  return idFault(id) === undefined ? id : 'com.example.app';
}

/** Converts a string to one part of an ID (Java Language Specification, §3.8 and §3.9). */
function toIdPart(text: string): string {
  const word = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return word === '' || idFault(`com.${word}`) === undefined ? word : PREFIX + word;
}

/**
 * Converts a Git remote to a web address that services can fetch the repository from.
 *
 * @param address a URL or `user@host:path` (git-clone, Git URLs)
 * @returns the address without credentials, query, and fragment, or undefined if the address is a file or invalid
 */
export function toWebAddress(address: string): string | undefined {
  const [, host, path] = /^(?:[^@/\s]*@)?([\w-][\w.-]+):(?!\/\/|:)\/?(\S+)$/.exec(address) ?? [];
  const url = URL.parse(host !== undefined && path !== undefined ? `https://${host}/${path}` : address);
  if (url === null || !['http:', 'https:', 'ssh:', 'git:', 'git+ssh:'].includes(url.protocol) || url.hostname === '') {
    return undefined;
  }
  const web = URL.parse(`https://${url.hostname}${url.pathname}`);
  if (web === null || web.pathname === '/') {
    return undefined;
  }
  // A port for another protocol isn't valid for the web.
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    web.protocol = url.protocol;
    web.port = url.port;
  }
  return web.href;
}
