import { escapeUTF8 } from 'entities/escape';
import { toUSVString } from 'node:util';

import { MAX_LOGGED_LENGTH } from './limits.ts';

/**
 * Hides secrets in text that is shown, logged, copied, or put into a document. Responses are parsed as sent, so
 * redaction never changes a value that is used in computations.
 *
 * - A known secret of eight or more characters is hidden everywhere, in its common spellings: verbatim, percent-encoded
 *   once or twice, form-encoded, JSON, HTML, and base64, including as a part of other data. The strings of a JSON
 *   document are decoded first. Chains of escapes, and invisible characters inside a secret, aren't handled.
 * - A shorter secret can't be distinguished from data, so it's hidden only after a name such as `token`.
 * - In logs and messages, every value after such a name is hidden, whether it's known or not.
 * - In JSON, only strings change, not numbers, literals, or structure. The name of a member changes only when it
 *   contains a secret of 16 or more characters, because no regular name contains one.
 */

/** Replacement for a hidden secret. */
export const REPLACEMENT = '***';

/** Minimum number of characters of a secret that can be distinguished from data. */
const MIN_SECRET_LENGTH = 8;

/** Minimum number of characters of a secret that is also hidden in member names. */
const MIN_SECRET_LENGTH_IN_NAMES = 16;

/** Names whose values are secrets, in a query, a form, or JSON. */
const SECRET_NAMES =
  'access_token|auth_token|refresh_token|id_token|client_secret|password|passwd|key_pw|keystore_pw|token|code|state';
/**
 * Names of JSON members whose values are secrets. Includes header names, because programs also write headers as JSON.
 */
export const SECRET_MEMBERS = `${SECRET_NAMES}|(?:proxy-)?authorization|(?:set-)?cookie`;

/** Equals sign, percent-encoded up to twice. */
const EQUALS = '=|%3D|%253D';

/** Percent-encoded `?`, `&`, `;`, or `#`, encoded once or twice. */
const ENCODED_SEPARATOR = '%(?:25)?(?:3F|26|3B|23)';

/** Matches `access_token=abc` in a URL, a URI template, or a form, which may be percent-encoded inside another URL. */
const QUERY_PARAMETER = new RegExp(
  `(^|[?&;#}\\s"'(]|${ENCODED_SEPARATOR})(${SECRET_NAMES})(${EQUALS})((?:(?!%26|%2526)[^&\\s"'<>#;])*)`,
  'gim',
);

/** Matches `"password": "abc"` in JSON or JavaScript. The value may be cut off, and it may be any type. */
const JSON_MEMBER = new RegExp(
  `(["'])(${SECRET_MEMBERS})\\1(\\s*:\\s*)(?:"(?:\\\\.|[^"\\\\])*(?:"|$)|'[^']*(?:'|$)|[^\\s,}\\]"']+)`,
  'gis',
);

/**
 * Matches the same member in JSON that's inside a JSON string: `\\"password\\":…`, with the same number of backslashes
 * before every quote.
 */
const ESCAPED_JSON_MEMBER = new RegExp(
  `(?<!\\\\)(\\\\{1,7})"(${SECRET_MEMBERS})\\1"(\\s*:\\s*)(?:\\1"(?:(?!\\1").)*(?:\\1"|$)|[^\\s,}\\]"'\\\\]+)`,
  'gis',
);

/** Matches `Authorization: abc` and cookies, up to the end of the line. */
const HEADER = /\b((?:proxy-)?authorization|(?:set-)?cookie)(\s*[:=]\s*)[^\r\n]+/gi;

/** Matches `Bearer abc` and `Basic abc` anywhere. The value of `Basic` must look like base64, not like a word. */
const AUTHORIZATION_SCHEME = /\b(Bearer\s+)[\w.~+/-]{8,}=*|\b(Basic\s+)(?=[a-z]*[A-Z0-9+/=])[A-Za-z0-9+/_-]{4,}={0,2}/g;

/** Matches `user:password@` in a URL. */
const USER_INFO = /(:\/\/)[^\s/?#]*@/g;

/** Pattern for the text before a secret value: `access_token=`, `"password": "`. */
const UNDER_SECRET_NAME = `((?:(?<!\\w)|(?<=${ENCODED_SEPARATOR}))(?:${SECRET_MEMBERS})["']?(?:\\s{0,20}[:=]\\s{0,20}|%3D|%253D)["']?)`;

/** Returns a URL for logs: origin, path, and parameter names. Text that isn't a URL is redacted as text. */
export function redactUrl(url: string, redactor = new Redactor()): string {
  const parsed = url.length > MAX_LOGGED_LENGTH ? null : URL.parse(url);
  if (parsed === null) {
    return redactor.redact(url);
  }
  const { origin, protocol, pathname, searchParams } = parsed;
  const start = protocol === 'https:' || protocol === 'http:' ? origin : protocol;
  const query = [...searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${REPLACEMENT}`).join('&');
  return redactor.redact(start + pathname + (query && `?${query}`));
}

/** Redacts text for a log or message like {@link Redactor.redact}, but without any known secrets. */
export function redact(text: string): string {
  return new Redactor().redact(text);
}

/** Spellings of the secrets in use. */
interface SecretSpellings {
  /**
   * Spellings of the secrets that are hidden everywhere. Sorted by length, longest first, because one may be the
   * beginning of another.
   */
  readonly inText: readonly string[];
  /** Spellings of secrets that are also hidden in the names of JSON members. */
  readonly inNames: readonly string[];
  /** Matches a shorter secret after a name such as `token`. */
  readonly short: RegExp | undefined;
  /** Spellings of all secrets. Text without any of them doesn't change. */
  readonly all: readonly string[];
}

/** Keeps track of the secrets in use and hides them in text. */
export class Redactor {
  /** Secrets, with the number of times each was added. */
  readonly #secrets = new Map<string, number>();
  /** Spellings of {@link #secrets}, created on first use. */
  #spellings: SecretSpellings | undefined;

  /**
   * Adds secrets.
   *
   * @returns a function that forgets them, unless they were also added elsewhere. Credentials that stay valid are never
   * forgotten.
   */
  add(...secrets: readonly string[]): () => void {
    let added = secrets.filter((secret) => secret !== '');
    for (const secret of added) {
      this.#secrets.set(secret, (this.#secrets.get(secret) ?? 0) + 1);
    }
    this.#spellings = undefined;
    return () => {
      for (const secret of added) {
        const count = (this.#secrets.get(secret) ?? 0) - 1;
        if (count > 0) {
          this.#secrets.set(secret, count);
        } else {
          this.#secrets.delete(secret);
        }
      }
      added = [];
      this.#spellings = undefined;
    };
  }

  get spellings(): SecretSpellings {
    if (this.#spellings === undefined) {
      const secrets = [...this.#secrets.keys()].sort((a, b) => b.length - a.length);
      const short = secrets
        .filter(({ length }) => length < MIN_SECRET_LENGTH)
        .map((secret) => secret.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
      this.#spellings = {
        inText: getSpellings(secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH)),
        inNames: getSpellings(secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH_IN_NAMES)),
        all: getSpellings(secrets),
        short: short.length === 0 ? undefined : new RegExp(`${UNDER_SECRET_NAME}(?:${short.join('|')})(?!\\w)`, 'gi'),
      };
    }
    return this.#spellings;
  }

  /** Reports whether a string is a known secret of any length. */
  isSecret(text: string): boolean {
    return this.#secrets.has(text);
  }

  /** Reports whether text contains a known secret of eight or more characters. */
  containsSecret(text: string): boolean {
    return this.spellings.inText.some((spelling) => text.includes(spelling));
  }

  /**
   * Reports whether a host contains a known secret. Ignores case, because hosts are lowercase, and dots, because a
   * label has at most 63 characters and a secret can be longer.
   */
  containsSecretInHost(host: string): boolean {
    const letters = toHostLetters(host);
    return this.spellings.inText
      .map(toHostLetters)
      .some((spelling) => spelling.length >= MIN_SECRET_LENGTH && letters.includes(spelling));
  }

  /** Returns the text with known secrets hidden. */
  hideSecrets(text: string): string {
    const { inText, short } = this.spellings;
    const named = short === undefined ? text : text.replace(short, `$1${REPLACEMENT}`);
    return inText.reduce((rest, spelling) => rest.replaceAll(spelling, REPLACEMENT), named);
  }

  /**
   * Redacts text for a log or message: hides known secrets and all values after names such as `token`. Text of more
   * than 32,768 characters is cut off. If the cut goes through a secret, the beginning of the secret is also removed.
   */
  redact(text: string): string {
    const short = text.length > MAX_LOGGED_LENGTH ? this.#cut(text) : this.hideSecrets(text);
    return short
      .replace(JSON_MEMBER, `$1$2$1$3"${REPLACEMENT}"`)
      .replace(ESCAPED_JSON_MEMBER, `$1"$2$1"$3$1"${REPLACEMENT}$1"`)
      .replace(HEADER, `$1$2${REPLACEMENT}`)
      .replace(QUERY_PARAMETER, `$1$2$3${REPLACEMENT}`)
      .replace(
        AUTHORIZATION_SCHEME,
        (_match, bearer: string | undefined, basic: string | undefined) => `${bearer ?? basic ?? ''}${REPLACEMENT}`,
      )
      .replace(USER_INFO, `$1${REPLACEMENT}@`);
  }

  #cut(text: string): string {
    const longest = this.spellings.inText[0]?.length ?? 0;
    const hidden = this.hideSecrets(text.slice(0, MAX_LOGGED_LENGTH));
    return `${toUSVString(hidden.slice(0, Math.max(0, hidden.length - longest)))}…`;
  }
}

function toHostLetters(host: string): string {
  return host.replaceAll('.', '').toLowerCase();
}

/** Returns the spellings of secrets in text, URLs, forms, JSON, HTML, and base64, without duplicates, longest first. */
function getSpellings(secrets: readonly string[]): readonly string[] {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    const wellFormed = toUSVString(secret);
    const json = JSON.stringify(secret).slice(1, -1);
    const percent = encodeURIComponent(wellFormed);
    const html = escapeUTF8(secret);
    for (const spelling of [
      secret,
      json,
      json.replaceAll('/', '\\/'),
      json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      percent,
      percent.replace(/%../g, (octet) => octet.toLowerCase()),
      encodeURIComponent(percent),
      new URLSearchParams([['', wellFormed]]).toString().slice(1),
      secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
      html,
      html.replaceAll('&apos;', '&#39;'),
      ...base64Spellings(secret),
    ]) {
      spellings.add(spelling);
    }
  }
  return [...spellings].sort((a, b) => b.length - a.length);
}

/**
 * Returns the base64 characters that depend only on the secret, for each of the three offsets that the secret can have.
 */
function base64Spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const core = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
