import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateDetails {
  /** Names and addresses in the certificate. */
  readonly hosts?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** Issuer. If omitted, the certificate is self-signed. */
  readonly issuer?: Certificate;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates a certificate authority that no client trusts by default. With an issuer, it's an intermediate authority. */
export function createAuthority({
  name = 'Test Authority',
  issuer,
}: { readonly name?: string; readonly issuer?: Certificate } = {}): Promise<Certificate> {
  const notBefore = new Date(Date.now() - DAY_MS);
  return create(name, { notBefore, notAfter: new Date(Date.now() + 365 * DAY_MS) }, issuer, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ]);
}

/** Creates a server certificate, valid from yesterday to tomorrow. Default host: 127.0.0.1. */
export function createCertificate({
  hosts = ['127.0.0.1'],
  notBefore = new Date(Date.now() - DAY_MS),
  notAfter = new Date(Date.now() + DAY_MS),
  issuer,
}: CertificateDetails = {}): Promise<Certificate> {
  const altNames = hosts.map((host) => (isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host }));
  return create('server', { notBefore, notAfter }, issuer, [{ name: 'subjectAltName', altNames }]);
}

function create(
  name: string,
  validity: { readonly notBefore: Date; readonly notAfter: Date },
  issuer: Certificate | undefined,
  extensions: object[],
): Promise<Certificate> {
  const { privateKey: key } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const own = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(own.n, own.e);
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  Object.assign(certificate.validity, validity);
  const subject = [{ name: 'commonName', value: name }];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer ? forge.pki.certificateFromPem(issuer.cert).subject.attributes : subject);
  certificate.setExtensions(extensions);
  certificate.sign(issuer ? forge.pki.privateKeyFromPem(issuer.key) : own, forge.md.sha256.create());
  return Promise.resolve({ key, cert: forge.pki.certificateToPem(certificate) });
}
