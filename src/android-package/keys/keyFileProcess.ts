import { execFile } from 'node:child_process';
import path from 'node:path';

import { KeyFileError, type KeyEntry, type KeyFileFault, type KeyFileSecrets } from './keyEntry.ts';
import { MAX_KEY_FILE_BYTES, OPEN_KEY_TIMEOUT_MS } from '../limits.ts';

/** Input of the process that opens key files. */
export interface KeyFileRequest {
  /** Content of the key file, in base64. */
  readonly file: string;
  /** Secrets that open a key. If they're missing, the process returns the aliases. */
  readonly secrets?: KeyFileSecrets;
  /** Whether to return the private key as well. */
  readonly wantsPrivateKey?: boolean;
}

/** Output of the process. Parts that weren't requested are empty. */
export type KeyFileAnswer =
  | { readonly fault: KeyFileFault }
  | { readonly aliases: readonly string[]; readonly certificates: readonly string[]; readonly privateKey: string };

/** The program, which is next to this file in the sources and in the bundles. */
const PROGRAM = path.join(import.meta.dirname, `openKeyFile${path.extname(import.meta.filename)}`);

interface OpenOptions {
  /** Aborts the operation, so that the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/**
 * Opens a key in a file, in a separate process with a time limit. The file specifies how many times the password is
 * hashed, which can be up to two billion times.
 *
 * @param options a signal that stops opening the key, and the time limit in milliseconds (defaults to
 * {@link OPEN_KEY_TIMEOUT_MS})
 * @throws KeyFileError `timeout` if the time limit expires, or another fault if the key can't be read
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
 * Like {@link openKeyEntry}, but returns only the certificates. The private key doesn't leave the other process.
 *
 * @throws KeyFileError
 */
export async function openCertificates(bytes: Buffer, secrets: KeyFileSecrets): Promise<KeyEntry['certificates']> {
  return (await ask(bytes, { secrets })).certificates.map(fromBase64);
}

/**
 * Returns the aliases in a PKCS#12 file that can be read without a password.
 *
 * @throws KeyFileError
 */
export async function readAliases(bytes: Buffer): Promise<readonly string[]> {
  return (await ask(bytes, {})).aliases;
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

async function ask(
  bytes: Buffer,
  request: Omit<KeyFileRequest, 'file'>,
  options: OpenOptions = {},
): Promise<Exclude<KeyFileAnswer, { readonly fault: KeyFileFault }>> {
  const input: KeyFileRequest = { ...request, file: bytes.toString('base64') };
  const answer = parseAnswer(await runProgram(JSON.stringify(input), options));
  if ('fault' in answer) {
    throw new KeyFileError(answer.fault);
  }
  return answer;
}

function parseAnswer(output: string): KeyFileAnswer {
  try {
    return JSON.parse(output) as KeyFileAnswer;
  } catch {
    return { fault: 'unsupported' };
  }
}

/** Runs the program. @returns its output */
function runProgram(input: string, { signal, timeoutMs = OPEN_KEY_TIMEOUT_MS }: OpenOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const { SystemRoot } = process.env;
    const child = execFile(
      process.execPath,
      [PROGRAM],
      {
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        // An opened key in base64 is smaller than this, because the size of key files is limited.
        maxBuffer: 4 * MAX_KEY_FILE_BYTES,
        signal,
        windowsHide: true,
        // The executable may be VS Code's Electron. On Windows, random numbers require `SystemRoot`.
        env: { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot !== undefined && { SystemRoot }) },
      },
      (error, output) => {
        if (signal?.aborted === true) {
          reject(signal.reason as Error);
        } else if (error !== null) {
          // Don't pass on the error, which contains the path of the program. The process timed out or crashed.
          reject(new KeyFileError(error.killed === true ? 'timeout' : 'unsupported'));
        } else {
          resolve(output);
        }
      },
    );
    // The process may exit before it has read all of its input. The streams are missing if it couldn't be started.
    [child.stdin, child.stdout, child.stderr].forEach((stream) => stream?.on('error', () => undefined));
    child.stdin?.end(input);
  });
}
