/** PKCS#12 files (RFC 7292): `.p12`, `.pfx`, and the keystores that Java's keytool makes. */
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';

/** What came of opening a file with a password. */
export type Pkcs12Result =
  | { readonly kind: 'opened'; readonly expiresAt: Date | undefined }
  | { readonly kind: 'wrong password' }
  /** Such as one with ciphers that are too old for OpenSSL 3: whether it can be used is not known. */
  | { readonly kind: 'unreadable' };

const OPEN_TIMEOUT_MS = 10_000;

/** Texts of OpenSSL and BoringSSL for a password that is not right. */
const WRONG_PASSWORD = /mac verify failure|incorrect.password/i;

/**
 * Opens the file whose content and password it receives. It runs as a process of its own, which can be ended: a file says
 * itself how often its password is hashed, two thousand million times if its author wants it so.
 */
const OPEN_FILE = `
require('node:stream/consumers').json(process.stdin).then(({ pfx, passphrase }) => {
  try {
    const { context } = require('node:tls').createSecureContext({ pfx: Buffer.from(pfx, 'base64'), passphrase });
    // Not documented.
    return { certificate: context.getCertificate?.()?.toString('base64') };
  } catch ({ message }) {
    return { message };
  }
}).then((result) => process.stdout.write(JSON.stringify(result)));`;

/** Tells whether a file looks like PKCS#12: a sequence that begins with version 3, in DER or BER. */
export function isPkcs12(bytes: Buffer): boolean {
  const lengthByte = bytes[1] ?? 0;
  const start = 2 + (lengthByte > 0x80 ? lengthByte - 0x80 : 0);
  return bytes[0] === 0x30 && bytes.subarray(start, start + 3).equals(Buffer.from([0x02, 0x01, 0x03]));
}

/** Opens a file that {@link isPkcs12}. */
export async function openPkcs12(bytes: Buffer, password: string): Promise<Pkcs12Result> {
  const { message, certificate } = await runOpenFile({ pfx: bytes.toString('base64'), passphrase: password });
  if (message !== undefined) {
    return { kind: WRONG_PASSWORD.test(message) ? 'wrong password' : 'unreadable' };
  }
  return { kind: 'opened', expiresAt: certificate === undefined ? undefined : expiryOf(certificate) };
}

interface OpenedFile {
  /** What was wrong with the file. */
  readonly message?: string;
  /** DER, base64. */
  readonly certificate?: string;
}

function runOpenFile(input: object): Promise<OpenedFile> {
  return new Promise((resolve) => {
    const { SystemRoot } = process.env;
    const child = execFile(
      process.execPath,
      ['-e', OPEN_FILE],
      {
        timeout: OPEN_TIMEOUT_MS,
        killSignal: 'SIGKILL',
        // The program may be VS Code's Electron. Windows makes no random numbers without its folder.
        env: { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot !== undefined && { SystemRoot }) },
      },
      (error, output) => {
        // The error would name the program; it ended too late, or not by itself.
        resolve(error === null ? (JSON.parse(output) as OpenedFile) : { message: 'not opened' });
      },
    );
    // It may have ended before it has read everything.
    child.stdin?.on('error', () => undefined).end(JSON.stringify(input));
  });
}

function expiryOf(certificate: string): Date {
  return new Date(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);
}
