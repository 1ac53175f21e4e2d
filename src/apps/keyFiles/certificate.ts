import { createHash, X509Certificate } from 'node:crypto';

/** What a certificate says. It is not verified. */
export interface CertificateSummary {
  /** The common name of whom it was made for; the whole name where it has none. */
  readonly subject: string | undefined;
  readonly expiresAt: Date | undefined;
  /** SHA-256 of the certificate, in hexadecimal. */
  readonly fingerprint: string;
}

/** @param der a certificate (RFC 5280). @returns undefined for what OpenSSL does not know. */
export function readCertificate(der: Buffer): CertificateSummary | undefined {
  try {
    const { subject, validTo } = new X509Certificate(der);
    const expiresAt = new Date(validTo);
    const name = (/^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')).slice(0, MAX_SUBJECT_LENGTH);
    return {
      subject: name === '' ? undefined : name,
      expiresAt: Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt,
      fingerprint: createHash('sha256').update(der).digest('hex'),
    };
  } catch {
    return undefined;
  }
}

const MAX_SUBJECT_LENGTH = 200;
