/** Creates certificates with node-forge. Loaded only when needed. */
import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';

/** A certificate, with its chain if it has one, and its private key, in PEM format. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const RSA_BITS = 2048;

const SERIAL_NUMBER_BYTES = 16;

/** Creates an RSA key and a self-signed certificate for it, in PEM format. */
export async function generateSelfSigned(
  commonName: string,
  notBefore: Date,
  notAfter: Date,
  extensions: object[],
): Promise<Certificate> {
  const { privateKey: key } = await promisify(generateKeyPair)('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const privateKey = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(privateKey.n, privateKey.e);
  // Serial numbers must be positive (RFC 5280 §4.1.2.2).
  certificate.serialNumber = `01${randomBytes(SERIAL_NUMBER_BYTES).toString('hex')}`;
  certificate.validity.notBefore = notBefore;
  certificate.validity.notAfter = notAfter;
  const owner = [{ name: 'commonName', value: commonName }];
  certificate.setSubject(owner);
  certificate.setIssuer(owner);
  certificate.setExtensions(extensions);
  certificate.sign(privateKey, forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key };
}
