import { createHash } from 'node:crypto';
import { BuildServiceError, throwIfCancelled } from '../../errors/index.ts';
import { MAX_SEARCHED_BYTES } from '../limits.ts';
import { readPlannedStart } from './packageFile.ts';
import type { PlannedFile, SecretKind } from './packageContents.ts';
import { isMissingFile, detectUtf16 } from '../projectFolder.ts';
import { PackingError } from './packingError.ts';

/** Matches formats whose files are often large and numerous, and rarely contain a secret. */
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
  /** The name of the file. For a link, also the names in the target's path. */
  readonly names: readonly string[];
}

interface FileSecrets {
  /** Kind of the first secret. */
  readonly secret: FoundSecretKind;
  /** Line of the first secret, starting at 1. */
  readonly line: number;
  /** Hash of all secrets in the file. */
  readonly fingerprint: string;
}

/**
 * Searches for secrets in the first {@link MAX_SEARCHED_BYTES} of each file. Reads several files in parallel.
 *
 * @returns the result for each file that contains a secret, or `gone` for a file that no longer exists
 * @throws PackingError if a file can't be read, because it might contain a secret
 * @throws CancelledError
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
    const found = [...secretsIn(names, await readPlannedStart(file, MAX_SEARCHED_BYTES))];
    const [first] = found;
    const hashes = [...new Set(found.map(({ hash }) => hash))].sort().join();
    return first && { secret: first.kind, line: first.line(), fingerprint: hashSecret(hashes) };
  } catch (error) {
    if (isMissingFile(error)) {
      return 'gone';
    }
    throw error instanceof BuildServiceError ? error : PackingError.forFile(file.path, error);
  }
}

type FoundSecretKind = Exclude<SecretKind, 'name'>;

/** Text in a file that looks like a secret. */
interface SecretCandidate {
  readonly match: string;
  /** Up to {@link CONTEXT} characters before the match. */
  readonly before: string;
  /** Up to {@link CONTEXT} characters after the match. */
  readonly after: string;
}

/** A kind of secret that can be recognized by its form. */
interface SecretForm {
  readonly kind: FoundSecretKind;
  /**
   * Source of a regular expression. All repetitions have a small upper bound, so that no file can slow down the search.
   */
  readonly form: string;
  /** Part of each match that is faster to find, if the form begins with a set of characters. */
  readonly part?: string;
  /**
   * Returns the secret, or enough of it to distinguish it from others. Returns undefined if the match isn't a secret.
   * By default, a match is a secret if it looks random.
   */
  readonly secretIn?: (candidate: SecretCandidate) => string | undefined;
}

/** Number of characters to examine before and after a match. */
const CONTEXT = 1_000;

/**
 * Forms of secrets that any text file can contain. Excludes values that are public by design: Google's web keys
 * (`AIza…`), Firebase's configuration, publishable keys of Stripe and Mapbox, and certificates.
 */
const FORMS: readonly SecretForm[] = [
  // RFC 7468. Anyone with a private key can sign and decrypt as its owner.
  { kind: 'privateKey', form: '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----', secretIn: keyAfter },
  // docs.aws.amazon.com, IAM identifiers. The identifier isn't a secret, but grants access together with its key.
  { kind: 'cloudKey', form: 'A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9+/])', secretIn: withAwsKey },
  // learn.microsoft.com, connection strings of storage accounts, Service Bus, Event Hubs, and IoT Hub. These strings
  // grant full access.
  { kind: 'cloudKey', form: 'AccountKey=[A-Za-z0-9+/]{86}==' },
  { kind: 'cloudKey', form: 'SharedAccessKey=[A-Za-z0-9+/]{43}=' },
  // github.blog, “token format updates”. These tokens act as a user or an app. Tokens of installations contain dots and
  // dashes.
  { kind: 'accessToken', form: 'gh[pousr]_[\\w.-]{36,600}' },
  { kind: 'accessToken', form: 'github_pat_\\w{82}(?!\\w)' },
  // docs.gitlab.com, token prefixes for users, deployments, runners, triggers, jobs, apps, and agents.
  { kind: 'accessToken', form: 'gl(?:pat|dt|rt|ptt|cbt|oas|soat|agent)-[\\w.-]{20,300}' },
  // docs.npmjs.com. These tokens publish packages.
  { kind: 'accessToken', form: 'npm_[A-Za-z0-9]{36}(?!\\w)' },
  // docs.slack.dev, token types and incoming webhooks. The address of a webhook is the secret.
  { kind: 'accessToken', form: 'xox[abeoprs](?:\\.xox[bp])?-[\\w-]{20,300}' },
  { kind: 'accessToken', form: 'xapp-\\d-[\\w-]{20,300}' },
  { kind: 'accessToken', form: 'hooks\\.slack\\.com/services/T\\w{8,12}/B\\w{8,12}/\\w{24}', secretIn: lastRandomPart },
  // docs.stripe.com, API keys. Secret and restricted keys can move money. `pk_` is publishable, and `_test_` is for
  // testing.
  { kind: 'accessToken', form: '[rs]k_live_[A-Za-z0-9]{20,250}' },
  // docs.mapbox.com. `sk.` is secret, `pk.` is public.
  { kind: 'accessToken', form: 'sk\\.eyJ1[\\w-]{20,300}\\.[\\w-]{20,50}' },
  // docs.sendgrid.com. These keys send mail on behalf of their owner.
  { kind: 'accessToken', form: 'SG\\.[\\w-]{22}\\.[\\w-]{43}(?!\\w)' },
  // API keys for language models, whose use is billed.
  { kind: 'accessToken', form: 'sk-(?:proj|svcacct|admin|ant-[a-z]{3,5}\\d\\d)-[\\w-]{40,200}' },
  { kind: 'accessToken', form: 'sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}' },
  // docs.pypi.org, docs.digitalocean.com, huggingface.co, shopify.dev. These tokens publish packages, or act as a user
  // or an app.
  { kind: 'accessToken', form: 'pypi-AgEIcHlwaS5vcmc[\\w-]{50,300}' },
  { kind: 'accessToken', form: 'do[opr]_v1_[a-f0-9]{64}(?!\\w)' },
  { kind: 'accessToken', form: 'hf_[A-Za-z0-9]{34}(?!\\w)' },
  { kind: 'accessToken', form: 'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}(?!\\w)' },
  // Client secrets of Google and of Microsoft Entra ID.
  { kind: 'accessToken', form: 'GOCSPX-[\\w-]{28}(?!\\w)' },
  { kind: 'accessToken', form: '[\\w~.]{3}\\dQ~[\\w~.-]{31}', part: 'Q~' },
  // age-encryption.org, in uppercase Bech32.
  { kind: 'privateKey', form: 'AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}' },
  // RFC 3986 §3.2.1: a user name and a password before the host.
  {
    kind: 'accessToken',
    form: '://[\\w.~%!$&*+,;=-]{0,64}:[\\w.~%!$&()*+,;=:-]{8,128}@[\\w.-]{1,64}',
    secretIn: signedInUrl,
  },
];

/** Matches a length in DER or BER (X.690 §8.1.3), in hexadecimal digits. */
const LENGTH = '(?:[0-7].|80|81..|82.{4}|83.{6})';

/** Matches the start of key files, in hexadecimal digits. Certificates and public keys start differently. */
const KEY_FILE = new RegExp(
  `^(?:${[
    // Java keystores: JKS and JCEKS.
    'feedfeed|cececece',
    Buffer.from('PuTTY-User-Key-File-').toString('hex'),
    // A sequence that begins with its version: RFC 5958 (PKCS#8), RFC 8017 A.1.2 (RSA), RFC 5915 (EC).
    `30${LENGTH}02010[01](?:30|02|04)`,
    // RFC 7292: PKCS#12 has version 3.
    `30${LENGTH}02010330`,
    // RFC 5958 §3: an encrypted key begins with its algorithm, from PKCS#5 or PKCS#12.
    `30${LENGTH}30${LENGTH}06..2a864886f70d01(?:05|0c01)`,
  ].join('|')})`,
);

/** Secrets that are searched for only in files with certain names. */
const FORMS_BY_NAME: readonly { readonly names: RegExp; readonly kind: FoundSecretKind; readonly form: RegExp }[] = [
  { names: /\.(?:pem|key)$/i, kind: 'privateKey', form: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/ },
  // Cordova's signing options.
  { names: /^build\.json$/i, kind: 'signingPasswords', form: /"(?:storePassword|password|keystore)"\s{0,99}:/i },
  // developer.android.com, “Sign your app”: the build file, and the files that it reads passwords from.
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
  // yarnpkg.com, configuration. These tokens publish packages.
  { names: /^\.yarnrc\.ya?ml$/i, kind: 'accessToken', form: /npmAuth(?:Token|Ident):[ \t]{0,9}["']?[^\s"'$#]/ },
];

/** All forms in one expression, so that each file is searched only once. */
const ANY_FORM = new RegExp(FORMS.map(({ form }, index) => `(?<f${index}>${form})`).join('|'), 'g');

/** Matches any text with a form, and little other text. Most files contain none. */
const MAY_CONTAIN_FORM = new RegExp(FORMS.map(({ form, part = form }) => part).join('|'));

/** Public examples: the key in Microsoft's Azurite emulator, and the token in GitHub's documentation. */
const DOCUMENTED = [
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  '_16C7e42F292c6912E7710c838347Ae178B4a',
];

/** A secret in a file. */
interface FoundSecret {
  readonly kind: FoundSecretKind;
  /** Computes the line number, starting at 1. Only the first secret's line is needed. */
  readonly line: () => number;
  /** Irreversible hash of the secret. */
  readonly hash: string;
}

/**
 * Finds the secrets in a file: those of {@link FORMS_BY_NAME} first, followed by the others in file order.
 *
 * @param names the name of the file. For a link, also the names in the target's path
 * @param bytes the start of the file
 */
export function* secretsIn(names: readonly string[], bytes: Uint8Array): Generator<FoundSecret> {
  if (KEY_FILE.test(Buffer.from(bytes.subarray(0, 40)).toString('hex'))) {
    yield { kind: 'privateKey', line: () => 1, hash: hashSecret(bytes) };
  }
  const encoding = detectUtf16(bytes);
  // Secrets are ASCII, so decode the text as Latin-1, which is fastest.
  const text = encoding === undefined ? Buffer.from(bytes).toString('latin1') : new TextDecoder(encoding).decode(bytes);
  const lineAt = (index: number) => (): number => text.slice(0, index).split('\n').length;
  for (const { names: expected, kind, form } of FORMS_BY_NAME) {
    const index = names.some((name) => expected.test(name)) ? text.search(form) : -1;
    if (index >= 0) {
      // Hash the kind instead of the password, which may be short enough to guess.
      yield { kind, line: lineAt(index), hash: hashSecret(kind) };
    }
  }
  for (const match of MAY_CONTAIN_FORM.test(text) ? text.matchAll(ANY_FORM) : []) {
    const { 0: found, index, groups = {} } = match;
    const form = FORMS.find((_form, number) => groups[`f${number}`] !== undefined);
    if (form === undefined || isInsideWord(text, index)) {
      continue;
    }
    const before = text.slice(Math.max(0, index - CONTEXT), index);
    const after = text.slice(index + found.length, index + found.length + CONTEXT);
    const secret = (form.secretIn ?? randomPart)({ match: found, before, after });
    if (secret !== undefined) {
      yield { kind: refineKind(form.kind, before), line: lineAt(index), hash: hashSecret(secret) };
    }
  }
}

function hashSecret(secret: string | Uint8Array): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 12);
}

/**
 * Returns the exact kind of a secret: a private key in a JSON field belongs to a Google service account
 * (cloud.google.com, service account keys).
 */
function refineKind(kind: FoundSecretKind, before: string): FoundSecretKind {
  return kind === 'privateKey' && /"private_key"\s{0,9}:\s{0,9}"$/.test(before) ? 'cloudKey' : kind;
}

/**
 * Reports whether an index is inside a word, such as in base64 data. The letter of an escape sequence such as `\n` isn't
 * part of a word.
 */
function isInsideWord(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  return /[\w+-]$/.test(before) && !/^\\[nrt]$/.test(before) && /\w/.test(text.charAt(index));
}

/**
 * Returns the start of the key after its first line, because the source code of libraries contains only the first line.
 */
function keyAfter({ after }: SecretCandidate): string | undefined {
  const end = after.indexOf('-----');
  const words = (end < 0 ? after : after.slice(0, end)).split(/[^A-Za-z0-9+/]+/);
  const lines = words.filter(({ length }) => length >= 40);
  return lines.some((line) => isRandom(line, 3)) ? lines.join('') : undefined;
}

function withAwsKey({ match, before, after }: SecretCandidate): string | undefined {
  if (isPlaceholder(match)) {
    return undefined;
  }
  const words = `${before.slice(-400)} ${after.slice(0, 400)}`.split(/[^A-Za-z0-9+/_]+/);
  // A 40-character word with only lowercase letters and digits is a checksum.
  const hasKey = words.some((word) => word.length === 40 && !word.includes('_') && isRandom(word, 3));
  return hasKey ? match : undefined;
}

function randomPart({ match }: SecretCandidate): string | undefined {
  return isRandom(match) ? match : undefined;
}

function lastRandomPart({ match }: SecretCandidate): string | undefined {
  return isRandom(match.slice(match.lastIndexOf('/'))) ? match : undefined;
}

/** Returns the URL without its password, which may be short enough to guess. */
function signedInUrl({ match }: SecretCandidate): string | undefined {
  const at = match.lastIndexOf('@');
  const user = match.slice(0, match.indexOf(':', 3));
  const password = match.slice(user.length + 1, at);
  const isExample = /pass|pwd|secret|token|user|your|example|1234|x{4}|[$*]/i.test(password);
  return isExample || !/[a-z]/i.test(password) || !/\d/.test(password) ? undefined : user + match.slice(at);
}

/**
 * Reports whether a string looks random.
 *
 * @param kinds the minimum number of kinds among uppercase letters, lowercase letters, and digits. Names have only one
 * kind
 */
function isRandom(text: string, kinds = 2): boolean {
  return [/[A-Z]/, /[a-z]/, /\d/].filter((kind) => kind.test(text)).length >= kinds && !isPlaceholder(text);
}

/**
 * Reports whether a string is a placeholder for a secret: `xxxx…`, `1234567890…`, `your-token-here`, `AKIA…EXAMPLE`.
 */
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

/** Reports whether a string contains six consecutive characters in alphabetical order. */
function hasSequence(text: string): boolean {
  let length = 1;
  for (let index = 1; index < text.length && length < 6; index += 1) {
    length = text.charCodeAt(index) === text.charCodeAt(index - 1) + 1 ? length + 1 : 1;
  }
  return length >= 6;
}
