/** A private key with its certificates, all in DER. */
export interface KeyEntry {
  /** PKCS#8. Never to be logged. */
  readonly privateKey: Buffer;
  /** X.509: the key's own first, then its issuers. */
  readonly certificates: readonly Buffer[];
}

/** The secrets that open a key in a file. */
export interface KeyFileSecrets {
  /** Of the whole file. */
  readonly password: string;
  /** Of the key, where the format has one of its own, which is JKS; by default that of the file. */
  readonly keyPassword?: string | undefined;
  /** In any case; without one it is the first key. */
  readonly alias?: string | undefined;
}

/** Whether a file looks like PKCS#12: a sequence that begins with version 3, in DER or BER. */
export function isPkcs12(bytes: Buffer): boolean {
  const lengthByte = bytes[1] ?? 0;
  const start = 2 + (lengthByte > 0x80 ? lengthByte - 0x80 : 0);
  return bytes[0] === 0x30 && bytes.subarray(start, start + 3).equals(Buffer.from([0x02, 0x01, 0x03]));
}

/** Why the key in a file cannot be read. */
export type KeyFileFault = keyof typeof SENTENCES;

/** Each begins with words that clients know. */
const SENTENCES = {
  'wrong password': 'Incorrect keystore password',
  'wrong key password': 'Incorrect key password',
  'unknown alias': 'Keystore alias not recognized',
  'no certificate': 'Certificate not found',
  /** It is broken, or of another format. */
  invalid: 'Invalid keystore format',
  /** JCEKS, or encrypted in a way or with a key of a kind that isn't known here. Other programs may know it. */
  unsupported:
    'Invalid keystore format: this kind can’t be opened. Convert it with “keytool -importkeystore -srckeystore OLD -destkeystore NEW.p12 -deststoretype pkcs12”, and add the new file.',
  timeout: 'Invalid keystore format: its password is hashed so often that it takes too long to open.',
} as const;

/**
 * The key in a file cannot be read. The local service answers the message, which holds nothing secret; the extension words the
 * fault itself.
 */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
  readonly fault: KeyFileFault;

  constructor(fault: KeyFileFault) {
    super(SENTENCES[fault]);
    this.fault = fault;
  }
}
