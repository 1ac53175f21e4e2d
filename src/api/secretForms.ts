import { setImmediate } from 'node:timers/promises';
import { toUSVString } from 'node:util';

import { CanonicalForm } from './canonicalForm.ts';

/** Characters of a secret that can be told from data. */
export const MIN_SECRET_LENGTH = 8;

/** Characters that are searched without a pause: a few milliseconds. */
export const SLICE_LENGTH = 64 * 1024;

/** What an escaped or split secret needs. */
const ESCAPED = /[%\\&+\p{Cc}\P{ASCII}]/u;

/** What secrets look like in text. */
export interface Forms {
  /** In the ways that are usual, the longest first: a value may be the beginning of another. */
  readonly plain: readonly string[];
  /** As {@link CanonicalForm} writes them. */
  readonly canonical: readonly Buffer[];
}

/** What values look like, as they are and in base64. */
export function formsOf(secrets: readonly string[]): Forms {
  const canonical = secrets.flatMap((secret) => [secret, ...base64Forms(secret)].map(canonicalFormOf));
  return {
    plain: [...new Set(secrets.flatMap(writtenForms))].sort((a, b) => b.length - a.length),
    canonical: [...new Set(canonical)]
      .filter(({ length }) => length >= MIN_SECRET_LENGTH)
      .map((form) => Buffer.from(form)),
  };
}

/** What can be searched for: an escape that a value ends in the middle of may be completed by what follows it. */
function canonicalFormOf(secret: string): string {
  const bytes = Buffer.from(secret);
  const form = new CanonicalForm(bytes.length).read(bytes).toBytes().toString('latin1');
  const complete = form.replace(/(?:%[0-9a-f]?|&#?\w{0,9})$/i, '');
  return complete.length < MIN_SECRET_LENGTH ? form : complete;
}

/** True when a value can be read in the text, however it is written there. */
export function contains(text: string, { plain, canonical }: Forms): boolean {
  if (plain.some((form) => text.includes(form))) {
    return true;
  }
  if (canonical.length === 0 || !ESCAPED.test(text)) {
    return false;
  }
  const bytes = Buffer.from(text);
  const form = new CanonicalForm(bytes.length).read(bytes).toBytes();
  return canonical.some((secret) => form.includes(secret));
}

/** As {@link contains}, for text of any length, with pauses. */
export async function containsSlowly(text: string, { plain, canonical }: Forms): Promise<boolean> {
  if (text.length <= SLICE_LENGTH || plain.length === 0) {
    return contains(text, { plain, canonical });
  }
  const isEscaped = ESCAPED.test(text);
  const form = new CanonicalForm(isEscaped ? Buffer.byteLength(text) : 0);
  for (let start = 0; start < text.length; start += SLICE_LENGTH) {
    await setImmediate();
    if (includesAny(text, plain, start)) {
      return true;
    }
    if (isEscaped) {
      form.read(Buffer.from(text.slice(start, start + SLICE_LENGTH)));
    }
  }
  const bytes = form.toBytes();
  for (let start = 0; start < bytes.length; start += SLICE_LENGTH) {
    await setImmediate();
    if (includesAny(bytes, canonical, start)) {
      return true;
    }
  }
  return false;
}

/** True when one of the forms begins in the slice at `start`. */
function includesAny<Text extends string | Buffer>(
  text: { slice(start: number, end: number): { includes(form: Text): boolean } },
  forms: readonly Text[],
  start: number,
): boolean {
  const longest = forms.reduce((length, form) => Math.max(length, form.length), 0);
  const slice = text.slice(start, start + SLICE_LENGTH + longest);
  return forms.some((form) => slice.includes(form));
}

/** How web pages write what has a meaning in HTML. */
const HTML_REFERENCES: Readonly<Partial<Record<string, string>>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A value as URLs, forms, JSON and HTML write it, in the ways that are usual. */
function writtenForms(secret: string): readonly string[] {
  const wellFormed = toUSVString(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(wellFormed);
  const forms = new Set([
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
  ]);
  return [...forms, ...base64Forms(secret)];
}

/** The characters of base64 that depend on the value alone, for each of the three positions at which it can start in a group. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const core = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
