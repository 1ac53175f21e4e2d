import { setImmediate } from 'node:timers/promises';
import { toUSVString } from 'node:util';

/**
 * Hides secrets in what is shown, logged, copied or put into a document. What is read is parsed as it was sent: nothing here
 * touches a value that is computed with.
 *
 * - A secret of eight characters or more that is known is hidden wherever it stands in one of its usual spellings: as it is,
 *   percent-encoded once or twice, as in a form, in JSON, in HTML, and in base64 as part of anything. The strings of a JSON
 *   document are decoded before. Chains of escapes, and characters that are not seen between those of a secret, are not undone.
 * - A shorter one cannot be told from data: it is hidden where it stands under a secret's name.
 * - In logs and messages, everything that stands under a secret's name is hidden, known or not.
 * - In JSON only strings change: no number, literal or structure. The name of a member changes when it holds a secret of 16
 *   characters or more, which no name of a service's own is.
 */

/** Stands for what is hidden. */
export const REPLACEMENT = '***';

/** Characters of a secret that can be told from data. */
const MIN_SECRET_LENGTH = 8;

/** Characters of a secret that is hidden in the names of members as well. */
const MIN_SECRET_LENGTH_IN_NAMES = 16;

/** Characters of a text for logs and messages; what is longer is cut. */
const MAX_LOGGED_LENGTH = 32 * 1024;

/** Characters that are searched without a pause. */
const MAX_BUSY_LENGTH = 64 * 1024;

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

/** The name of a member whose value is a secret, as a string in JSON. */
const SECRET_MEMBER = new RegExp(`^"(?:${SECRET_MEMBERS})"$`, 'i');

/** Source of a pattern for what stands before a value: `access_token=`, `"password": "`. */
const UNDER_SECRET_NAME = `((?:(?<!\\w)|(?<=%(?:25)?(?:3F|26)))(?:${SECRET_MEMBERS})["']?(?:\\s{0,20}[:=]\\s{0,20}|%3D|%253D)["']?)`;

/** Milliseconds without a pause. */
const MAX_BUSY_MS = 10;

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

/** Text for a log or a message, as {@link Redactor.redact} makes it. */
export function redact(text: string, knownSecrets: readonly string[] = []): string {
  const redactor = new Redactor();
  redactor.add(...knownSecrets);
  return redactor.redact(text);
}

/** How the secrets in use are written. */
interface Spellings {
  /** Those of secrets that are hidden wherever they stand, the longest first: one may be the beginning of another. */
  readonly inText: readonly string[];
  readonly inNames: readonly string[];
  /** Finds the shorter secrets under a secret's name. */
  readonly short: RegExp | undefined;
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

  /** True when a known value of eight characters or more is written in the text. */
  containsSecret(text: string): boolean {
    return this.#known().inText.some((spelling) => text.includes(spelling));
  }

  /** True when a known value is part of a host, which is written in small letters. */
  containsSecretInHost(host: string): boolean {
    return this.#known().inText.some((spelling) => host.includes(spelling) || host.includes(spelling.toLowerCase()));
  }

  /** The text without known values. */
  hideSecrets(text: string): string {
    const { inText, short } = this.#known();
    const named = short === undefined ? text : text.replace(short, `$1${REPLACEMENT}`);
    return inText.reduce((rest, spelling) => rest.replaceAll(spelling, REPLACEMENT), named);
  }

  /** As {@link hideSecrets}, for text of any length, with pauses. */
  async hideSecretsInText(text: string): Promise<string> {
    if (text.length <= MAX_BUSY_LENGTH) {
      return this.hideSecrets(text);
    }
    const { inText, short } = this.#known();
    let hidden = short === undefined ? text : text.replace(short, `$1${REPLACEMENT}`);
    for (const spelling of inText) {
      await setImmediate();
      hidden = hidden.replaceAll(spelling, REPLACEMENT);
    }
    return hidden;
  }

  /**
   * JSON text without known values in its strings; everything else stays as it is.
   *
   * @param json valid JSON of any length: there are pauses.
   */
  async hideSecretsInJson(json: string): Promise<string> {
    const { inNames, short } = this.#known();
    if (short === undefined && !(await this.#mayContainSecret(json))) {
      return json;
    }
    const parts: string[] = [];
    let end = 0;
    let name = '';
    let pause = performance.now() + MAX_BUSY_MS;
    for (const string of stringsOf(json)) {
      if (performance.now() > pause) {
        await setImmediate();
        pause = performance.now() + MAX_BUSY_MS;
      }
      const token = json.slice(string.start, string.end);
      let hidden = token;
      if (string.isName) {
        name = token;
        const text = token.length > MIN_SECRET_LENGTH_IN_NAMES ? stringIn(token) : '';
        if (inNames.some((spelling) => text.includes(spelling))) {
          hidden = `"${REPLACEMENT}"`;
        }
      } else {
        hidden = await this.#hideInString(token, name);
        name = '';
      }
      if (hidden !== token) {
        parts.push(json.slice(end, string.start), hidden);
        end = string.end;
      }
    }
    return parts.join('') + json.slice(end);
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
    const longest = this.#known().inText[0]?.length ?? 0;
    const hidden = this.hideSecrets(text.slice(0, MAX_LOGGED_LENGTH));
    return `${toUSVString(hidden.slice(0, Math.max(0, hidden.length - longest)))}…`;
  }

  /** JSON can write every character as `\\u0041`: only its decoded strings tell then. */
  async #mayContainSecret(json: string): Promise<boolean> {
    if (json.includes('\\u00')) {
      return true;
    }
    for (const spelling of this.#known().inText) {
      if (json.includes(spelling)) {
        return true;
      }
      if (json.length > MAX_BUSY_LENGTH) {
        await setImmediate();
      }
    }
    return false;
  }

  /** @param token a string in JSON. @param name the member that it is the value of, as a string in JSON; or empty. */
  async #hideInString(token: string, name: string): Promise<string> {
    const { short } = this.#known();
    if (short === undefined && token.length < MIN_SECRET_LENGTH) {
      return token;
    }
    const text = stringIn(token);
    if (short !== undefined && SECRET_MEMBER.test(name) && this.#secrets.has(text)) {
      return `"${REPLACEMENT}"`;
    }
    const hidden = await this.hideSecretsInText(text);
    return hidden === text ? token : JSON.stringify(hidden);
  }

  #known(): Spellings {
    if (this.#spellings === undefined) {
      const secrets = [...this.#secrets.keys()].sort((a, b) => b.length - a.length);
      const short = secrets.filter(({ length }) => length < MIN_SECRET_LENGTH).map(escapeRegExp);
      this.#spellings = {
        inText: spellingsOf(secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH)),
        inNames: spellingsOf(secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH_IN_NAMES)),
        short: short.length === 0 ? undefined : new RegExp(`${UNDER_SECRET_NAME}(?:${short.join('|')})(?!\\w)`, 'gi'),
      };
    }
    return this.#spellings;
  }
}

/** How web pages write what has a meaning in HTML. */
const HTML_REFERENCES: Readonly<Partial<Record<string, string>>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Values as text, URLs, forms, JSON, HTML and base64 write them, each spelling once, the longest first. */
function spellingsOf(secrets: readonly string[]): readonly string[] {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    const wellFormed = toUSVString(secret);
    const json = JSON.stringify(secret).slice(1, -1);
    const percent = encodeURIComponent(wellFormed);
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
      secret.replace(/[&<>"']/g, (character) => HTML_REFERENCES[character] ?? character),
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

interface JsonString {
  /** Offsets of the quotes: of the first, and behind the last. */
  readonly start: number;
  readonly end: number;
  /** True for the name of a member. */
  readonly isName: boolean;
}

/** The strings of a JSON text. A pattern would need a stack as long as the longest of them. */
function* stringsOf(json: string): Generator<JsonString> {
  for (let start = json.indexOf('"'); start >= 0;) {
    let last = json.indexOf('"', start + 1);
    while (last >= 0 && isEscaped(json, last)) {
      last = json.indexOf('"', last + 1);
    }
    if (last < 0) {
      return;
    }
    let next = last + 1;
    while (' \t\r\n'.includes(json[next] ?? '-')) {
      next += 1;
    }
    yield { start, end: last + 1, isName: json[next] === ':' };
    start = json.indexOf('"', next);
  }
}

/** True when an odd number of backslashes stands before a character. */
function isEscaped(json: string, index: number): boolean {
  let start = index;
  while (json[start - 1] === '\\') {
    start -= 1;
  }
  return (index - start) % 2 === 1;
}

/** The value of a string in JSON. */
function stringIn(token: string): string {
  return String(JSON.parse(token));
}

/** Source of a pattern for exactly this text. */
function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
