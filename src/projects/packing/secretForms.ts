import { createHash } from 'node:crypto';

import type { SecretKind } from './packageContents.ts';

type FoundKind = Exclude<SecretKind, 'name'>;

/** A place in a text that looks like a secret. */
interface Candidate {
  readonly match: string;
  /** Up to {@link CONTEXT} characters on each side. */
  readonly before: string;
  readonly after: string;
}

/** A kind of secret that is known by its form. */
interface SecretForm {
  readonly kind: FoundKind;
  /** Source of a regular expression. Each repetition has a small bound, so that no text makes the search slow. */
  readonly form: string;
  /** The secret, or enough of it to distinguish it from others; undefined for a text that only looks like one. */
  readonly secretIn: (candidate: Candidate) => string | undefined;
}

/** Characters around a place that are looked at, and that a form spans at most. */
export const CONTEXT = 1_000;

/**
 * Forms that are secrets in any text file. Left out are values that are public by design: Google's web keys (`AIza…`), Firebase's
 * configuration, publishable keys of Stripe and Mapbox, certificates.
 */
const FORMS: readonly SecretForm[] = [
  // RFC 7468: with a private key one signs and decrypts as its owner.
  { kind: 'privateKey', form: '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----', secretIn: keyAfter },
  // docs.aws.amazon.com, IAM identifiers: the identifier alone is no secret; with its key it is a password.
  { kind: 'cloudKey', form: 'A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9+/])', secretIn: withAwsKey },
  // learn.microsoft.com, connection strings of storage accounts, and of service bus, event and IoT hubs: full access.
  { kind: 'cloudKey', form: 'AccountKey=[A-Za-z0-9+/]{86}==', secretIn: randomPart },
  { kind: 'cloudKey', form: 'SharedAccessKey=[A-Za-z0-9+/]{43}=', secretIn: randomPart },
  // github.blog, “token format updates”: act as a person or an app. Those of installations hold dots and dashes.
  { kind: 'accessToken', form: 'gh[pousr]_[\\w.-]{36,600}', secretIn: randomPart },
  { kind: 'accessToken', form: 'github_pat_\\w{82}(?!\\w)', secretIn: randomPart },
  // docs.gitlab.com, token prefixes: of persons, deployments, runners, triggers, jobs, apps, agents.
  { kind: 'accessToken', form: 'gl(?:pat|dt|rt|ptt|cbt|oas|soat|agent)-[\\w.-]{20,300}', secretIn: randomPart },
  // docs.npmjs.com: publish packages.
  { kind: 'accessToken', form: 'npm_[A-Za-z0-9]{36}(?!\\w)', secretIn: randomPart },
  // docs.slack.dev, token types; incoming webhooks, whose address is the secret.
  { kind: 'accessToken', form: 'xox[abeoprs](?:\\.xox[bp])?-[\\w-]{20,300}', secretIn: randomPart },
  { kind: 'accessToken', form: 'xapp-\\d-[\\w-]{20,300}', secretIn: randomPart },
  { kind: 'accessToken', form: 'hooks\\.slack\\.com/services/T\\w{8,12}/B\\w{8,12}/\\w{24}', secretIn: lastRandomPart },
  // docs.stripe.com, API keys: secret and restricted ones move money; `pk_` is publishable, `_test_` moves none.
  { kind: 'accessToken', form: '[rs]k_live_[A-Za-z0-9]{20,250}', secretIn: randomPart },
  // docs.mapbox.com: `sk.` is secret, `pk.` is public.
  { kind: 'accessToken', form: 'sk\\.eyJ1[\\w-]{20,300}\\.[\\w-]{20,50}', secretIn: randomPart },
  // docs.sendgrid.com: send mail in the name of its owner.
  { kind: 'accessToken', form: 'SG\\.[\\w-]{22}\\.[\\w-]{43}(?!\\w)', secretIn: randomPart },
  // Keys of language models, which are paid for by use.
  { kind: 'accessToken', form: 'sk-(?:proj|svcacct|admin|ant-[a-z]{3,5}\\d\\d)-[\\w-]{40,200}', secretIn: randomPart },
  { kind: 'accessToken', form: 'sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}', secretIn: randomPart },
];

/** Secrets that are looked for in files of certain names only. */
const FORMS_BY_NAME: readonly { readonly names: RegExp; readonly kind: FoundKind; readonly form: RegExp }[] = [
  { names: /\.(?:pem|key)$/i, kind: 'privateKey', form: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/ },
  // Cordova's signing options.
  { names: /^build\.json$/i, kind: 'signingPasswords', form: /"(?:storePassword|password|keystore)"\s{0,99}:/i },
  // developer.android.com, “Sign your app”: what a build file reads its passwords from, and the build file itself.
  {
    names: /^(?:gradle|local)\.properties$/i,
    kind: 'signingPasswords',
    form: /(?:store|key|signing)[\w.-]{0,30}passw(?:or)?d[ \t]{0,9}[=:][ \t]{0,9}[^\s<$]/i,
  },
  {
    names: /\.gradle(?:\.kts)?$/i,
    kind: 'signingPasswords',
    form: /(?:store|key)Password[ \t]{0,9}[=(]?[ \t]{0,9}["'][^"'$\s]/,
  },
];

/** All forms in one expression, to look at each text once. */
const ANY_FORM = new RegExp(FORMS.map(({ form }, index) => `(?<f${index}>${form})`).join('|'), 'g');

/** Public examples: the key of Azurite, Microsoft's emulator, and the token in GitHub's documentation. */
const DOCUMENTED = [
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  '_16C7e42F292c6912E7710c838347Ae178B4a',
];

/** A secret in a text. */
export interface FoundSecret {
  readonly kind: FoundKind;
  /** Of the text. */
  readonly index: number;
  /** A hash of the secret, from which it cannot be recovered. */
  readonly hash: string;
}

/** The secrets in a part of a text, in their order: those that begin at `from` or later, and before `to`. */
export function* secretsIn(text: string, from: number, to: number): Generator<FoundSecret> {
  for (const match of text.matchAll(ANY_FORM)) {
    const { 0: found, index, groups = {} } = match;
    const form = FORMS.find((_form, number) => groups[`f${number}`] !== undefined);
    if (form === undefined || index < from || index >= to || isInsideWord(text, index)) {
      continue;
    }
    const before = text.slice(Math.max(0, index - CONTEXT), index);
    const after = text.slice(index + found.length, index + found.length + CONTEXT);
    const secret = form.secretIn({ match: found, before, after });
    if (secret !== undefined) {
      yield { kind: kindOf(form.kind, before), index, hash: hashOf(secret) };
    }
  }
}

/**
 * The first secret of a file whose name decides what its content means.
 *
 * @param names of the file, and of what it is a link to
 * @param text its beginning
 */
export function namedSecretIn(names: readonly string[], text: string): FoundSecret | undefined {
  for (const { names: expected, kind, form } of FORMS_BY_NAME) {
    const match = names.some((name) => expected.test(name)) ? form.exec(text) : null;
    if (match !== null) {
      // Not of the password: that may be short enough to be guessed.
      return { kind, index: match.index, hash: hashOf(kind) };
    }
  }
  return undefined;
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 12);
}

/** Google's service accounts keep their key in a field of JSON (cloud.google.com, service account keys). */
function kindOf(kind: FoundKind, before: string): FoundKind {
  return kind === 'privateKey' && /"private_key"\s{0,9}:\s{0,9}"$/.test(before) ? 'cloudKey' : kind;
}

/** Such as in the middle of data in base64. A character is no letter when it is part of an escape: `\n`. */
function isInsideWord(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  return /[\w+-]$/.test(before) && !/^\\[nrt]$/.test(before) && text.charAt(index) !== '-';
}

/** Libraries hold the first line of a key, with no key after it. */
function keyAfter({ after }: Candidate): string | undefined {
  const end = after.indexOf('-----');
  const words = (end < 0 ? after : after.slice(0, end)).split(/[^A-Za-z0-9+/]+/);
  const lines = words.filter(({ length }) => length >= 40);
  return lines.some((line) => isRandom(line, 3)) ? lines.join('') : undefined;
}

function withAwsKey({ match, before, after }: Candidate): string | undefined {
  if (isPlaceholder(match)) {
    return undefined;
  }
  const words = `${before.slice(-400)} ${after.slice(0, 400)}`.split(/[^A-Za-z0-9+/_]+/);
  // Of small letters and digits only it is a checksum.
  const hasKey = words.some((word) => word.length === 40 && !word.includes('_') && isRandom(word, 3));
  return hasKey ? match : undefined;
}

function randomPart({ match }: Candidate): string | undefined {
  return isRandom(match) ? match : undefined;
}

function lastRandomPart({ match }: Candidate): string | undefined {
  return isRandom(match.slice(match.lastIndexOf('/'))) ? match : undefined;
}

/** @param kinds of capital letters, small letters and digits, how many there are at least: names have one */
function isRandom(text: string, kinds = 2): boolean {
  return [/[A-Z]/, /[a-z]/, /\d/].filter((kind) => kind.test(text)).length >= kinds && !isPlaceholder(text);
}

/** Whether a text stands for a secret in an example: `xxxx…`, `1234567890…`, `your-token-here`, `AKIA…EXAMPLE`. */
function isPlaceholder(text: string): boolean {
  const letters = text.toLowerCase();
  return (
    new Set(letters).size < 9 ||
    /(.)\1{4}/.test(letters) ||
    /example|placeholder|redacted|changeme|your[-_a-z]{0,16}(?:secret|token|key)/.test(letters) ||
    hasSequence(letters) ||
    DOCUMENTED.some((known) => text.includes(known))
  );
}

/** Whether six characters follow each other as in the alphabet. */
function hasSequence(text: string): boolean {
  let length = 1;
  for (let index = 1; index < text.length && length < 6; index += 1) {
    length = text.charCodeAt(index) === text.charCodeAt(index - 1) + 1 ? length + 1 : 1;
  }
  return length >= 6;
}
