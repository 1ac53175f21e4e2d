/**
 * Signs jar files as Java does (JAR File Specification, "Signed JAR File"; PKCS #7). Google Play requires this for app
 * bundles. Loaded only to sign a bundle.
 */
import { hash, sign } from 'node:crypto';

import forge from 'node-forge';
import type { Signer } from '../keys/signer.ts';

/** An entry of the jar. */
interface JarEntry {
  readonly name: string;
  /** Base64 SHA-256 of the content. */
  readonly digest: string;
}

/** A signature file. These must be the first files in the jar. */
interface SignatureFile {
  readonly name: string;
  readonly content: Buffer;
}

const { asn1, pki } = forge;

const MAX_LINE_BYTES = 72;
const CREATED_BY = header('Created-By', '1.0 (App Build)');

/**
 * Signs the entries of a jar.
 *
 * @param signer a signer whose first certificate matches its private key
 */
export function signJar(entries: readonly JarEntry[], signer: Signer): readonly SignatureFile[] {
  const main = `${header('Manifest-Version', '1.0')}${CREATED_BY}\r\n`;
  const sections = entries.map(({ name, digest }) => section(name, digest));
  const manifest = main + sections.join('');
  const signatureFile = Buffer.from(
    header('Signature-Version', '1.0') +
      CREATED_BY +
      header('SHA-256-Digest-Manifest', digestText(manifest)) +
      header('SHA-256-Digest-Manifest-Main-Attributes', digestText(main)) +
      '\r\n' +
      entries.map(({ name }, index) => section(name, digestText(sections[index] ?? ''))).join(''),
  );
  return [
    { name: 'META-INF/MANIFEST.MF', content: Buffer.from(manifest) },
    { name: 'META-INF/UPLOAD.SF', content: signatureFile },
    { name: `META-INF/UPLOAD.${isEc(signer) ? 'EC' : 'RSA'}`, content: signedData(signatureFile, signer) },
  ];
}

function section(name: string, digest: string): string {
  return `${header('Name', name)}${header('SHA-256-Digest', digest)}\r\n`;
}

function digestText(text: string): string {
  return hash('sha256', text, 'base64');
}

/** Formats a header. A long header continues on lines that begin with a space. Never splits a character. */
function header(name: string, value: string): string {
  const bytes = Buffer.from(`${name}: ${value}`);
  const lines: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const indent = start === 0 ? '' : ' ';
    let end = start + MAX_LINE_BYTES - indent.length;
    // Move back to the start of the UTF-8 character.
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) {
      end -= 1;
    }
    lines.push(`${indent}${bytes.toString('utf8', start, end)}\r\n`);
    start = end;
  }
  return lines.join('');
}

function isEc({ privateKey }: Signer): boolean {
  return privateKey.asymmetricKeyType === 'ec';
}

const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class;
const { INTEGER, NULL, OCTETSTRING, OID, SEQUENCE, SET } = asn1.Type;

const VERSION = primitive(INTEGER, asn1.integerToDer(1).getBytes());
const SHA_256 = sequence(objectId(pki.oids.sha256), primitive(NULL, ''));
const RSA = sequence(objectId(pki.oids.rsaEncryption), primitive(NULL, ''));
/** `ecdsa-with-SHA256` (RFC 5758, 3.2) */
const ECDSA_WITH_SHA_256 = sequence(objectId('1.2.840.10045.4.3.2'));

/** Creates the detached `SignedData` of a string (RFC 2315, 9.1). */
function signedData(text: Buffer, signer: Signer): Buffer {
  const certificates = signer.certificates.map((der) => asn1.fromDer(der.toString('binary')));
  const signerInfo = sequence(
    VERSION,
    issuerAndSerialNumber(certificates[0]),
    SHA_256,
    isEc(signer) ? ECDSA_WITH_SHA_256 : RSA,
    primitive(OCTETSTRING, sign('sha256', text, signer.privateKey).toString('binary')),
  );
  const signed = sequence(
    VERSION,
    asn1.create(UNIVERSAL, SET, true, [SHA_256]),
    sequence(objectId(pki.oids.data)),
    first(...certificates),
    asn1.create(UNIVERSAL, SET, true, [signerInfo]),
  );
  return Buffer.from(asn1.toDer(sequence(objectId(pki.oids.signedData), first(signed))).getBytes(), 'binary');
}

/** Returns a certificate's issuer and serial number, which follow an optional version field (RFC 5280, 4.1). */
function issuerAndSerialNumber(certificate: forge.asn1.Asn1 | undefined): forge.asn1.Asn1 {
  const fields = getAsn1Children(getAsn1Children(certificate)[0]);
  const [serialNumber, , issuer] = fields[0]?.tagClass === CONTEXT_SPECIFIC ? fields.slice(1) : fields;
  if (serialNumber === undefined || issuer === undefined) {
    throw new TypeError('The certificate doesn’t have an issuer.');
  }
  return sequence(issuer, serialNumber);
}

function getAsn1Children(element: forge.asn1.Asn1 | undefined): readonly forge.asn1.Asn1[] {
  return Array.isArray(element?.value) ? element.value : [];
}

function primitive(type: forge.asn1.Type, bytes: string): forge.asn1.Asn1 {
  return asn1.create(UNIVERSAL, type, false, bytes);
}

function objectId(name: string | undefined): forge.asn1.Asn1 {
  return primitive(OID, asn1.oidToDer(name ?? '').getBytes());
}

function sequence(...parts: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(UNIVERSAL, SEQUENCE, true, parts);
}

/** Creates field `[0]` of a structure. */
function first(...parts: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(CONTEXT_SPECIFIC, 0, true, parts);
}
