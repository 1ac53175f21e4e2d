/** The forms in which tools print a secret in a build log. */

/** Characters that Gson and other libraries escape in JSON, so that it can be part of a page. */
const PAGE_CHARACTERS = /[&<>'=]/g;
const NOT_ASCII = /[^ -~]/g;

/** Returns the forms of a string in one encoding. */
type Encode = (text: string) => readonly string[];

/** The encodings, keyed by the tools that print them. */
const ENCODINGS: Readonly<Record<string, Encode>> = {
  json: (text) => {
    const json = JSON.stringify(text).slice(1, -1);
    const forms = [json, json.replaceAll('/', '\\/'), unicodeEscaped(json, PAGE_CHARACTERS)];
    return forms.flatMap((form) => [form, unicodeEscaped(form, NOT_ASCII)]);
  },
  xml: (text) => {
    const xml = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const quotes = ['"', '&quot;', '&#34;'].map((quote) => xml.replaceAll('"', quote));
    const apostrophes = ["'", '&apos;', '&#39;', '&#039;', '&#x27;'];
    return quotes.flatMap((form) => apostrophes.map((apostrophe) => form.replaceAll("'", apostrophe)));
  },
  // Tools disagree about the characters !'()*~ and / and about the space.
  urls: (text) => {
    // Percent-encoding doesn't support lone surrogates.
    const [component, url] = [encodeURIComponent(text.toWellFormed()), encodeURI(text.toWellFormed())];
    const strict = component.replace(/[!'()*]/g, percentEncoded);
    return [component, url, strict, strict.replaceAll('%2F', '/')]
      .flatMap((form) => [form, form.replaceAll('%20', '+')])
      .concat(new URLSearchParams([['', text]]).toString().slice(1))
      .flatMap((form) => [form, form.replace(/%../g, (code) => code.toLowerCase())]);
  },
  shells: (text) => {
    const escaped = text.replace(/[ \t'"\\|&;()<>!{}*[\]?^$`,]|^[#~]/g, '\\$&');
    const quoted = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\t', '\\t');
    return [
      text.replaceAll("'", "'\\''"),
      text.replaceAll("'", `'"'"'`),
      text.replace(/'+/g, `'"$&"'`),
      text.replace(/["\\$`]/g, '\\$&'),
      ...[escaped, escaped.replace(/(?<=[:=])~/g, '\\~')],
      // $'…', in which other locales than UTF-8 have octal bytes.
      ...[quoted, bytesEscaped(quoted, (byte) => `\\${byte.toString(8).padStart(3, '0')}`)],
    ];
  },
  javaProperties: (text) => {
    const escaped = text.replace(/[\\=:#!]|^ /g, '\\$&');
    return [escaped, unicodeEscaped(escaped, NOT_ASCII).replace(/\\u..../g, (code) => toUpperHex(code))];
  },
  python: (text) => {
    const escaped = text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t');
    return [escaped, escaped.replaceAll("'", "\\'")].flatMap((form) => [
      form,
      form.replace(/[^ -~]/gu, pythonEscaped),
      bytesEscaped(form, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`),
    ]);
  },
};

/**
 * Returns the forms in which tools print a secret as sources of regular expressions: plain, encoded for JSON, XML,
 * URLs, shells, Java properties, or Python, and in base64, alone or as part of a longer text such as `user:password`.
 */
export function getSpellings(text: string): readonly string[] {
  const forms = [text, ...Object.values(ENCODINGS).flatMap((encode) => encode(text))];
  return [...new Set([...forms.map(escapeExpression), ...getBase64Spellings(text)])];
}

/**
 * Returns the spellings in base64 (RFC 4648) for each number of bytes that precede the secret in its group of three.
 * The first and the last digit can also contain bits of the text around the secret, so they match any digit.
 */
function getBase64Spellings(text: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const digits = bytes.toString('base64').replaceAll('=', '');
    const own = digits.slice(before === 0 ? 0 : before + 1, bytes.length % 3 === 0 ? undefined : -1);
    const [first, last] = [before === 0 ? '' : ANY_DIGIT, bytes.length % 3 === 0 ? '' : ANY_DIGIT];
    const alphabets = [own, own.replaceAll('+', '-').replaceAll('/', '_')];
    return alphabets.map((form) => `${first}${escapeExpression(form)}${last}`);
  });
}

const ANY_DIGIT = '[\\w+/-]';

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function unicodeEscaped(text: string, characters: RegExp): string {
  return text.replace(characters, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function toUpperHex(code: string): string {
  return `\\u${code.slice(2).toUpperCase()}`;
}

/** Escapes a character like Python's `ascii`. */
function pythonEscaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const [letter, length] =
    code < 0x100 ? (['x', 2] as const) : code < 0x10000 ? (['u', 4] as const) : (['U', 8] as const);
  return `\\${letter}${code.toString(16).padStart(length, '0')}`;
}

/** Escapes the UTF-8 bytes of characters outside ASCII. */
function bytesEscaped(text: string, escape: (byte: number) => string): string {
  return text.replace(/[^ -~]+/g, (characters) => Array.from(Buffer.from(characters), escape).join(''));
}

/** Escapes a string for a regular expression. Node 22 doesn't have `RegExp.escape`. */
function escapeExpression(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
}
