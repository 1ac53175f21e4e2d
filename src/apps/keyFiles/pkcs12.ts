import { execFile } from 'node:child_process';
import { readCertificate, type CertificateSummary } from './certificate.ts';

/** What came of opening a file with a password. */
export type OpenedPkcs12 =
  | { readonly kind: 'opened'; readonly certificate: CertificateSummary | undefined }
  | { readonly kind: 'wrongPassword' }
  /** Such as one with ciphers that are too old for OpenSSL 3. Whether it can be used is not known. */
  | { readonly kind: 'unreadable' };

const OPEN_TIMEOUT_MS = 5_000;

/** Opening a file answers with one certificate at most. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** What OpenSSL (Node) and BoringSSL (Electron) say of a password that is not right. Any other text tells nothing. */
const WRONG_PASSWORD = /mac verify failure|incorrect.password/i;

/** The object identifier of friendlyName (RFC 2985 §5.5.1), in DER. */
const FRIENDLY_NAME = Buffer.from('06092a864886f70d010914', 'hex');
const SET = 0x31;
const BMP_STRING = 0x1e;
const MAX_ALIASES = 100;

/**
 * Opens the file whose content and password it reads. It runs in a process of its own, which can be ended: a file says itself how
 * often its password is hashed, and nothing ends OpenSSL within this process.
 */
const OPEN_FILE = `
require('node:stream/consumers').json(process.stdin).then(({ pfx, passphrase }) => {
  try {
    const { context } = require('node:tls').createSecureContext({ pfx: Buffer.from(pfx, 'base64'), passphrase });
    // Not documented.
    const certificate = context && typeof context.getCertificate === 'function' ? context.getCertificate() : undefined;
    return { certificate: certificate ? Buffer.from(certificate).toString('base64') : '' };
  } catch (error) {
    return { message: String(error && error.message) };
  }
}).then((result) => process.stdout.write(JSON.stringify(result)));`;

/** True for what looks like PKCS#12 (RFC 7292 §4): a sequence that begins with version 3, in DER or BER. */
export function isPkcs12(file: Buffer): boolean {
  const lengthByte = file[1] ?? 0;
  const start = 2 + (lengthByte > 0x80 ? lengthByte - 0x80 : 0);
  return file[0] === 0x30 && file.subarray(start, start + 3).equals(Buffer.from([0x02, 0x01, 0x03]));
}

/**
 * The names of the keys in a file, which Java calls aliases. The tools that make such files leave them in the clear, beside
 * each encrypted key; where a file has encrypted them, there are none.
 */
export function pkcs12Aliases(file: Buffer): readonly string[] {
  const found = new Set<string>();
  for (
    let start = file.indexOf(FRIENDLY_NAME);
    start >= 0 && found.size < MAX_ALIASES;
    start = file.indexOf(FRIENDLY_NAME, start + 1)
  ) {
    // A set of one short string: its tag and length, then those of the string.
    const [setTag, , stringTag, length = 0] = file.subarray(start + FRIENDLY_NAME.length);
    const text = file.subarray(start + FRIENDLY_NAME.length + 4).subarray(0, length);
    if (setTag === SET && stringTag === BMP_STRING && length < 0x80 && text.length === length && length % 2 === 0) {
      found.add(Buffer.from(text).swap16().toString('utf16le'));
    }
  }
  found.delete('');
  return [...found];
}

/** Opens a file that {@link isPkcs12}. Never rejects. @param timeoutMs after which the file counts as unreadable. */
export async function openPkcs12(file: Buffer, password: string, timeoutMs = OPEN_TIMEOUT_MS): Promise<OpenedPkcs12> {
  const { message, certificate } = await run({ pfx: file.toString('base64'), passphrase: password }, timeoutMs);
  if (typeof certificate === 'string') {
    return { kind: 'opened', certificate: readCertificate(Buffer.from(certificate, 'base64')) };
  }
  return { kind: typeof message === 'string' && WRONG_PASSWORD.test(message) ? 'wrongPassword' : 'unreadable' };
}

function run(
  input: object,
  timeoutMs: number,
): Promise<{ readonly message?: unknown; readonly certificate?: unknown }> {
  return new Promise((resolve) => {
    const { SystemRoot } = process.env;
    const child = execFile(
      process.execPath,
      ['-e', OPEN_FILE],
      {
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
        windowsHide: true,
        // The program may be VS Code's Electron. Windows makes no random numbers without its folder.
        env: { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot !== undefined && { SystemRoot }) },
      },
      (error, output) => {
        resolve(error === null ? resultOf(output) : {});
      },
    );
    // It may end before it has read everything. The password goes where no list of processes shows it.
    child.stdin?.on('error', () => undefined).end(JSON.stringify(input));
  });
}

function resultOf(output: string): { readonly message?: unknown; readonly certificate?: unknown } {
  try {
    return Object(JSON.parse(output)) as object;
  } catch {
    return {};
  }
}
