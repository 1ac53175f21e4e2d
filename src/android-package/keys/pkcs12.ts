/** Opens PKCS#12 files (RFC 7292) with node-forge: `.p12`, `.pfx`, and the keystores that Java's keytool creates. */
import { createPrivateKey, pbkdf2Sync, X509Certificate } from 'node:crypto';
import forge from 'node-forge';

import { certificateChain, isCertificateForKey } from './certificates.ts';
import { KeyFileError, type KeyEntry } from './keyEntry.ts';

const { asn1, pkcs12, pki } = forge;
type Pkcs12Bag = forge.pkcs12.Bag;

const KEY_BAGS: readonly (string | undefined)[] = [pki.oids.keyBag, pki.oids.pkcs8ShroudedKeyBag];

// Replace forge's hashing, which is written in JavaScript and takes a hundred times as long. It also treats each
// character of a password as a byte, while Java and OpenSSL use UTF-8.
Object.assign(forge.pkcs5, {
  pbkdf2: (password: string, salt: string, count: number, length: number, digest?: { readonly algorithm: string }) =>
    pbkdf2Sync(password, Buffer.from(salt, 'binary'), count, length, digest?.algorithm ?? 'sha1').toString('binary'),
});

/**
 * Opens a key in a file. How long this takes depends on the file.
 *
 * @param alias the key's alias (case-insensitive). If omitted, the first key is opened
 * @throws KeyFileError, or any other error if the file is damaged
 */
export function openPkcs12(bytes: Buffer, password: string, alias: string | undefined): KeyEntry {
  const bags = decrypt(bytes, password);
  const key = findKey(bags, alias);
  const privateKey = key.key ? toDer(pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(key.key))) : toDer(key.asn1);
  const keyObject = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  const id = attribute(key, 'localKeyId');
  const certificates = bags.filter(({ type }) => type === pki.oids.certBag);
  // Start with the certificate that has the key's ID, because the file may contain another certificate for the same
  // key.
  const isOwn = (bag: Pkcs12Bag): boolean => id !== undefined && attribute(bag, 'localKeyId') === id;
  const ordered = [...certificates.filter(isOwn), ...certificates.filter((bag) => !isOwn(bag))];
  const known = ordered.map(
    ({ cert, asn1: tree }) => new X509Certificate(toDer(cert ? pki.certificateToAsn1(cert) : tree)),
  );
  const certificate = known.find((each) => isCertificateForKey(keyObject, each));
  if (certificate === undefined) {
    throw new KeyFileError('no certificate');
  }
  return { privateKey, certificates: certificateChain(certificate, known).map(({ raw }) => raw) };
}

/**
 * Reads the aliases of the keys in a file. Most tools leave them unencrypted next to the encrypted keys. Returns an
 * empty array if they're encrypted.
 *
 * @throws Error if the file is damaged
 */
export function pkcs12Aliases(bytes: Buffer): readonly string[] {
  const parts = parsePkcs12(octets(child(parsePkcs12(bytes.toString('binary')), 1, 1, 0)));
  const bags = children(parts)
    .filter((part) => asn1.derToOid(octets(child(part, 0))) === pki.oids.data)
    .flatMap((part) => children(parsePkcs12(octets(child(part, 1, 0)))));
  return bags
    .filter((bag) => KEY_BAGS.includes(asn1.derToOid(octets(child(bag, 0)))))
    .flatMap((bag) => children(children(bag)[2]))
    .filter((each) => asn1.derToOid(octets(child(each, 0))) === pki.oids.friendlyName)
    .map((each) => octets(child(each, 1, 0)))
    .filter((name) => name !== '');
}

/**
 * Decrypts the file.
 *
 * @throws KeyFileError for a wrong password or an unsupported file
 */
function decrypt(bytes: Buffer, password: string): readonly Pkcs12Bag[] {
  const file = parsePkcs12(bytes.toString('binary'));
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
    // Without a MAC, only the decrypted data shows whether the password is wrong. With a MAC, the file's password has
    // been verified, so the key has a different one.
    if (!hasMac) {
      throw new KeyFileError('wrong password');
    }
    throw new KeyFileError(/decrypt/i.test(message) ? 'wrong key password' : 'invalid');
  }
}

/**
 * Finds the key with an alias. Like OpenJDK's `PKCS12KeyStore`, it ignores the case of aliases and uses numbers as
 * aliases for unnamed keys.
 */
function findKey(bags: readonly Pkcs12Bag[], alias: string | undefined): Pkcs12Bag {
  const keys = bags.filter(({ type }) => KEY_BAGS.includes(type));
  const nameless = keys.filter((key) => attribute(key, 'friendlyName') === undefined);
  const getAlias = (key: Pkcs12Bag): string => attribute(key, 'friendlyName') ?? `${nameless.indexOf(key) + 1}`;
  const found = keys.find((key) => alias === undefined || getAlias(key).toLowerCase() === alias.toLowerCase());
  if (found === undefined) {
    throw new KeyFileError(alias === undefined ? 'no certificate' : 'unknown alias');
  }
  return found;
}

function attribute({ attributes }: Pkcs12Bag, name: 'localKeyId' | 'friendlyName'): string | undefined {
  return (attributes as Readonly<Record<string, readonly string[] | undefined>>)[name]?.[0];
}

/**
 * Parses BER (X.690).
 *
 * @throws KeyFileError `invalid` if the bytes are truncated or aren't BER
 */
function parsePkcs12(bytes: string): forge.asn1.Asn1 {
  try {
    // Forge reports missing bytes only in this mode. The mode isn't needed for data of indefinite length, which ends
    // with a marker.
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

/**
 * Returns the element at a path of indexes.
 *
 * @throws KeyFileError `invalid` if it's missing
 */
function child(tree: forge.asn1.Asn1, ...path: readonly number[]): forge.asn1.Asn1 {
  const found = path.reduce<forge.asn1.Asn1 | undefined>((parent, index) => children(parent)[index], tree);
  if (found === undefined) {
    throw new KeyFileError('invalid');
  }
  return found;
}

/** Returns the bytes of an octet string, with its segments joined. */
function octets(tree: forge.asn1.Asn1): string {
  return typeof tree.value === 'string' ? tree.value : tree.value.map(octets).join('');
}
