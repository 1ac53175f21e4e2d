/** Makes certificates with node-forge. It's loaded only when one is made. */
import { generateKeyPair, randomBytes } from 'node:crypto';
import forge from 'node-forge';
import { promisify } from 'node:util';

const RSA_BITS = 2048;
const SERIAL_NUMBER_BYTES = 16;

interface CertificateOptions {
  /** The name of its owner, who is its issuer, too. */
  readonly commonName: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly object[];
}

/** Makes a key of RSA and a certificate for it that is signed with the key itself: PEM. */
export async function createSelfSigned(
  options: CertificateOptions,
): Promise<{ readonly cert: string; readonly key: string }> {
  const { privateKey: key } = await promisify(generateKeyPair)('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const privateKey = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(privateKey.n, privateKey.e);
  // Positive (RFC 5280 §4.1.2.2).
  certificate.serialNumber = `01${randomBytes(SERIAL_NUMBER_BYTES).toString('hex')}`;
  certificate.validity.notBefore = options.notBefore;
  certificate.validity.notAfter = options.notAfter;
  const owner = [{ name: 'commonName', value: options.commonName }];
  certificate.setSubject(owner);
  certificate.setIssuer(owner);
  certificate.setExtensions([...options.extensions]);
  certificate.sign(privateKey, forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key };
}
