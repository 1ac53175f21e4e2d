import { decodeXML } from 'entities/decode';

/**
 * Takes secrets out of text: by the name they carry (`access_token=…`, `"password": …`, `Authorization: …`) and by value,
 * for values that are known. Redaction may take too much; it must not take too little.
 */

const replacement = '***';

/** Shorter values would take ordinary words out of every text. They are still caught by name. */
const shortestSecret = 4;

const names =
  'access_token|auth_token|refresh_token|id_token|client_secret|password|passwd|key_pw|keystore_pw|token|code|state';
const equals = '=|%3D|%253D';
const inUrl = new RegExp(
  `(^|[?&;#\\s"'(]|%3F|%26|%253F|%2526)(${names})(${equals})((?:(?!%26|%2526)[^&\\s"'<>#;])*)`,
  'gim',
);
const jsonNames = `${names}|(?:proxy-)?authorization|(?:set-)?cookie`;
const inJson = new RegExp(
  `(["'])(${jsonNames})\\1(\\s*:\\s*)(?:"(?:\\\\.|[^"\\\\])*(?:"|$)|'[^']*(?:'|$)|[^\\s,}\\]"']+)`,
  'gis',
);
// JSON inside a JSON string: as many backslashes before every quote
const inEscapedJson = new RegExp(
  `(?<!\\\\)(\\\\{1,7})"(${jsonNames})\\1"(\\s*:\\s*)(?:\\1"(?:(?!\\1").)*(?:\\1"|$)|[^\\s,}\\]"'\\\\]+)`,
  'gis',
);
const header = /\b((?:proxy-)?authorization|(?:set-)?cookie)(\s*[:=]\s*)[^\r\n]+/gi;
const scheme = /\b(Bearer\s+)[\w.~+/-]{8,}=*|\b(Basic\s+)(?=[a-z]*[A-Z0-9+/=])[A-Za-z0-9+/_-]{4,}={0,2}/g;
const userInfo = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]*@/gi;

/**
 * The text without secrets.
 *
 * @param knownSecrets values to take out wherever they stand, also percent-encoded, JSON-escaped or base64-encoded.
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
  const query = [...searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${replacement}`).join('&');
  return redactor.redact(start + pathname + (query && `?${query}`));
}

/** Knows the secrets in use, and takes them out of text. */
export class Redactor {
  readonly #secrets = new Set<string>();
  #pattern: RegExp | undefined;
  #split: RegExp | undefined;
  /** Characters of the shortest form of a value: no shorter text contains one. */
  #shortest = Infinity;

  /** Remembers a value. Values under four characters are ignored. */
  add(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length >= shortestSecret && !this.#secrets.has(secret)) {
        this.#secrets.add(secret);
        this.#pattern = undefined;
        this.#split = undefined;
      }
    }
  }

  /**
   * True when a known value can be read out of the text after all: escaped more than once, or split by characters that
   * are not seen.
   */
  contains(text: string): boolean {
    const pattern = this.#undisguised();
    if (pattern === undefined || text.length < this.#shortest) {
      return false;
    }
    // Without any of these, a value is written as it is, or with something unseen in between: the second pattern finds both.
    if (/[%\\&+\uFFFD]/.test(text) && this.#values()?.test(text) === true) {
      return true;
    }
    for (let round = 0, form = text; round < 4; round += 1) {
      if (pattern.test(form)) {
        return true;
      }
      const next = unescaped(form);
      if (next === form) {
        return false;
      }
      form = next;
    }
    return false;
  }

  /** A text for people that may be known values in disguise: without those that are plain, or nothing of it at all. */
  conceal(text: string): string {
    if (!this.contains(text)) {
      return text;
    }
    const plain = this.withoutValues(text);
    return this.contains(plain) ? replacement : plain;
  }

  /** JSON whose strings have been through {@link conceal}. */
  concealJson(json: string): string {
    if (!this.contains(json)) {
      return json;
    }
    const plain = this.withoutValues(json);
    return this.contains(plain)
      ? plain.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, (text) => (this.contains(text) ? `"${replacement}"` : text))
      : plain;
  }

  /** The text without known values only. */
  withoutValues(text: string): string {
    const values = this.#values();
    return values?.test(text) === true ? text.replace(new RegExp(values, 'g'), replacement) : text;
  }

  /** The text without known values and without values that their names give away. */
  redact(text: string): string {
    return this.withoutValues(text)
      .replace(inJson, `$1$2$1$3"${replacement}"`)
      .replace(inEscapedJson, `$1"$2$1"$3$1"${replacement}$1"`)
      .replace(header, `$1$2${replacement}`)
      .replace(inUrl, `$1$2$3${replacement}`)
      .replace(
        scheme,
        (_match, bearer: string | undefined, basic: string | undefined) => `${bearer ?? basic ?? ''}${replacement}`,
      )
      .replace(userInfo, `$1${replacement}@`);
  }

  #undisguised(): RegExp | undefined {
    if (this.#secrets.size > 0 && this.#split === undefined) {
      const forms = [...this.#secrets].flatMap((secret) => [
        bare(secret).length < shortestSecret ? secret : bare(secret),
        ...base64Forms(secret),
      ]);
      const long = forms.filter(({ length }) => length >= shortestSecret);
      this.#shortest = Math.min(...long.map(({ length }) => length));
      this.#split = new RegExp([...new Set(long)].map(splitPatternOf).join('|'), 'u');
    }
    return this.#split;
  }

  #values(): RegExp | undefined {
    if (this.#secrets.size > 0 && this.#pattern === undefined) {
      const longestFirst = [...this.#secrets].sort((a, b) => b.length - a.length);
      const base64 = longestFirst.flatMap(base64Forms).map(literally);
      this.#pattern = new RegExp([...longestFirst.map(patternOf), ...new Set(base64)].join('|'));
    }
    return this.#pattern;
  }
}

/** What separates and what is not seen. */
const unseen = '[\\s\\p{Cc}\\p{Cf}]';

function bare(text: string): string {
  return text.replace(new RegExp(unseen, 'gu'), '');
}

/** A pattern for a value whatever is put between its characters and is not seen. */
function splitPatternOf(value: string): string {
  return Array.from(value, (character) => character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&')).join(`${unseen}*`);
}

/** One layer of escapes of URLs, JSON and HTML undone. */
function unescaped(text: string): string {
  if (!/[%\\&]/.test(text)) {
    return text;
  }
  const plain = text
    .replace(/(?:%[0-9a-f]{2})+/gi, (octets) => Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(
      /\\(?:u([0-9a-f]{4})|(["\\/])|[bfnrt])/gi,
      (_all, hex: string | undefined, character: string | undefined) =>
        hex === undefined ? (character ?? ' ') : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return plain.includes('&') ? decodeXML(plain) : plain;
}

/**
 * A pattern for a value as URLs, forms, JSON, JavaScript and HTML write it. Every one of them leaves other characters as they
 * are, and one may be inside another: so each character may be written in any way.
 */
function patternOf(secret: string): string {
  // A run of backslashes is one piece: a quantifier for each of them would take exponential time.
  return [...secret.matchAll(/\\+|[A-Za-z\d]+|[\s\S]/gu)]
    .map(([piece]) => (/^[A-Za-z\d]/.test(piece) ? piece : `(?:${spellings(piece).join('|')})`))
    .join('');
}

/** The ways to write one character, or a run of backslashes. */
function spellings(piece: string): readonly string[] {
  const octets = [...Buffer.from(piece, 'utf8')].map((octet) => `%(?:25){0,2}${hex(octet, 2)}`).join('');
  if (piece.startsWith('\\')) {
    return [`\\\\{${piece.length},${piece.length * 16}}`, octets];
  }
  const point = piece.codePointAt(0) ?? 0;
  const units = Array.from(
    { length: piece.length },
    (_unit, index) => `\\\\{1,15}u${hex(piece.charCodeAt(index), 4)}`,
  ).join('');
  const short = shortEscapes[piece];
  const named = namedReferences[piece];
  return [
    `${quotes.includes(piece) ? '\\\\{0,15}' : ''}${literally(piece)}`,
    octets,
    units,
    `&#(?:0*${point}|[xX]0*${hex(point, 1)});`,
    ...(point < 0x100 ? [`\\\\{1,15}x${hex(point, 2)}`] : []),
    ...(short === undefined ? [] : [`\\\\{1,15}${short}`]),
    ...(named === undefined ? [] : [`&${named};`]),
    ...(piece === ' ' ? ['\\+'] : []),
    // Half a surrogate pair has no UTF-8.
    ...(point >= 0xd800 && point <= 0xdfff ? ['\uFFFD'] : []),
  ];
}

const quotes = '"\'`/';
const shortEscapes: Readonly<Partial<Record<string, string>>> = {
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
};
const namedReferences: Readonly<Partial<Record<string, string>>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/** A number in hexadecimal, in either case. */
function hex(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** The characters of base64 that a value alone decides, for each of the three positions it can start at. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const core = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
