import { createHash } from 'node:crypto';

import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { throwIfCancelled } from '../../api/errors/cancelledError.ts';
import { MAX_SEARCHED_BYTES } from '../limits.ts';
import { readPlanned } from './packageFile.ts';
import type { PlannedFile, SecretKind } from './packageContents.ts';
import { isMissingFile } from '../projectFolder.ts';
import { PackingError } from './packingError.ts';
import { CONTEXT, keyFileIn, namedSecretIn, secretsIn, type FoundSecret } from './secretForms.ts';

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
    const secrets = await Promise.all(some.map((file) => searchFile(file, signal)));
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

async function searchFile(
  { file, names }: SearchedFile,
  signal: AbortSignal | undefined,
): Promise<FileSecrets | 'gone' | undefined> {
  const search = new TextSearch(names);
  try {
    for await (const piece of readPlanned(file)) {
      throwIfCancelled(signal);
      search.add(piece);
      if (search.isOver) {
        break;
      }
    }
    return search.end();
  } catch (error) {
    if (isMissingFile(error)) {
      return 'gone';
    }
    throw error instanceof BuildServiceError ? error : PackingError.ofFile(file.path, error);
  }
}

interface Decoder {
  decode(bytes: Uint8Array): string;
}

/** Searches one file, piece by piece. */
class TextSearch {
  readonly #names: readonly string[];
  #decoder: Decoder | undefined;
  /** Text that was read but not searched to its end, with the characters before it. */
  #text = '';
  /** Where in it the search goes on. */
  #from = 0;
  #bytes = 0;
  /** Lines before it. */
  #lines = 0;
  #first: { readonly kind: FoundSecret['kind']; readonly line: number } | undefined;
  readonly #hashes = new Set<string>();
  /** Whether what follows is not looked at: enough was read. */
  isOver = false;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Searches one more piece of the text. */
  add(bytes: Uint8Array): void {
    const isFirst = this.#decoder === undefined;
    this.#decoder ??= decoderOf(bytes);
    const text = this.#decoder.decode(bytes.subarray(0, MAX_SEARCHED_BYTES - this.#bytes));
    this.#bytes += bytes.length;
    this.isOver = this.#bytes >= MAX_SEARCHED_BYTES;
    this.#text += text;
    if (isFirst) {
      this.#found(keyFileIn(bytes));
      this.#found(namedSecretIn(this.#names, text));
    }
    // The end of the text is searched once the next piece is there.
    this.#searchTo(this.#text.length - 2 * CONTEXT);
  }

  /** @returns undefined when there is no secret */
  end(): FileSecrets | undefined {
    this.#searchTo(this.#text.length);
    return (
      this.#first && {
        secret: this.#first.kind,
        line: this.#first.line,
        fingerprint: createHash('sha256')
          .update([...this.#hashes].sort().join())
          .digest('hex')
          .slice(0, 12),
      }
    );
  }

  #searchTo(to: number): void {
    if (to <= this.#from) {
      return;
    }
    for (const secret of secretsIn(this.#text, this.#from, to)) {
      this.#found(secret);
    }
    const done = Math.max(0, to - CONTEXT);
    this.#lines += this.#first === undefined ? lineBreaks(this.#text, done) : 0;
    this.#text = this.#text.slice(done);
    this.#from = to - done;
  }

  #found(secret: FoundSecret | undefined): void {
    if (secret !== undefined) {
      this.#first ??= { kind: secret.kind, line: this.#lines + lineBreaks(this.#text, secret.index) + 1 };
      this.#hashes.add(secret.hash);
    }
  }
}

function decoderOf(bytes: Uint8Array): Decoder {
  const encoding = utf16Of(bytes);
  if (encoding !== undefined) {
    const decoder = new TextDecoder(encoding);
    return { decode: (piece) => decoder.decode(piece, { stream: true }) };
  }
  // The forms of secrets are ASCII: which other characters and bytes there are does not matter, and Latin-1 is the quickest.
  return {
    decode: ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString('latin1'),
  };
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

function lineBreaks(text: string, end: number): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index >= 0 && index < end; index = text.indexOf('\n', index + 1)) {
    count += 1;
  }
  return count;
}
