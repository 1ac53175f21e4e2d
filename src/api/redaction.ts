import {
  base64Forms,
  escapeRegExp,
  invisiblySplitPattern,
  unescapeOnce,
  withoutInvisible,
  writtenPattern,
} from './secretPatterns.ts';

/**
 * Hides secrets in text: by the name they carry (`access_token=…`, `"password": …`, `Authorization: …`), and by value, for
 * values that are known. Redaction may hide too much; it must not hide too little.
 */

const REPLACEMENT = '***';

/** Shorter values would hide ordinary words in every text. They are still found by name. */
const MIN_SECRET_LENGTH = 4;

/** Names whose values are secrets, in a query, a form or JSON. */
const SECRET_NAMES =
  'access_token|auth_token|refresh_token|id_token|client_secret|password|passwd|key_pw|keystore_pw|token|code|state';
/** Names of JSON members whose values are secrets: headers are written as JSON, too. */
const SECRET_MEMBERS = `${SECRET_NAMES}|(?:proxy-)?authorization|(?:set-)?cookie`;

/** `=`, percent-encoded up to twice. */
const EQUALS = '=|%3D|%253D';

/** `access_token=abc` in a URL or a form, which may be percent-encoded inside another URL. */
const QUERY_PARAMETER = new RegExp(
  `(^|[?&;#\\s"'(]|%3F|%26|%253F|%2526)(${SECRET_NAMES})(${EQUALS})((?:(?!%26|%2526)[^&\\s"'<>#;])*)`,
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
const USER_INFO = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]*@/gi;

/**
 * The text without secrets.
 *
 * @param knownSecrets values to hide wherever they stand, also percent-encoded, JSON-escaped or base64-encoded.
 */
export function redact(text: string, knownSecrets: Iterable<string> = []): string {
  const redactor = new Redactor();
  for (const secret of knownSecrets) {
    redactor.add(secret);
  }
  return redactor.redact(text);
}

/** For logs: origin and path of a URL, and the names of its parameters. Text that is not a URL is redacted as text. */
export function redactUrl(url: string, redactor = new Redactor()): string {
  if (!URL.canParse(url)) {
    return redactor.redact(url);
  }
  const { origin, protocol, pathname, searchParams } = new URL(url);
  const start = protocol === 'https:' || protocol === 'http:' ? origin : protocol;
  const query = [...searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${REPLACEMENT}`).join('&');
  return redactor.redact(start + pathname + (query && `?${query}`));
}

/** Knows the secrets in use, and hides them in text. */
export class Redactor {
  readonly #secrets = new Set<string>();
  /** Made of {@link #secrets} when it is first needed. */
  #written: RegExp | undefined;
  /** Made of {@link #secrets} when it is first needed. */
  #disguised: RegExp | undefined;

  /** Remembers a value. Values under four characters are ignored. */
  add(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length >= MIN_SECRET_LENGTH && !this.#secrets.has(secret)) {
        this.#secrets.add(secret);
        this.#written = undefined;
        this.#disguised = undefined;
      }
    }
  }

  /** True when a known value can be read in the text: as it is, escaped up to four times, or split by invisible characters. */
  containsSecret(text: string): boolean {
    const disguised = this.#disguisedPattern();
    if (disguised === undefined) {
      return false;
    }
    // Without one of these characters nothing is escaped, and the second pattern finds what the first one would.
    if (/[%\\&+\uFFFD]/.test(text) && this.#writtenPattern()?.test(text) === true) {
      return true;
    }
    for (let layer = 0, form = text; layer < 4; layer += 1) {
      if (disguised.test(form)) {
        return true;
      }
      const next = unescapeOnce(form);
      if (next === form) {
        return false;
      }
      form = next;
    }
    return false;
  }

  /** The text without known values; only the replacement when one can still be read in what is left. */
  hideSecrets(text: string): string {
    if (!this.containsSecret(text)) {
      return text;
    }
    const redacted = this.redactKnownSecrets(text);
    return this.containsSecret(redacted) ? REPLACEMENT : redacted;
  }

  /** JSON without known values; of the strings in which one can still be read, only the replacement. */
  hideSecretsInJson(json: string): string {
    if (!this.containsSecret(json)) {
      return json;
    }
    const redacted = this.redactKnownSecrets(json);
    return this.containsSecret(redacted)
      ? redacted.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, (text) => (this.containsSecret(text) ? `"${REPLACEMENT}"` : text))
      : redacted;
  }

  /** The text without known values. What a name gives away stays: see {@link redact}. */
  redactKnownSecrets(text: string): string {
    const pattern = this.#writtenPattern();
    return pattern?.test(text) === true ? text.replace(new RegExp(pattern, 'g'), REPLACEMENT) : text;
  }

  /** The text without known values and without values whose names say that they are secret. */
  redact(text: string): string {
    return this.redactKnownSecrets(text)
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

  /** Finds known values as they are, in base64, and with invisible characters in between. */
  #disguisedPattern(): RegExp | undefined {
    if (this.#secrets.size > 0 && this.#disguised === undefined) {
      const forms = [...this.#secrets].flatMap((secret) => {
        const visible = withoutInvisible(secret);
        return [visible.length < MIN_SECRET_LENGTH ? secret : visible, ...base64Forms(secret)];
      });
      const unique = new Set(forms.filter(({ length }) => length >= MIN_SECRET_LENGTH));
      this.#disguised = new RegExp([...unique].map(invisiblySplitPattern).join('|'), 'u');
    }
    return this.#disguised;
  }

  /** Finds known values as URLs, forms, JSON, JavaScript, HTML and base64 write them. */
  #writtenPattern(): RegExp | undefined {
    if (this.#secrets.size > 0 && this.#written === undefined) {
      // A value may be the beginning of another.
      const longestFirst = [...this.#secrets].sort((a, b) => b.length - a.length);
      const base64 = longestFirst.flatMap(base64Forms).map(escapeRegExp);
      this.#written = new RegExp([...longestFirst.map(writtenPattern), ...new Set(base64)].join('|'));
    }
    return this.#written;
  }
}
