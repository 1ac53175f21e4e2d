/** A private key with its certificates, all in DER. */
export interface KeyEntry {
  /** The private key in PKCS#8. Must never be logged. */
  readonly privateKey: Buffer;
  /** X.509 certificates: the key's own certificate, then its issuers. */
  readonly certificates: readonly Buffer[];
}

/** The secrets that open a key in a file. */
export interface KeyFileSecrets {
  /** Password of the whole file. */
  readonly password: string;
  /** Password of the key. Defaults to the file's password. Only keys in JKS files can have a different one. */
  readonly keyPassword?: string | undefined;
  /** Alias of the key (case-insensitive). If omitted, the first key is opened. */
  readonly alias?: string | undefined;
}

/** Reports whether a file looks like PKCS#12: a sequence that begins with version 3, in DER or BER. */
export function isPkcs12(bytes: Buffer): boolean {
  const lengthByte = bytes[1] ?? 0;
  const start = 2 + (lengthByte > 0x80 ? lengthByte - 0x80 : 0);
  return bytes[0] === 0x30 && bytes.subarray(start, start + 3).equals(Buffer.from([0x02, 0x01, 0x03]));
}

/** Reason why a key can't be read from a file. */
export type KeyFileFault = keyof typeof SENTENCES;

/** Messages for the faults. Clients recognize them by their first words. */
const SENTENCES = {
  'wrong password': 'Incorrect keystore password',
  'wrong key password': 'Incorrect key password',
  'unknown alias': 'Keystore alias not recognized',
  'no certificate': 'Certificate not found',
  /** The file is damaged or has another format. */
  invalid: 'Invalid keystore format',
  /** The file is JCEKS, or its encryption or type of key isn't supported. Other programs may support it. */
  unsupported:
    'Invalid keystore format: this kind can’t be opened. Convert it with “keytool -importkeystore -srckeystore OLD -destkeystore NEW.p12 -deststoretype pkcs12”, and add the new file.',
  timeout: 'Invalid keystore format: its password is hashed so often that it takes too long to open.',
} as const;

/**
 * Thrown when a key can't be read from a file. The message, which the local service sends to clients, doesn't contain
 * secrets. The extension shows a different message for each fault.
 */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
  readonly fault: KeyFileFault;

  constructor(fault: KeyFileFault) {
    super(SENTENCES[fault]);
    this.fault = fault;
  }
}
