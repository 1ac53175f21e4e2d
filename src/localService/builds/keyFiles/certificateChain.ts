import { X509Certificate, type KeyObject } from 'node:crypto';

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
    // Who has issued a certificate for itself ends the chain, too.
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
