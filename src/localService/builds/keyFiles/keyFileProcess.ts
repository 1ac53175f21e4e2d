import { execFile } from 'node:child_process';
import path from 'node:path';

import type { KeyEntry, KeyFileSecrets } from './keyEntry.ts';
import { KeyFileError } from './keyFileError.ts';
import type { KeyFileAnswer, KeyFileRequest, OpenedKeyFile } from './openKeyFile.ts';

/** Beside this file: in the sources as in the bundle. */
const PROGRAM = path.join(import.meta.dirname, `openKeyFile${path.extname(import.meta.filename)}`);

const OPEN_TIMEOUT_MS = 10_000;
/** A key file has 1 MiB at most, and is answered in base64. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

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
  const { certificates, privateKey = '' } = await run(bytes, { ...secrets, wantsPrivateKey: true }, options);
  return { certificates: certificates.map(toBytes), privateKey: toBytes(privateKey) };
}

/**
 * The certificates of a key in a file, which is opened as {@link openKeyEntry} does; the private key stays in that process.
 *
 * @throws KeyFileError
 */
export async function openCertificates(
  bytes: Buffer,
  secrets: KeyFileSecrets,
  options: OpenOptions = {},
): Promise<KeyEntry['certificates']> {
  const { certificates } = await run(bytes, { ...secrets, wantsPrivateKey: false }, options);
  return certificates.map(toBytes);
}

function run(
  bytes: Buffer,
  request: Omit<KeyFileRequest, 'file'>,
  { signal, timeoutMs = OPEN_TIMEOUT_MS }: OpenOptions,
): Promise<OpenedKeyFile> {
  return new Promise((resolve, reject) => {
    const { SystemRoot } = process.env;
    const child = execFile(
      process.execPath,
      [PROGRAM],
      {
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_ANSWER_BYTES,
        signal,
        // The program may be VS Code's Electron. Windows makes no random numbers without its folder.
        env: { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot !== undefined && { SystemRoot }) },
      },
      (error, output) => {
        if (signal?.aborted === true) {
          reject(signal.reason as Error);
        } else if (error !== null) {
          // The error would name the program; it ended too late, or not by itself.
          reject(new KeyFileError(error.killed === true ? 'timeout' : 'unsupported'));
        } else {
          const answer = JSON.parse(output) as KeyFileAnswer;
          if ('fault' in answer) {
            reject(new KeyFileError(answer.fault, answer.message));
          } else {
            resolve(answer);
          }
        }
      },
    );
    // It may have ended before it has read everything.
    child.stdin?.on('error', () => undefined).end(JSON.stringify({ ...request, file: bytes.toString('base64') }));
  });
}

function toBytes(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
