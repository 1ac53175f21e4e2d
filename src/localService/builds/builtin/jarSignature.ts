/** Signs a jar as Java does (JAR File Specification, "Signed JAR File"; PKCS #7): Google Play asks it of app bundles. */
import { createHash, sign } from 'node:crypto';

import forge from 'node-forge';

import type { Signer } from '../buildKeys.ts';

const { asn1, pki } = forge;
const { Class, Type } = asn1;

/** An entry of the jar. */
export interface JarEntry {
  readonly name: string;
  /** SHA-256 of its content. */
  readonly digest: Buffer;
}

/** The files of a signature, which come first in the jar. */
export interface SignatureFile {
  readonly name: string;
  readonly content: Buffer;
}

const CREATED_BY = header('Created-By', '1.0 (App Build)');
const MAX_LINE_BYTES = 72;

/** Signs entries. @param signer its first certificate is the key's own */
export function signJar(entries: readonly JarEntry[], signer: Signer): readonly SignatureFile[] {
  const main = `${header('Manifest-Version', '1.0')}${CREATED_BY}\r\n`;
  const sections = entries.map(
    ({ name, digest }) => `${header('Name', name)}${header('SHA-256-Digest', digest.toString('base64'))}\r\n`,
  );
  const manifest = Buffer.from(main + sections.join(''));
  const signatureFile = Buffer.from(
    header('Signature-Version', '1.0') +
      CREATED_BY +
      header('SHA-256-Digest-Manifest', digestText(manifest)) +
      header('SHA-256-Digest-Manifest-Main-Attributes', digestText(main)) +
      '\r\n' +
      entries
        .map(
          ({ name }, index) =>
            `${header('Name', name)}${header('SHA-256-Digest', digestText(sections[index] ?? ''))}\r\n`,
        )
        .join(''),
  );
  const extension = signer.privateKey.asymmetricKeyType === 'ec' ? 'EC' : 'RSA';
  return [
    { name: 'META-INF/MANIFEST.MF', content: manifest },
    { name: 'META-INF/UPLOAD.SF', content: signatureFile },
    { name: `META-INF/UPLOAD.${extension}`, content: signedData(signatureFile, signer) },
  ];
}

function digestText(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64');
}

/** A header. A longer one continues on lines that begin with a space; no character is split. */
function header(name: string, value: string): string {
  const lines: string[] = [];
  let line = '';
  for (const character of `${name}: ${value}`) {
    if (Buffer.byteLength(line + character) > MAX_LINE_BYTES) {
      lines.push(line);
      line = ' ';
    }
    line += character;
  }
  return [...lines, line].map((each) => `${each}\r\n`).join('');
}

/** `SignedData` of a text that it doesn't contain (RFC 2315, 9.1). */
function signedData(text: Buffer, { privateKey, certificates }: Signer): Buffer {
  const isEc = privateKey.asymmetricKeyType === 'ec';
  const parsed = certificates.map((certificate) =>
    asn1.fromDer(forge.util.createBuffer(certificate.toString('latin1'))),
  );
  const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'), NULL);
  const signature = sign('sha256', text, privateKey).toString('latin1');
  const signerInfo = sequence(
    integer(1),
    issuerAndSerialNumber(parsed[0]),
    sha256,
    isEc ? sequence(oid('1.2.840.10045.4.3.2')) : sequence(oid(pki.oids.rsaEncryption ?? ''), NULL),
    asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, signature),
  );
  const content = sequence(
    integer(1),
    set(sha256),
    sequence(oid(pki.oids.data ?? '')),
    asn1.create(Class.CONTEXT_SPECIFIC, 0, true, parsed),
    set(signerInfo),
  );
  const whole = sequence(oid(pki.oids.signedData ?? ''), asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [content]));
  return Buffer.from(asn1.toDer(whole).getBytes(), 'latin1');
}

const NULL = asn1.create(Class.UNIVERSAL, Type.NULL, false, '');

function oid(dotted: string): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(dotted).getBytes());
}

function integer(value: number): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.INTEGER, false, String.fromCharCode(value));
}

function sequence(...parts: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, parts);
}

function set(...parts: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.SET, true, parts);
}

/** Issuer and serial number of a certificate (RFC 5280, 4.1: the version may be left out). */
function issuerAndSerialNumber(certificate: forge.asn1.Asn1 | undefined): forge.asn1.Asn1 {
  const fields = children(children(certificate)[0]);
  const first = fields[0]?.tagClass === Class.CONTEXT_SPECIFIC ? 1 : 0;
  const [serialNumber, , issuer] = fields.slice(first);
  if (serialNumber === undefined || issuer === undefined) {
    throw new TypeError('The certificate has no issuer.');
  }
  return sequence(issuer, serialNumber);
}

function children(tree: forge.asn1.Asn1 | undefined): readonly forge.asn1.Asn1[] {
  return Array.isArray(tree?.value) ? tree.value : [];
}
