import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { throwIfCancelled } from '../../api/errors/cancelledError.ts';
import { MAX_SEARCHED_BYTES } from '../limits.ts';
import { readPlanned } from './packageFile.ts';
import type { PlannedFile, SecretKind } from './packageContents.ts';
import { isMissingFile } from '../projectFolder.ts';
import { PackingError } from './packingError.ts';
import { keyFileIn, namedSecretIn, secretsIn } from './secretForms.ts';

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
  readonly secret: Exclude<SecretKind, 'name'>;
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
    const some = searched.slice(start, start + 16);
    const secrets = await Promise.all(some.map(searchFile));
    some.forEach((file, index) => {
      const inFile = secrets[index];
      if (inFile !== undefined) {
        found.set(file, inFile);
      }
    });
  }
  throwIfCancelled(signal);
  return found;
}

async function searchFile({ file, names }: SearchedFile): Promise<FileSecrets | 'gone' | undefined> {
  try {
    return secretsOf(names, await buffer(readPlanned(file, MAX_SEARCHED_BYTES)));
  } catch (error) {
    if (isMissingFile(error)) {
      return 'gone';
    }
    throw error instanceof BuildServiceError ? error : PackingError.ofFile(file.path, error);
  }
}

function secretsOf(names: readonly string[], bytes: Uint8Array): FileSecrets | undefined {
  const text = decoded(bytes);
  const found = [keyFileIn(bytes), namedSecretIn(names, text), ...secretsIn(text)].filter((each) => each !== undefined);
  const [first] = found;
  const hashes = [...new Set(found.map(({ hash }) => hash))].sort().join();
  return (
    first && {
      secret: first.kind,
      line: text.slice(0, first.index).split('\n').length,
      fingerprint: createHash('sha256').update(hashes).digest('hex').slice(0, 12),
    }
  );
}

function decoded(bytes: Uint8Array): string {
  const encoding = utf16Of(bytes);
  // The forms of secrets are ASCII: which other characters and bytes there are does not matter, and Latin-1 is the quickest.
  return encoding === undefined ? Buffer.from(bytes).toString('latin1') : new TextDecoder(encoding).decode(bytes);
}

/** The encoding of a text in UTF-16: by its mark or, without one, by its first two characters, as XML says (appendix F). */
function utf16Of([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (isAscii(first, third) && second === 0 && fourth === 0)) {
    return 'utf-16le';
  }
  const isBigEndian = (first === 0xfe && second === 0xff) || (isAscii(second, fourth) && first === 0 && third === 0);
  return isBigEndian ? 'utf-16be' : undefined;
}

/** Whether all are characters of a text in ASCII. */
function isAscii(...codes: readonly number[]): boolean {
  return codes.every((code) => code >= 0x09 && code < 0x7f);
}
