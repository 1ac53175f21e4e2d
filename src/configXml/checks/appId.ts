import { type Sentence, sentence } from '../../api/errors/sentence.ts';
import { MAX_ID_LENGTH } from '../limits.ts';
import { shown } from '../value.ts';

/** Cordova wants two characters in the first part, and none but these. */
const ANDROID_ID = /^[A-Za-z][A-Za-z0-9_]+(?:\.[A-Za-z][A-Za-z0-9_]*)+$/;
/** The form that Apple takes. */
export const IOS_ID = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/;

/** Java Language Specification, §3.9: no part of a package has such a name. Cordova refuses `Class`, too. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'Class abstract assert boolean break byte case catch char class const continue default do double else enum extends ' +
    'false final finally float for goto if implements import instanceof int interface long native new null package ' +
    'private protected public return short static strictfp super switch synchronized this throw throws transient true ' +
    'try void volatile while'
  ).split(' '),
);

/** The id that Android has where iOS has this one: as cordova-android does, hyphens become underscores. */
export function androidIdOf(id: string): string {
  return id.replaceAll('-', '_');
}

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
  return ANDROID_ID.test(androidIdOf(id)) ? undefined : formFault(id, parts);
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
