import { isIP } from 'node:net';
import { generate, type SelfsignedOptions } from 'selfsigned';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateDetails {
  /** Names and addresses that it is for. */
  readonly hosts?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** Who issues it; self-signed without. */
  readonly issuer?: Certificate;
}

export const DAY_MS = 24 * 60 * 60 * 1000;

/** An authority that nobody trusts unless told to; with an issuer, one in the middle of a chain. */
export async function createAuthority({
  name = 'Test Authority',
  issuer,
}: { readonly name?: string; readonly issuer?: Certificate } = {}): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    ...(issuer && { ca: { key: issuer.key, cert: issuer.cert } }),
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  return { key, cert };
}

/** A server's certificate, by default for 127.0.0.1, from yesterday to tomorrow. */
export async function createCertificate({
  hosts = ['127.0.0.1'],
  notBefore = new Date(Date.now() - DAY_MS),
  notAfter = new Date(Date.now() + DAY_MS),
  issuer,
}: CertificateDetails = {}): Promise<Certificate> {
  const options: SelfsignedOptions = {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: notBefore,
    notAfterDate: notAfter,
    extensions: [
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) => (isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host })),
      },
    ],
    ...(issuer && { ca: { key: issuer.key, cert: issuer.cert } }),
  };
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'server' }], options);
  return { key, cert };
}
