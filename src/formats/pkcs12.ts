/** PKCS#12 files (RFC 7292): `.p12`, `.pfx`, and the keystores that Java's keytool makes. */
import { createHmac, createPrivateKey } from 'node:crypto';

import { BerElement, SEQUENCE } from './berElement.ts';
import { certificateChain, isCertificateOf, readCertificates } from './certificates.ts';
import { KeyFileError, type KeyEntry } from './keyEntry.ts';
import { decryptWithPassword, deriveMacKey, type EncodedPassword } from './passwordEncryption.ts';

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const KEY_BAG = '1.2.840.113549.1.12.10.1.1';
const ENCRYPTED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const SAFE_CONTENTS_BAG = '1.2.840.113549.1.12.10.1.6';
const FRIENDLY_NAME = '1.2.840.113549.1.9.20';
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21';

/** Digests of MACs. OpenSSL (Node) and BoringSSL (Electron) have them all. */
const DIGESTS: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Parts of a file in which names are looked for; tools make two. */
const MAX_NAMING_PARTS = 8;

/** A key or a certificate in a file (RFC 7292 §4.2). */
interface Bag {
  readonly kind: string;
  readonly value: BerElement;
  /** The name that Java calls alias. */
  readonly name: string | undefined;
  /** A key and its certificate have the same one. */
  readonly id: Buffer | undefined;
}

interface FilePassword extends EncodedPassword {
  /** The MAC of the file has shown already that it is right. */
  readonly isChecked: boolean;
}

/** Whether a file looks like PKCS#12: a sequence that begins with version 3, in DER or BER. */
export function isPkcs12(bytes: Buffer): boolean {
  const lengthByte = bytes[1] ?? 0;
  const start = 2 + (lengthByte > 0x80 ? lengthByte - 0x80 : 0);
  return bytes[0] === 0x30 && bytes.subarray(start, start + 3).equals(Buffer.from([0x02, 0x01, 0x03]));
}

/**
 * Opens a file that {@link isPkcs12}. It may take as long as its author likes.
 *
 * @param alias of the key, in any case; without one it is the first key
 * @throws KeyFileError, or any other error where the file is broken
 */
export function openPkcs12(bytes: Buffer, password: string, alias: string | undefined): KeyEntry {
  const [, contents, mac] = BerElement.read(bytes).children;
  if (contents?.at(0).objectIdentifier() !== DATA) {
    // Signed with a key instead of a password, which no program does.
    throw new KeyFileError('invalid');
  }
  const authenticated = contents.at(1).at(0).octets();
  const checked = checkPassword(mac, authenticated, password);
  const bags = BerElement.read(authenticated).children.flatMap((content) => readContent(content, checked));
  const key = findKey(bags, alias);
  const encodedKey =
    key.kind === KEY_BAG
      ? key.value.encoding
      : openEncrypted(key.value.at(0), key.value.at(1).octets(), checked).encoding;
  const privateKey = createPrivateKey({ key: encodedKey, format: 'der', type: 'pkcs8' });
  const certificates = bags.filter(({ kind }) => kind === CERTIFICATE_BAG);
  // The certificate with the ID of the key goes first: another one may have been made of the same key.
  const isOwn = ({ id }: Bag): boolean => id !== undefined && key.id !== undefined && id.equals(key.id);
  const ordered = [...certificates.filter(isOwn), ...certificates.filter((bag) => !isOwn(bag))];
  const known = readCertificates(ordered.map(({ value }) => value.at(1).at(0).octets()));
  const certificate = known.find((each) => isCertificateOf(privateKey, each));
  if (certificate === undefined) {
    throw new KeyFileError('no certificate');
  }
  return { privateKey: encodedKey, certificates: certificateChain(certificate, known).map(({ raw }) => raw) };
}

/**
 * The names of the keys in a file, which Java calls aliases. Tools leave them in the clear, beside each encrypted key; where a
 * file has encrypted them, there are none.
 *
 * @throws KeyFileError where the file is broken
 */
export function pkcs12Aliases(bytes: Buffer): readonly string[] {
  const contents = BerElement.read(bytes).at(1);
  const parts = BerElement.read(contents.at(1).at(0).octets()).children;
  const bags = parts
    .slice(0, MAX_NAMING_PARTS)
    .filter((part) => part.at(0).objectIdentifier() === DATA)
    .flatMap((part) => readBags(BerElement.read(part.at(1).at(0).octets())));
  return bags.filter(isKey).flatMap(({ name }) => (name === undefined || name === '' ? [] : [name]));
}

/**
 * Checks a password by the MAC of a file (RFC 7292 §4). Without a MAC, and with one of another kind such as that of RFC 9579,
 * decryption shows it.
 *
 * @throws KeyFileError `wrong password`
 */
function checkPassword(mac: BerElement | undefined, authenticated: Buffer, text: string): FilePassword {
  const password = {
    utf8: Buffer.from(text),
    utf16: Buffer.from(`${text}\0`, 'utf16le').swap16(),
    isChecked: false,
  };
  const digest = mac && DIGESTS[mac.at(0).at(0).at(0).objectIdentifier()];
  if (mac === undefined || digest === undefined) {
    return password;
  }
  const derivation = { digest, salt: mac.at(1).octets(), iterations: mac.children[2]?.integer() ?? 1 };
  const expected = mac.at(0).at(1).octets();
  // BouncyCastle takes an empty password for one without bytes.
  const ways = text === '' ? [password, { ...password, utf16: Buffer.alloc(0) }] : [password];
  const right = ways.find((each) =>
    createHmac(digest, deriveMacKey(each, derivation)).update(authenticated).digest().equals(expected),
  );
  if (right === undefined) {
    throw new KeyFileError('wrong password');
  }
  return { ...right, isChecked: true };
}

/** The bags in one part of a file. */
function readContent(content: BerElement, password: FilePassword): readonly Bag[] {
  switch (content.at(0).objectIdentifier()) {
    case DATA:
      return readBags(BerElement.read(content.at(1).at(0).octets()));
    case ENCRYPTED_DATA: {
      const encrypted = content.at(1).at(0).at(1);
      return readBags(openEncrypted(encrypted.at(1), encrypted.at(2).octets(), password));
    }
    default:
      // Encrypted for a public key.
      return [];
  }
}

function readBags(bags: BerElement): readonly Bag[] {
  return bags.expect(SEQUENCE).children.flatMap((bag) => {
    const kind = bag.at(0).objectIdentifier();
    const value = bag.at(1).at(0);
    if (kind === SAFE_CONTENTS_BAG) {
      return readBags(value);
    }
    const attribute = (name: string): Buffer | undefined =>
      bag.children[2]?.children
        .find((each) => each.at(0).objectIdentifier() === name)
        ?.at(1)
        .at(0)
        .octets();
    const name = attribute(FRIENDLY_NAME);
    return [{ kind, value, name: name && Buffer.from(name).swap16().toString('utf16le'), id: attribute(LOCAL_KEY_ID) }];
  });
}

function isKey({ kind }: Bag): boolean {
  return kind === KEY_BAG || kind === ENCRYPTED_KEY_BAG;
}

/** The key of an alias: OpenJDK's `PKCS12KeyStore` ignores case, and numbers keys without a name. */
function findKey(bags: readonly Bag[], alias: string | undefined): Bag {
  const keys = bags.filter(isKey);
  const nameless = keys.filter(({ name }) => name === undefined);
  const found = keys.find(
    (key) => alias === undefined || (key.name ?? `${nameless.indexOf(key) + 1}`).toLowerCase() === alias.toLowerCase(),
  );
  if (found === undefined) {
    throw new KeyFileError(alias === undefined ? 'no certificate' : 'unknown alias');
  }
  return found;
}

/**
 * Decrypts what is a sequence.
 *
 * @throws KeyFileError `wrong password` when another thing comes out, `wrong key password` when the MAC has shown that the
 *   password is right, and `unsupported`
 */
function openEncrypted(algorithm: BerElement, encrypted: Buffer, password: FilePassword): BerElement {
  try {
    const text = decryptWithPassword(algorithm, encrypted, password);
    const element = BerElement.read(text).expect(SEQUENCE);
    if (element.encoding.length === text.length) {
      return element;
    }
  } catch (error) {
    if (error instanceof KeyFileError && error.fault === 'unsupported') {
      throw error;
    }
  }
  throw password.isChecked
    ? new KeyFileError(
        'wrong key password',
        'Incorrect key password: in a PKCS#12 file it must be that of the keystore.',
      )
    : new KeyFileError('wrong password');
}
