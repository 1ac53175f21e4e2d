import { hash, X509Certificate, type KeyObject } from 'node:crypto';

import { MAX_SUBJECT_LENGTH } from './limits.ts';

/** Reads certificates in DER, without those that OpenSSL does not know. */
export function readCertificates(certificates: readonly Buffer[]): readonly X509Certificate[] {
  return certificates.flatMap((der) => {
    try {
      return [new X509Certificate(der)];
    } catch {
      return [];
    }
  });
}

/** Whether this is the certificate of a private key. */
export function isCertificateOf(privateKey: KeyObject, certificate: X509Certificate): boolean {
  try {
    return certificate.checkPrivateKey(privateKey);
  } catch {
    // Its public key is of a kind that OpenSSL does not know.
    return false;
  }
}

/** A certificate and, as far as they are known, its issuers, in order. */
export function certificateChain(
  first: X509Certificate,
  known: readonly X509Certificate[],
): readonly X509Certificate[] {
  const chain = [first];
  for (let last: X509Certificate | undefined = first; last !== undefined;) {
    const issued: X509Certificate = last;
    // A certificate that was issued for itself ends the chain, too.
    last = isIssuer(issued, issued)
      ? undefined
      : known.find((issuer) => !chain.includes(issuer) && isIssuer(issuer, issued));
    chain.push(...(last === undefined ? [] : [last]));
  }
  return chain;
}

function isIssuer(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** Facts about a key from its file: a certificate or a provisioning profile. Neither is verified. */
export interface FileFacts {
  /** The common name of a certificate's owner, or the whole name where it has none; the name of a profile. */
  readonly subject: string | undefined;
  readonly team: string | undefined;
  readonly expiresAt: Date | undefined;
  /** The identifier of the app that a profile is for, such as `com.example.app`, `com.example.*` or `*`. */
  readonly appId: string | undefined;
  /** SHA-256 in hexadecimal: of the certificate, or of each one that may sign with a profile. */
  readonly certificates: readonly string[];
}

/** @param der a certificate (RFC 5280) @returns undefined for what OpenSSL does not know */
export function certificateFacts(der: Buffer): FileFacts | undefined {
  const [certificate] = readCertificates([der]);
  if (certificate === undefined) {
    return undefined;
  }
  const { subject, validTo } = certificate;
  const expiresAt = new Date(validTo);
  const name = (/^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')).slice(0, MAX_SUBJECT_LENGTH);
  return {
    subject: name === '' ? undefined : name,
    team: undefined,
    expiresAt: Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt,
    appId: undefined,
    certificates: [hash('sha256', der)],
  };
}
