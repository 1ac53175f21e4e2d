/** Certificates (X.509), and provisioning profiles of Apple. */
import { hash, X509Certificate, type KeyObject } from 'node:crypto';

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
  const name = /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
  return {
    subject: name === '' ? undefined : name,
    team: undefined,
    expiresAt: Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt,
    appId: undefined,
    certificates: [hash('sha256', der)],
  };
}

/** Reads a provisioning profile of Apple, whose property list lies in the clear inside the signature. @returns undefined for a file without one */
export function readProvisioningProfile(file: Buffer): FileFacts | undefined {
  const start = file.indexOf('<?xml');
  const end = file.indexOf('</plist>', Math.max(0, start));
  if (start < 0 || end < 0) {
    return undefined;
  }
  const list = file.toString('utf8', start, end);
  const expiresAt = new Date(valueOfKey(list, 'ExpirationDate', 'date') ?? '');
  return {
    subject: valueOfKey(list, 'Name', 'string'),
    team: valueOfKey(list, 'TeamName', 'string') ?? valueOfKey(list, 'TeamIdentifier', 'string'),
    expiresAt: Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt,
    appId: appIdIn(list),
    certificates: certificatesIn(list),
  };
}

/** An app is named with its team, or with what the team had before there were teams, in front: `A1B2C3D4E5.com.example.app`. */
function appIdIn(list: string): string | undefined {
  const full =
    valueOfKey(list, 'application-identifier', 'string') ??
    valueOfKey(list, 'com.apple.application-identifier', 'string');
  const prefixes = ['ApplicationIdentifierPrefix', 'TeamIdentifier'].map((key) => valueOfKey(list, key, 'string'));
  const prefix = prefixes.find((each) => each !== undefined && full?.startsWith(`${each}.`));
  return prefix === undefined ? full?.replace(/^[A-Z0-9]{10}\./, '') : full?.slice(prefix.length + 1);
}

function certificatesIn(list: string): readonly string[] {
  const marker = '<key>DeveloperCertificates</key>';
  const start = list.indexOf(marker);
  const end = list.indexOf('</array>', Math.max(0, start));
  if (start < 0 || end < 0) {
    return [];
  }
  const data = list.slice(start + marker.length, end).matchAll(/<data>([^<]+)<\/data>/g);
  return Array.from(data, ([, text = '']) => hash('sha256', Buffer.from(text, 'base64')));
}

const VALUE = /^\s*(?:<array>\s*)?<(string|date)>([^<]+)<\//;

/** The value behind a key, also where it is the first of an array. */
function valueOfKey(list: string, key: string, type: 'string' | 'date'): string | undefined {
  const marker = `<key>${key}</key>`;
  const start = list.indexOf(marker);
  if (start < 0) {
    return undefined;
  }
  const [, found, value = ''] = VALUE.exec(list.slice(start + marker.length)) ?? [];
  return found === type ? unescapeXml(value.trim()) : undefined;
}

function unescapeXml(text: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (entity, name: string) => characters[name] ?? entity);
}
