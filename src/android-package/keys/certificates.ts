/** Reads X.509 certificates and Apple provisioning profiles. */
import { hash, X509Certificate, type KeyObject } from 'node:crypto';

/** Reads certificates in DER. Skips those that OpenSSL can't read. */
export function readCertificates(certificates: readonly Buffer[]): readonly X509Certificate[] {
  return certificates.flatMap((der) => {
    try {
      return [new X509Certificate(der)];
    } catch {
      return [];
    }
  });
}

/** Reports whether a certificate belongs to a private key. */
export function isCertificateForKey(privateKey: KeyObject, certificate: X509Certificate): boolean {
  try {
    return certificate.checkPrivateKey(privateKey);
  } catch {
    // OpenSSL doesn't support this type of public key.
    return false;
  }
}

/** Returns a certificate followed by the known part of its chain of issuers. */
export function certificateChain(
  first: X509Certificate,
  known: readonly X509Certificate[],
): readonly X509Certificate[] {
  const chain = [first];
  for (let last: X509Certificate | undefined = first; last !== undefined;) {
    const issued: X509Certificate = last;
    // The last certificate may be self-signed, which ends the chain.
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

/** Facts about a signing key, from a certificate or provisioning profile. The file isn't verified. */
export interface FileFacts {
  /**
   * Common name of a certificate's subject, or the whole subject if it doesn't have one. For a profile, the profile's
   * name.
   */
  readonly subject: string | undefined;
  readonly team: string | undefined;
  readonly expiresAt: Date | undefined;
  /** App identifier of a profile, such as `com.example.app`, `com.example.*`, or `*`. */
  readonly appId: string | undefined;
  /** SHA-256 digests in hexadecimal: of the certificate, or of every certificate in the profile. */
  readonly certificates: readonly string[];
}

/** Reads the facts from a DER certificate (RFC 5280). Returns undefined if OpenSSL can't read it. */
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

/**
 * Reads the facts from an Apple provisioning profile. The profile's property list is plain text inside the signature.
 * Returns undefined if the file doesn't contain one.
 */
export function readProvisioningProfile(file: Buffer): FileFacts | undefined {
  const start = file.indexOf('<?xml');
  const end = file.indexOf('</plist>', Math.max(0, start));
  if (start < 0 || end < 0) {
    return undefined;
  }
  const list = file.toString('utf8', start, end);
  const expiresAt = new Date(findValue(list, 'ExpirationDate', 'date') ?? '');
  return {
    subject: findValue(list, 'Name', 'string'),
    team: findValue(list, 'TeamName', 'string') ?? findValue(list, 'TeamIdentifier', 'string'),
    expiresAt: Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt,
    appId: appIdIn(list),
    certificates: certificatesIn(list),
  };
}

/**
 * Returns the app ID without its prefix, which is a team ID or an older app ID prefix, as in
 * `A1B2C3D4E5.com.example.app`.
 */
function appIdIn(list: string): string | undefined {
  const full =
    findValue(list, 'application-identifier', 'string') ??
    findValue(list, 'com.apple.application-identifier', 'string');
  const prefixes = ['ApplicationIdentifierPrefix', 'TeamIdentifier'].map((key) => findValue(list, key, 'string'));
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

/** Returns the value of a key, or the first element if the value is an array. */
function findValue(list: string, key: string, type: 'string' | 'date'): string | undefined {
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
