import { escapeUTF8 } from 'entities/escape';
import { toUSVString } from 'node:util';

import { MAX_LOGGED_LENGTH } from './limits.ts';

/**
 * Hides secrets in what is shown, logged, copied or put into a document. What is read is parsed as it was sent: nothing here
 * touches a value that is computed with.
 *
 * - A secret of eight characters or more that is known is hidden wherever it stands in one of its usual spellings: as it is,
 *   percent-encoded once or twice, as in a form, in JSON, in HTML, and in base64 as part of anything. The strings of a JSON
 *   document are decoded before. Chains of escapes, and characters that are not seen between those of a secret, are not undone.
 * - A shorter one cannot be distinguished from data: it is hidden where it stands under a secret's name.
 * - In logs and messages, everything that stands under a secret's name is hidden, known or not.
 * - In JSON only strings change: no number, literal or structure. The name of a member changes when it holds a secret of 16
 *   characters or more, which no name of a service's own is.
 */

/** Stands for what is hidden. */
export const REPLACEMENT = '***';

/** Characters of a secret that can be distinguished from data. */
const MIN_SECRET_LENGTH = 8;

/** Characters of a secret that is hidden in the names of members as well. */
const MIN_SECRET_LENGTH_IN_NAMES = 16;

/** Names whose values are secrets, in a query, a form or JSON. */
const SECRET_NAMES =
  'access_token|auth_token|refresh_token|id_token|client_secret|password|passwd|key_pw|keystore_pw|token|code|state';
/** Names of JSON members whose values are secrets: headers are written as JSON, too. */
export const SECRET_MEMBERS = `${SECRET_NAMES}|(?:proxy-)?authorization|(?:set-)?cookie`;

/** `=`, percent-encoded up to twice. */
const EQUALS = '=|%3D|%253D';

/** `?`, `&`, `;` or `#`, percent-encoded up to twice. */
const ENCODED_SEPARATOR = '%(?:25)?(?:3F|26|3B|23)';

/** `access_token=abc` in a URL, a URI template or a form, which may be percent-encoded inside another URL. */
const QUERY_PARAMETER = new RegExp(
  `(^|[?&;#}\\s"'(]|${ENCODED_SEPARATOR})(${SECRET_NAMES})(${EQUALS})((?:(?!%26|%2526)[^&\\s"'<>#;])*)`,
  'gim',
);

/** `"password": "abc"` in JSON or JavaScript; the value may be cut off, or no string. */
const JSON_MEMBER = new RegExp(
  `(["'])(${SECRET_MEMBERS})\\1(\\s*:\\s*)(?:"(?:\\\\.|[^"\\\\])*(?:"|$)|'[^']*(?:'|$)|[^\\s,}\\]"']+)`,
  'gis',
);

/** The same in JSON inside a JSON string: `\\"password\\":…`, with as many backslashes before every quote. */
const ESCAPED_JSON_MEMBER = new RegExp(
  `(?<!\\\\)(\\\\{1,7})"(${SECRET_MEMBERS})\\1"(\\s*:\\s*)(?:\\1"(?:(?!\\1").)*(?:\\1"|$)|[^\\s,}\\]"'\\\\]+)`,
  'gis',
);

/** `Authorization: abc` and cookies, to the end of the line. */
const HEADER = /\b((?:proxy-)?authorization|(?:set-)?cookie)(\s*[:=]\s*)[^\r\n]+/gi;

/** `Bearer abc` and `Basic abc` anywhere. What follows `Basic` has to look like base64, and not like a word. */
const AUTHORIZATION_SCHEME = /\b(Bearer\s+)[\w.~+/-]{8,}=*|\b(Basic\s+)(?=[a-z]*[A-Z0-9+/=])[A-Za-z0-9+/_-]{4,}={0,2}/g;

/** `user:password@` in a URL. */
const USER_INFO = /(:\/\/)[^\s/?#]*@/g;

/** Source of a pattern for what stands before a value: `access_token=`, `"password": "`. */
const UNDER_SECRET_NAME = `((?:(?<!\\w)|(?<=${ENCODED_SEPARATOR}))(?:${SECRET_MEMBERS})["']?(?:\\s{0,20}[:=]\\s{0,20}|%3D|%253D)["']?)`;

/** For logs: origin and path of a URL, and the names of its parameters. Text that is not a URL is redacted as text. */
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

/** Text for a log or a message, as {@link Redactor.redact} makes it, where no secret is known. */
export function redact(text: string): string {
  return new Redactor().redact(text);
}

/** How the secrets in use are written. */
interface Spellings {
  /** Those of secrets that are hidden wherever they stand, the longest first: one may be the beginning of another. */
  readonly inText: readonly string[];
  /** Those of secrets that are hidden in the names of members of JSON as well. */
  readonly inNames: readonly string[];
  /** Finds the shorter secrets under a secret's name. */
  readonly short: RegExp | undefined;
  /** Those of all secrets. Where none of them stands, nothing has to be hidden. */
  readonly all: readonly string[];
}

/** Knows the secrets in use, and hides them in text. */
export class Redactor {
  /** How often each was added. */
  readonly #secrets = new Map<string, number>();
  /** Made of {@link #secrets} when they are first needed. */
  #spellings: Spellings | undefined;

  /**
   * Remembers values.
   *
   * @returns forgets them, unless they were added elsewhere too. Lasting credentials are never forgotten.
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

  get spellings(): Spellings {
    if (this.#spellings === undefined) {
      const secrets = [...this.#secrets.keys()].sort((a, b) => b.length - a.length);
      const short = secrets
        .filter(({ length }) => length < MIN_SECRET_LENGTH)
        .map((secret) => secret.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
      this.#spellings = {
        inText: spellingsOf(secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH)),
        inNames: spellingsOf(secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH_IN_NAMES)),
        all: spellingsOf(secrets),
        short: short.length === 0 ? undefined : new RegExp(`${UNDER_SECRET_NAME}(?:${short.join('|')})(?!\\w)`, 'gi'),
      };
    }
    return this.#spellings;
  }

  /** True for a known value, however short. */
  isSecret(text: string): boolean {
    return this.#secrets.has(text);
  }

  /** True when a known value of eight characters or more is written in the text. */
  containsSecret(text: string): boolean {
    return this.spellings.inText.some((spelling) => text.includes(spelling));
  }

  /** True when a known value is part of a host, which is written in small letters; dots may stand in it: none of its parts is longer than 63 characters. */
  containsSecretInHost(host: string): boolean {
    const letters = lettersOfHost(host);
    return this.spellings.inText
      .map(lettersOfHost)
      .some((spelling) => spelling.length >= MIN_SECRET_LENGTH && letters.includes(spelling));
  }

  /** The text without known values. */
  hideSecrets(text: string): string {
    const { inText, short } = this.spellings;
    const named = short === undefined ? text : text.replace(short, `$1${REPLACEMENT}`);
    return inText.reduce((rest, spelling) => rest.replaceAll(spelling, REPLACEMENT), named);
  }

  /**
   * Text for a log or a message: without known values, and without values whose names say that they are secret. Text of more
   * than 32,768 characters is cut, and with it the beginning of a secret that the cut goes through.
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

function lettersOfHost(host: string): string {
  return host.replaceAll('.', '').toLowerCase();
}

/** Values as text, URLs, forms, JSON, HTML and base64 write them, each spelling once, the longest first. */
function spellingsOf(secrets: readonly string[]): readonly string[] {
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

/** The characters of base64 that depend on the value alone, for each of the three positions at which it can start in a group. */
function base64Spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const core = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
