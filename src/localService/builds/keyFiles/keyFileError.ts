/** Why the key in a file cannot be had. */
export type KeyFileFault = keyof typeof SENTENCES;

/** Some are words that clients know. */
const SENTENCES = {
  'wrong password': 'Incorrect keystore password',
  'wrong key password': 'Incorrect key password',
  'unknown alias': 'Keystore alias not recognized',
  'no certificate': 'Certificate not found',
  /** It is broken, or of another format. */
  invalid: 'Invalid keystore format',
  /** Encrypted in a way, or with a key of a kind, that is not known here. Other programs may know it. */
  unsupported: 'The keystore cannot be opened here: make one of the type PKCS12 with a key of RSA or EC.',
  timeout: 'It takes too long to open the keystore: make one whose password is hashed less often.',
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
