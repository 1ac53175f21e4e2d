/** Why the key in a file cannot be had. */
export type KeyFileFault = keyof typeof SENTENCES;

/** Each begins with words that clients know. */
const SENTENCES = {
  'wrong password': 'Incorrect keystore password',
  'wrong key password': 'Incorrect key password',
  'unknown alias': 'Keystore alias not recognized',
  'no certificate': 'Certificate not found',
  /** It is broken, or of another format. */
  invalid: 'Invalid keystore format',
  /** Encrypted in a way, or with a key of a kind, that is not known here. Other programs may know it. */
  unsupported: 'Invalid keystore format: it is not known here. Make one of the type PKCS12 with a key of RSA or EC.',
  timeout: 'Invalid keystore format: its password is hashed so often that it takes too long to open.',
} as const;

/** The key in a file cannot be had. The message is a sentence for a person, without anything secret. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
  readonly fault: KeyFileFault;

  constructor(fault: KeyFileFault, message: string = SENTENCES[fault]) {
    super(message);
    this.fault = fault;
  }
}
