import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { throwIfCancelled } from '../../api/errors/cancelledError.ts';
import { MAX_SEARCHED_BYTES } from '../limits.ts';
import { readPlanned } from './packageFile.ts';
import type { PlannedFile, SecretKind } from './packageContents.ts';
import { isMissingFile, utf16Of } from '../projectFolder.ts';
import { PackingError } from './packingError.ts';

/** Formats of files that are large and numerous, and in which a secret is rare. */
const MEDIA = new RegExp(
  String.raw`\.(?:${[
    'png|jpe?g|jp2|gif|webp|avif|heic|bmp|ico|icns|tiff?|psd|ktx2?|dds|basis',
    'mp[234]|m4[abv]|mov|avi|aac|og[agv]|opus|wav|flac|web[mp]|mid',
    'woff2?|[ot]tf|eot|zip|gz|tgz|br|bz2|zst|xz|7z|rar|jar|apk|aab|ipa',
    'pdf|wasm|class|dex|so|dll|dylib|exe|a|o|glb|sqlite|db|realm|tflite|onnx',
  ].join('|')})$`,
  'i',
);

interface SearchedFile {
  readonly file: PlannedFile;
  /** Its name, and that of what it is a link to. */
  readonly names: readonly string[];
}

interface FileSecrets {
  /** Of the first. */
  readonly secret: FoundKind;
  /** Of the first, from one. */
  readonly line: number;
  /** Of all. */
  readonly fingerprint: string;
}

/**
 * Looks for secrets in `files`, a few at once: in the first {@link MAX_SEARCHED_BYTES} of each.
 *
 * @returns for each file with a secret, what was found; `gone` for a file that is no longer there
 * @throws PackingError when a file cannot be read, and might hold one; CancelledError
 */
export async function searchSecrets<T extends SearchedFile>(
  files: readonly T[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<T, FileSecrets | 'gone'>> {
  const found = new Map<T, FileSecrets | 'gone'>();
  const searched = files.filter(({ file }) => file.sizeBytes > 0 && !MEDIA.test(file.path));
  // Opening many small files takes longer than reading them.
  for (let start = 0; start < searched.length; start += 16) {
    throwIfCancelled(signal);
    const searching = searched.slice(start, start + 16).map(async (file) => {
      const secrets = await searchFile(file);
      if (secrets !== undefined) {
        found.set(file, secrets);
      }
    });
    await Promise.all(searching);
  }
  throwIfCancelled(signal);
  return found;
}

async function searchFile({ file, names }: SearchedFile): Promise<FileSecrets | 'gone' | undefined> {
  try {
    const found = [...secretsIn(names, await buffer(readPlanned(file, MAX_SEARCHED_BYTES)))];
    const [first] = found;
    const hashes = [...new Set(found.map(({ hash }) => hash))].sort().join();
    return first && { secret: first.kind, line: first.line(), fingerprint: hashOf(hashes) };
  } catch (error) {
    if (isMissingFile(error)) {
      return 'gone';
    }
    throw error instanceof BuildServiceError ? error : PackingError.ofFile(file.path, error);
  }
}

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
  /**
   * The secret, or enough of it to distinguish it from others; undefined for a text that only looks like one. Without this, it's what
   * has the form, if that is random.
   */
  readonly secretIn?: (candidate: Candidate) => string | undefined;
}

/** Characters around a place that are looked at. */
const CONTEXT = 1_000;

/**
 * Forms that are secrets in any text file. Left out are values that are public by design: Google's web keys (`AIza…`), Firebase's
 * configuration, publishable keys of Stripe and Mapbox, certificates.
 */
const FORMS: readonly SecretForm[] = [
  // RFC 7468: with a private key one signs and decrypts as its owner.
  { kind: 'privateKey', form: '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----', secretIn: keyAfter },
  // docs.aws.amazon.com, IAM identifiers: the identifier alone isn't a secret; with its key it's a password.
  { kind: 'cloudKey', form: 'A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9+/])', secretIn: withAwsKey },
  // learn.microsoft.com, connection strings of storage accounts, and of service bus, event and IoT hubs: full access.
  { kind: 'cloudKey', form: 'AccountKey=[A-Za-z0-9+/]{86}==' },
  { kind: 'cloudKey', form: 'SharedAccessKey=[A-Za-z0-9+/]{43}=' },
  // github.blog, “token format updates”: act as a user or an app. Those of installations hold dots and dashes.
  { kind: 'accessToken', form: 'gh[pousr]_[\\w.-]{36,600}' },
  { kind: 'accessToken', form: 'github_pat_\\w{82}(?!\\w)' },
  // docs.gitlab.com, token prefixes: of persons, deployments, runners, triggers, jobs, apps, agents.
  { kind: 'accessToken', form: 'gl(?:pat|dt|rt|ptt|cbt|oas|soat|agent)-[\\w.-]{20,300}' },
  // docs.npmjs.com: publish packages.
  { kind: 'accessToken', form: 'npm_[A-Za-z0-9]{36}(?!\\w)' },
  // docs.slack.dev, token types; incoming webhooks, whose address is the secret.
  { kind: 'accessToken', form: 'xox[abeoprs](?:\\.xox[bp])?-[\\w-]{20,300}' },
  { kind: 'accessToken', form: 'xapp-\\d-[\\w-]{20,300}' },
  { kind: 'accessToken', form: 'hooks\\.slack\\.com/services/T\\w{8,12}/B\\w{8,12}/\\w{24}', secretIn: lastRandomPart },
  // docs.stripe.com, API keys: secret and restricted ones move money; `pk_` is publishable, `_test_` moves none.
  { kind: 'accessToken', form: '[rs]k_live_[A-Za-z0-9]{20,250}' },
  // docs.mapbox.com: `sk.` is secret, `pk.` is public.
  { kind: 'accessToken', form: 'sk\\.eyJ1[\\w-]{20,300}\\.[\\w-]{20,50}' },
  // docs.sendgrid.com: send mail in the name of its owner.
  { kind: 'accessToken', form: 'SG\\.[\\w-]{22}\\.[\\w-]{43}(?!\\w)' },
  // Keys of language models, which are paid for by use.
  { kind: 'accessToken', form: 'sk-(?:proj|svcacct|admin|ant-[a-z]{3,5}\\d\\d)-[\\w-]{40,200}' },
  { kind: 'accessToken', form: 'sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}' },
  // docs.pypi.org, docs.digitalocean.com, huggingface.co, shopify.dev: publish packages, act as a user or an app.
  { kind: 'accessToken', form: 'pypi-AgEIcHlwaS5vcmc[\\w-]{50,300}' },
  { kind: 'accessToken', form: 'do[opr]_v1_[a-f0-9]{64}(?!\\w)' },
  { kind: 'accessToken', form: 'hf_[A-Za-z0-9]{34}(?!\\w)' },
  { kind: 'accessToken', form: 'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}(?!\\w)' },
  // Client secrets of Google and of Microsoft's Entra ID.
  { kind: 'accessToken', form: 'GOCSPX-[\\w-]{28}(?!\\w)' },
  { kind: 'accessToken', form: '[\\w~.]{3}\\dQ~[\\w~.-]{31}' },
  // age-encryption.org, bech32 in capitals.
  { kind: 'privateKey', form: 'AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}' },
  // RFC 3986 §3.2.1: a name and a password before the host.
  {
    kind: 'accessToken',
    form: '://[\\w.~%!$&*+,;=-]{0,64}:[\\w.~%!$&()*+,;=:-]{8,128}@[\\w.-]{1,64}',
    secretIn: signedInUrl,
  },
];

/** Length of a value in DER, or in BER (X.690 §8.1.3), in hexadecimal digits. */
const LENGTH = '(?:[0-7].|80|81..|82.{4}|83.{6})';

/** What files of keys begin with, in hexadecimal digits. Certificates and public keys begin otherwise. */
const KEY_FILE = new RegExp(
  `^(?:${[
    // Java's key stores: JKS and JCEKS.
    'feedfeed|cececece',
    Buffer.from('PuTTY-User-Key-File-').toString('hex'),
    // A sequence that begins with its version: RFC 5958 (PKCS#8), RFC 8017 A.1.2 (RSA), RFC 5915 (EC).
    `30${LENGTH}02010[01](?:30|02|04)`,
    // RFC 7292: PKCS#12 has version 3.
    `30${LENGTH}02010330`,
    // RFC 5958 §3: an encrypted key begins with the algorithm, of PKCS#5 or PKCS#12.
    `30${LENGTH}30${LENGTH}06..2a864886f70d01(?:05|0c01)`,
  ].join('|')})`,
);

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
  // yarnpkg.com, configuration: publish packages.
  { names: /^\.yarnrc\.ya?ml$/i, kind: 'accessToken', form: /npmAuth(?:Token|Ident):[ \t]{0,9}["']?[^\s"'$#]/ },
];

/** All forms in one expression, to look at each text once. */
const ANY_FORM = new RegExp(FORMS.map(({ form }, index) => `(?<f${index}>${form})`).join('|'), 'g');

/** Public examples: the key of Azurite, Microsoft's emulator, and the token in GitHub's documentation. */
const DOCUMENTED = [
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  '_16C7e42F292c6912E7710c838347Ae178B4a',
];

/** A secret in a file. */
interface FoundSecret {
  readonly kind: FoundKind;
  /** Counts its line, from one: a file may hold many, and that of the first is shown. */
  readonly line: () => number;
  /** A hash of the secret, from which it cannot be recovered. */
  readonly hash: string;
}

/**
 * The secrets in a file: those that its name tells to look for, then the others in their order.
 *
 * @param names of the file, and of what it is a link to
 * @param bytes its beginning
 */
export function* secretsIn(names: readonly string[], bytes: Uint8Array): Generator<FoundSecret> {
  if (KEY_FILE.test(Buffer.from(bytes.subarray(0, 40)).toString('hex'))) {
    yield { kind: 'privateKey', line: () => 1, hash: hashOf(bytes) };
  }
  const encoding = utf16Of(bytes);
  // The forms of secrets are ASCII: which other characters and bytes there are does not matter, and Latin-1 is the quickest.
  const text = encoding === undefined ? Buffer.from(bytes).toString('latin1') : new TextDecoder(encoding).decode(bytes);
  const lineAt = (index: number) => (): number => text.slice(0, index).split('\n').length;
  for (const { names: expected, kind, form } of FORMS_BY_NAME) {
    const index = names.some((name) => expected.test(name)) ? text.search(form) : -1;
    if (index >= 0) {
      // Not of the password: that may be short enough to be guessed.
      yield { kind, line: lineAt(index), hash: hashOf(kind) };
    }
  }
  for (const match of text.matchAll(ANY_FORM)) {
    const { 0: found, index, groups = {} } = match;
    const form = FORMS.find((_form, number) => groups[`f${number}`] !== undefined);
    if (form === undefined || isInsideWord(text, index)) {
      continue;
    }
    const before = text.slice(Math.max(0, index - CONTEXT), index);
    const after = text.slice(index + found.length, index + found.length + CONTEXT);
    const secret = (form.secretIn ?? randomPart)({ match: found, before, after });
    if (secret !== undefined) {
      yield { kind: kindOf(form.kind, before), line: lineAt(index), hash: hashOf(secret) };
    }
  }
}

function hashOf(secret: string | Uint8Array): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 12);
}

/** Google's service accounts keep their key in a field of JSON (cloud.google.com, service account keys). */
function kindOf(kind: FoundKind, before: string): FoundKind {
  return kind === 'privateKey' && /"private_key"\s{0,9}:\s{0,9}"$/.test(before) ? 'cloudKey' : kind;
}

/** Such as in the middle of data in base64. A character that's part of an escape, such as `\n`, isn't a letter. */
function isInsideWord(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  return /[\w+-]$/.test(before) && !/^\\[nrt]$/.test(before) && /\w/.test(text.charAt(index));
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

/** Not its password: that may be short enough to be guessed. */
function signedInUrl({ match }: Candidate): string | undefined {
  const at = match.lastIndexOf('@');
  const user = match.slice(0, match.indexOf(':', 3));
  const password = match.slice(user.length + 1, at);
  const isExample = /pass|pwd|secret|token|user|your|example|1234|x{4}|[$*]/i.test(password);
  return isExample || !/[a-z]/i.test(password) || !/\d/.test(password) ? undefined : user + match.slice(at);
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
