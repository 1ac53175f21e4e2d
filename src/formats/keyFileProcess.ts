import { execFile } from 'node:child_process';
import path from 'node:path';

import { KeyFileError, type KeyEntry, type KeyFileFault, type KeyFileSecrets } from './keyEntry.ts';
import { MAX_KEY_FILE_BYTES, OPEN_KEY_TIMEOUT_MS } from './limits.ts';

/** The input of the process. */
export interface KeyFileRequest {
  /** Base64, as all that is binary here. */
  readonly file: string;
  /** Opens a key. Without them the names of the keys are answered. */
  readonly secrets?: KeyFileSecrets;
  /** Whether the private key is answered, too. */
  readonly wantsPrivateKey?: boolean;
}

/** The output of the process. What was not asked for is empty. */
export type KeyFileAnswer =
  | { readonly fault: KeyFileFault }
  | { readonly aliases: readonly string[]; readonly certificates: readonly string[]; readonly privateKey: string };

/** Beside this file: in the sources as in the bundles. */
const PROGRAM = path.join(import.meta.dirname, `openKeyFile${path.extname(import.meta.filename)}`);

interface OpenOptions {
  /** Stops opening; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/**
 * Opens a key in a file, in a process of its own with a time limit: a file says itself how often its password is hashed, two
 * thousand million times if its author wants it so.
 *
 * @throws KeyFileError
 */
export async function openKeyEntry(
  bytes: Buffer,
  secrets: KeyFileSecrets,
  options: OpenOptions = {},
): Promise<KeyEntry> {
  const { certificates, privateKey } = await ask(bytes, { secrets, wantsPrivateKey: true }, options);
  return { certificates: certificates.map(fromBase64), privateKey: fromBase64(privateKey) };
}

/**
 * The certificates of a key in a file, which is opened as {@link openKeyEntry} does; the private key stays in that process.
 *
 * @throws KeyFileError
 */
export async function openCertificates(bytes: Buffer, secrets: KeyFileSecrets): Promise<KeyEntry['certificates']> {
  return (await ask(bytes, { secrets })).certificates.map(fromBase64);
}

/** The names of the keys in a PKCS#12 file, as far as they can be read without a password. @throws KeyFileError */
export async function readAliases(bytes: Buffer): Promise<readonly string[]> {
  return (await ask(bytes, {})).aliases;
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function ask(
  bytes: Buffer,
  request: Omit<KeyFileRequest, 'file'>,
  { signal, timeoutMs = OPEN_KEY_TIMEOUT_MS }: OpenOptions = {},
): Promise<Exclude<KeyFileAnswer, { readonly fault: KeyFileFault }>> {
  return new Promise((resolve, reject) => {
    const { SystemRoot } = process.env;
    const child = execFile(
      process.execPath,
      [PROGRAM],
      {
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        // An opened key in base64: more than a key file can hold.
        maxBuffer: 4 * MAX_KEY_FILE_BYTES,
        signal,
        windowsHide: true,
        // The program may be VS Code's Electron. Windows makes no random numbers without its folder.
        env: { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot !== undefined && { SystemRoot }) },
      },
      (error, output) => {
        if (signal?.aborted === true) {
          reject(signal.reason as Error);
          return;
        }
        if (error !== null) {
          // The error would name the program; it ended too late, or not by itself.
          reject(new KeyFileError(error.killed === true ? 'timeout' : 'unsupported'));
          return;
        }
        const answer = JSON.parse(output) as KeyFileAnswer;
        if ('fault' in answer) {
          reject(new KeyFileError(answer.fault));
          return;
        }
        resolve(answer);
      },
    );
    // It may have ended before it has read everything.
    child.stdin
      ?.on('error', () => undefined)
      .end(JSON.stringify({ ...request, file: bytes.toString('base64') } satisfies KeyFileRequest));
  });
}
