/** Opens PKCS#12 files (RFC 7292) with node-forge: `.p12`, `.pfx`, and the keystores that Java's keytool makes. */
import { createPrivateKey, pbkdf2Sync, X509Certificate } from 'node:crypto';
import forge from 'node-forge';

import { certificateChain, isCertificateOf } from './certificates.ts';
import { KeyFileError, type KeyEntry } from './keyEntry.ts';

const { asn1, pkcs12, pki } = forge;
type Bag = forge.pkcs12.Bag;

const KEY_BAGS: readonly (string | undefined)[] = [pki.oids.keyBag, pki.oids.pkcs8ShroudedKeyBag];

// Forge hashes in JavaScript, a hundred times as slowly, and takes each character of a password for a byte. Java and OpenSSL have UTF-8.
Object.assign(forge.pkcs5, {
  pbkdf2: (password: string, salt: string, count: number, length: number, digest?: { readonly algorithm: string }) =>
    pbkdf2Sync(password, Buffer.from(salt, 'binary'), count, length, digest?.algorithm ?? 'sha1').toString('binary'),
});

/**
 * Opens a file. It may take as long as its author likes.
 *
 * @param alias of the key, in any case; without one it is the first key
 * @throws KeyFileError, or any other error where the file is broken
 */
export function openPkcs12(bytes: Buffer, password: string, alias: string | undefined): KeyEntry {
  const bags = decrypt(bytes, password);
  const key = findKey(bags, alias);
  const privateKey = key.key ? toDer(pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(key.key))) : toDer(key.asn1);
  const keyObject = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  const id = attribute(key, 'localKeyId');
  const certificates = bags.filter(({ type }) => type === pki.oids.certBag);
  // The certificate with the ID of the key goes first: another one may have been made of the same key.
  const isOwn = (bag: Bag): boolean => id !== undefined && attribute(bag, 'localKeyId') === id;
  const ordered = [...certificates.filter(isOwn), ...certificates.filter((bag) => !isOwn(bag))];
  const known = ordered.map(
    ({ cert, asn1: tree }) => new X509Certificate(toDer(cert ? pki.certificateToAsn1(cert) : tree)),
  );
  const certificate = known.find((each) => isCertificateOf(keyObject, each));
  if (certificate === undefined) {
    throw new KeyFileError('no certificate');
  }
  return { privateKey, certificates: certificateChain(certificate, known).map(({ raw }) => raw) };
}

/**
 * Reads the names of the keys in a file, which Java calls aliases. Tools leave them in the clear, beside each encrypted key. Where a
 * file has encrypted them, there are none.
 *
 * @throws an error where the file is broken
 */
export function pkcs12Aliases(bytes: Buffer): readonly string[] {
  const parts = parse(octets(child(parse(bytes.toString('binary')), 1, 1, 0)));
  const bags = children(parts)
    .filter((part) => asn1.derToOid(octets(child(part, 0))) === pki.oids.data)
    .flatMap((part) => children(parse(octets(child(part, 1, 0)))));
  return bags
    .filter((bag) => KEY_BAGS.includes(asn1.derToOid(octets(child(bag, 0)))))
    .flatMap((bag) => children(children(bag)[2]))
    .filter((each) => asn1.derToOid(octets(child(each, 0))) === pki.oids.friendlyName)
    .map((each) => octets(child(each, 1, 0)))
    .filter((name) => name !== '');
}

/** @throws KeyFileError for a wrong password, and for a file that forge doesn't know */
function decrypt(bytes: Buffer, password: string): readonly Bag[] {
  const file = parse(bytes.toString('binary'));
  const hasMac = children(file).length > 2;
  try {
    return pkcs12.pkcs12FromAsn1(file, false, password).safeContents.flatMap(({ safeBags }) => safeBags);
  } catch (error) {
    const { message } = error as Error;
    if (/unsupported|only PKCS#12 PFX in password/i.test(message)) {
      throw new KeyFileError('unsupported');
    }
    if (message.includes('MAC could not be verified')) {
      throw new KeyFileError('wrong password');
    }
    // Without a MAC a wrong password shows in what comes out. With one, it's right, and the key has another.
    if (!hasMac) {
      throw new KeyFileError('wrong password');
    }
    throw new KeyFileError(/decrypt/i.test(message) ? 'wrong key password' : 'invalid');
  }
}

/** OpenJDK's `PKCS12KeyStore` ignores the case of aliases, and numbers keys without a name. */
function findKey(bags: readonly Bag[], alias: string | undefined): Bag {
  const keys = bags.filter(({ type }) => KEY_BAGS.includes(type));
  const nameless = keys.filter((key) => attribute(key, 'friendlyName') === undefined);
  const nameOf = (key: Bag): string => attribute(key, 'friendlyName') ?? `${nameless.indexOf(key) + 1}`;
  const found = keys.find((key) => alias === undefined || nameOf(key).toLowerCase() === alias.toLowerCase());
  if (found === undefined) {
    throw new KeyFileError(alias === undefined ? 'no certificate' : 'unknown alias');
  }
  return found;
}

function attribute({ attributes }: Bag, name: 'localKeyId' | 'friendlyName'): string | undefined {
  return (attributes as Readonly<Record<string, readonly string[] | undefined>>)[name]?.[0];
}

/** @throws KeyFileError `invalid` for what isn't BER (X.690), and where it's cut off */
function parse(bytes: string): forge.asn1.Asn1 {
  try {
    // Only then forge notices that bytes are missing. An indefinite length ends with a mark of its own.
    const isDefinite = bytes.charCodeAt(1) !== 0x80;
    return asn1.fromDer(forge.util.createBuffer(bytes), isDefinite);
  } catch {
    throw new KeyFileError('invalid');
  }
}

function toDer(tree: forge.asn1.Asn1): Buffer {
  return Buffer.from(asn1.toDer(tree).getBytes(), 'binary');
}

function children(tree: forge.asn1.Asn1 | undefined): readonly forge.asn1.Asn1[] {
  return Array.isArray(tree?.value) ? tree.value : [];
}

/** The element at this path of indexes. @throws KeyFileError `invalid` where there is none */
function child(tree: forge.asn1.Asn1, ...path: readonly number[]): forge.asn1.Asn1 {
  const found = path.reduce<forge.asn1.Asn1 | undefined>((parent, index) => children(parent)[index], tree);
  if (found === undefined) {
    throw new KeyFileError('invalid');
  }
  return found;
}

/** The bytes of a string, whose pieces are put together. */
function octets(tree: forge.asn1.Asn1): string {
  return typeof tree.value === 'string' ? tree.value : tree.value.map(octets).join('');
}
