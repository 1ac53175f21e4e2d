/** Signs a jar as Java does (JAR File Specification, "Signed JAR File"; PKCS #7): Google Play requires it for app bundles. */
import { hash, sign } from 'node:crypto';

import type { Signer } from '../buildKeys.ts';

/** An entry of the jar. */
interface JarEntry {
  readonly name: string;
  /** SHA-256 of its content, in Base64. */
  readonly digest: string;
}

/** The files of a signature, which come first in the jar. */
interface SignatureFile {
  readonly name: string;
  readonly content: Buffer;
}

const MAX_LINE_BYTES = 72;
const CREATED_BY = header('Created-By', '1.0 (App Build)');

/** Signs entries. @param signer its first certificate is the key's own */
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

/** A header. A longer one continues on lines that begin with a space; no character is split. */
function header(name: string, value: string): string {
  const bytes = Buffer.from(`${name}: ${value}`);
  const lines: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const indent = start === 0 ? '' : ' ';
    let end = start + MAX_LINE_BYTES - indent.length;
    // In the middle of a UTF-8 character.
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

/** Tags of DER (X.690, 8). */
const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const NULL = 0x05;
const OBJECT_ID = 0x06;
const SEQUENCE = 0x30;
const SET = 0x31;
/** `[0]` of a structure. */
const FIRST = 0xa0;

const NOTHING = Buffer.alloc(0);
const VERSION = der(INTEGER, Buffer.of(1));
const DATA = objectId('2a864886f70d010701');
const SIGNED_DATA = objectId('2a864886f70d010702');
const SHA_256 = der(SEQUENCE, objectId('608648016503040201'), der(NULL));
const RSA = der(SEQUENCE, objectId('2a864886f70d010101'), der(NULL));
const ECDSA_WITH_SHA_256 = der(SEQUENCE, objectId('2a8648ce3d040302'));

/** `SignedData` of a text that it doesn't contain (RFC 2315, 9.1). */
function signedData(text: Buffer, signer: Signer): Buffer {
  const { privateKey, certificates } = signer;
  const signerInfo = der(
    SEQUENCE,
    VERSION,
    issuerAndSerialNumber(certificates[0] ?? NOTHING),
    SHA_256,
    isEc(signer) ? ECDSA_WITH_SHA_256 : RSA,
    der(OCTET_STRING, sign('sha256', text, privateKey)),
  );
  const signed = der(
    SEQUENCE,
    VERSION,
    der(SET, SHA_256),
    der(SEQUENCE, DATA),
    der(FIRST, ...certificates),
    der(SET, signerInfo),
  );
  return der(SEQUENCE, SIGNED_DATA, der(FIRST, signed));
}

/** Issuer and serial number, as a certificate has them (RFC 5280, 4.1: the version before them may be left out). */
function issuerAndSerialNumber(certificate: Buffer): Buffer {
  const fields = readParts(readParts(certificate)[0] ?? NOTHING);
  const [serialNumber, , issuer] = fields[0]?.[0] === FIRST ? fields.slice(1) : fields;
  if (serialNumber === undefined || issuer === undefined) {
    throw new TypeError('The certificate has no issuer.');
  }
  return der(SEQUENCE, issuer, serialNumber);
}

function objectId(hex: string): Buffer {
  return der(OBJECT_ID, Buffer.from(hex, 'hex'));
}

/** An element of DER (X.690, 8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const digits = content.length.toString(16);
  const size = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  const head = content.length < 0x80 ? Buffer.of(tag) : Buffer.of(tag, 0x80 | size.length);
  return Buffer.concat([head, size, content]);
}

/** The elements that an element of DER consists of. @throws RangeError where it's cut off */
function readParts(element: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let [start] = contentRange(element, 0); start < element.length;) {
    const [, end] = contentRange(element, start);
    parts.push(element.subarray(start, end));
    start = end;
  }
  return parts;
}

/** Where the content of the element starts and ends that is at a position. */
function contentRange(bytes: Buffer, position: number): readonly [start: number, end: number] {
  const first = bytes.readUInt8(position + 1);
  const digits = first < 0x80 ? 0 : first & 0x7f;
  const start = position + 2 + digits;
  return [start, start + (digits === 0 ? first : bytes.readUIntBE(position + 2, digits))];
}
