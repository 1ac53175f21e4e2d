/**
 * The signatures of a package, by Android's "APK Signature Scheme v2" and "v3": one signer, who has signed by both, so that
 * Android 7 and 8 find the first and Android 9 and later the second.
 */
import { constants, createHash, createPublicKey, verify, X509Certificate, type KeyObject } from 'node:crypto';

import { ByteReader } from './byteReader.ts';
import { demand, readable } from './invalidApkError.ts';
import type { ZipArchive } from './zipEntries.ts';

const MAGIC = Buffer.from('APK Sig Block 42');
const V2_ID = 0x7109871a;
const V3_ID = 0xf05368c0;
/** Zeros, by which apksigner makes the block as long as pages of memory. */
const PADDING_ID = 0x42726577;
/** apksigner lets the block begin at such a multiple. */
const PAGE_SIZE = 4096;
/** In v2, "stripping protection": the scheme that is there as well. */
const STRIPPING_PROTECTION_ID = 0xbeeff00d;
/** The first Android that knows v3. */
const FIRST_SDK_OF_V3 = 28;
const LAST_SDK = 0x7fffffff;
const CHUNK_SIZE = 1024 * 1024;

interface Algorithm {
  readonly keyType: 'rsa' | 'ec';
  readonly hash: 'sha256' | 'sha512';
  /** The padding and salt of RSA. */
  readonly parameters?: { readonly padding: number; readonly saltLength?: number };
}

/** "Signature algorithm IDs", without DSA and without those for fs-verity. */
const ALGORITHMS = new Map<number, Algorithm>([
  [
    0x0101,
    { keyType: 'rsa', hash: 'sha256', parameters: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } },
  ],
  [
    0x0102,
    { keyType: 'rsa', hash: 'sha512', parameters: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 } },
  ],
  [0x0103, { keyType: 'rsa', hash: 'sha256', parameters: { padding: constants.RSA_PKCS1_PADDING } }],
  [0x0104, { keyType: 'rsa', hash: 'sha512', parameters: { padding: constants.RSA_PKCS1_PADDING } }],
  [0x0201, { keyType: 'ec', hash: 'sha256' }],
  [0x0202, { keyType: 'ec', hash: 'sha512' }],
]);

export interface Signature {
  /** "Signature algorithm IDs": 0x0103 is RSASSA-PKCS1-v1_5 with SHA-256. */
  readonly algorithms: readonly number[];
  /** That of the signer first. */
  readonly certificates: readonly X509Certificate[];
}

export interface V3Signature extends Signature {
  readonly minSdk: number;
  readonly maxSdk: number;
}

export interface Signatures {
  readonly v2: Signature;
  readonly v3: V3Signature;
}

/** The three parts that are digested. */
type Sections = readonly [contents: Buffer, directory: Buffer, endRecord: Buffer];

/**
 * The signatures of a package, all of which verify.
 *
 * @param zip what {@link readZip} has found in these bytes
 * @throws InvalidApkError
 */
export function readSignatures(bytes: Buffer, zip: ZipArchive): Signatures {
  const { entriesEnd, directoryOffset, endRecordOffset } = zip;
  demand(
    directoryOffset >= 32 && bytes.subarray(directoryOffset - 16, directoryOffset).equals(MAGIC),
    'signing block: its magic is in front of the directory',
  );
  const size = new ByteReader(bytes, 'signing block: size', directoryOffset - 24).uint64();
  const blockOffset = directoryOffset - 8 - size;
  demand(size >= 24 && blockOffset >= entriesEnd, 'signing block: it begins behind the entries');
  demand(
    blockOffset === entriesEnd ||
      (blockOffset - entriesEnd < PAGE_SIZE &&
        blockOffset % PAGE_SIZE === 0 &&
        isZero(bytes.subarray(entriesEnd, blockOffset))),
    'signing block: it begins behind the last entry, or behind zeros at the next page',
  );
  demand(
    new ByteReader(bytes, 'signing block: size', blockOffset).uint64() === size,
    'signing block: it has its size in front and at its end',
  );

  // The offset of the directory depends on the block: the block's offset, which does not, is digested instead.
  const endRecord = Buffer.from(bytes.subarray(endRecordOffset));
  endRecord.writeUInt32LE(blockOffset, 16);
  const sections: Sections = [
    bytes.subarray(0, blockOffset),
    bytes.subarray(directoryOffset, endRecordOffset),
    endRecord,
  ];
  const pairs = readPairs(bytes.subarray(blockOffset + 8, directoryOffset - 24));
  const v2Value = pairs.get(V2_ID);
  demand(v2Value !== undefined, 'signing block: there is a v2 signature');
  const v2 = readV2(v2Value, sections);
  const v3Value = pairs.get(V3_ID);
  demand(v3Value !== undefined, "signing block: the v3 signature is there that v2's attribute names");
  const v3 = readV3(v3Value, sections);
  demand(sameCertificates(v2, v3), 'signing block: v2 and v3 have the same certificates');
  return { v2, v3 };
}

/** The values of the block, by their IDs. Others than ours are legal, but nothing protects them. */
function readPairs(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const pairs = new Map<number, Buffer>();
  for (const pair of new ByteReader(bytes, 'signing block: pairs').untilEnd((reader) =>
    reader.slice(reader.uint64()),
  )) {
    const reader = new ByteReader(pair, 'signing block: pair');
    const id = reader.uint32();
    const value = pair.subarray(4);
    demand(!pairs.has(id), `signing block: there is one pair 0x${id.toString(16)}`);
    demand(
      id === V2_ID || id === V3_ID || (id === PADDING_ID && isZero(value)),
      `signing block: the pair 0x${id.toString(16)} is a signature or zeros`,
    );
    pairs.set(id, value);
  }
  return pairs;
}

function readV2(value: Buffer, sections: Sections): Signature {
  const signer = readSigner(value, 'v2');
  const signedData = signer.lengthPrefixed('v2 signed data');
  const claim = readClaim(signedData, 'v2');
  const attributes = readAttributes(signedData.lengthPrefixed('v2 attributes'), 'v2');
  if (!signedData.isAtEnd) {
    demand(
      signedData.uint32() === 0,
      'v2 signed data: an empty field may follow, which apksigner writes, and nothing else',
    );
    signedData.end();
  }
  verifySigner(signer, signedData.bytes, claim, sections, 'v2');
  const schemes = attributes.get(STRIPPING_PROTECTION_ID);
  demand(
    attributes.size === 1 && schemes?.length === 4 && schemes.readUInt32LE() === 3,
    'v2: its only attribute names scheme 3, so that v3 cannot be taken out',
  );
  return { algorithms: claim.algorithms, certificates: claim.certificates };
}

function readV3(value: Buffer, sections: Sections): V3Signature {
  const signer = readSigner(value, 'v3');
  const signedData = signer.lengthPrefixed('v3 signed data');
  const claim = readClaim(signedData, 'v3');
  const minSdk = signedData.uint32();
  const maxSdk = signedData.uint32();
  const attributes = readAttributes(signedData.lengthPrefixed('v3 attributes'), 'v3');
  signedData.end();
  demand(
    signer.uint32() === minSdk && signer.uint32() === maxSdk,
    'v3: the range of SDKs is the same inside and outside of the signed data',
  );
  verifySigner(signer, signedData.bytes, claim, sections, 'v3');
  demand(minSdk <= FIRST_SDK_OF_V3 && maxSdk === LAST_SDK, `v3: every SDK from 28 on, not ${minSdk} to ${maxSdk}`);
  demand(attributes.size === 0, 'v3: no attributes: the key has not been rotated');
  return { algorithms: claim.algorithms, certificates: claim.certificates, minSdk, maxSdk };
}

/** What the signed data of both schemes begins with. */
interface Claim extends Signature {
  readonly digests: readonly Buffer[];
}

function readSigner(value: Buffer, scheme: string): ByteReader {
  const block = new ByteReader(value, `${scheme} block`);
  const signers = block.lengthPrefixed(`${scheme} signers`);
  block.end();
  const signer = signers.lengthPrefixed(`${scheme} signer`);
  demand(signers.isAtEnd, `${scheme}: there is one signer`);
  return signer;
}

function readClaim(signedData: ByteReader, scheme: string): Claim {
  const digests = readByAlgorithm(signedData.lengthPrefixed(`${scheme} digests`), scheme);
  const certificates = signedData.lengthPrefixed(`${scheme} certificates`).untilEnd((reader) => {
    const bytes = reader.slice(reader.uint32());
    const certificate = readable(() => new X509Certificate(bytes), `${scheme}: its certificates are X.509`);
    demand(certificate.raw.equals(bytes), `${scheme}: its certificates are in DER`);
    return certificate;
  });
  return {
    algorithms: digests.map(({ id }) => id),
    digests: digests.map(({ value }) => value),
    certificates,
  };
}

/** A digest or a signature for each algorithm. */
function readByAlgorithm(list: ByteReader, scheme: string): { readonly id: number; readonly value: Buffer }[] {
  return list.untilEnd(() => {
    const item = list.lengthPrefixed(list.title);
    const id = item.uint32();
    const value = item.slice(item.uint32());
    item.end();
    demand(ALGORITHMS.has(id), `${scheme}: the algorithm 0x${id.toString(16)} is one of RSA or ECDSA`);
    return { id, value };
  });
}

function readAttributes(list: ByteReader, scheme: string): ReadonlyMap<number, Buffer> {
  const attributes = list.untilEnd(() => {
    const item = list.lengthPrefixed(list.title);
    return [item.uint32(), item.slice(item.bytes.length - 4)] as const;
  });
  const byId = new Map(attributes);
  demand(byId.size === attributes.length, `${scheme}: no two attributes have one ID`);
  return byId;
}

/** Reads the signatures and the public key that follow, and verifies them and the digests. */
function verifySigner(signer: ByteReader, signedData: Buffer, claim: Claim, sections: Sections, scheme: string): void {
  const signatures = readByAlgorithm(signer.lengthPrefixed(`${scheme} signatures`), scheme);
  const publicKey = signer.slice(signer.uint32());
  signer.end();
  const { algorithms, digests, certificates } = claim;
  demand(
    algorithms.length > 0 &&
      new Set(algorithms).size === algorithms.length &&
      algorithms.join() === signatures.map(({ id }) => id).join(),
    `${scheme}: digests and signatures are of the same algorithms, each once`,
  );
  const key = readable(
    () => createPublicKey({ key: publicKey, format: 'der', type: 'spki' }),
    `${scheme}: its key is SPKI`,
  );
  for (const { id, value } of signatures) {
    demand(isSignature(id, signedData, key, value), `${scheme}: the signature by 0x${id.toString(16)} is right`);
  }
  demand(
    readable(
      () => certificates[0]?.publicKey.export({ format: 'der', type: 'spki' }).equals(publicKey) === true,
      `${scheme}: the key of the first certificate can be read`,
    ),
    `${scheme}: the key is that of the first certificate`,
  );
  for (const [index, id] of algorithms.entries()) {
    demand(
      digests[index]?.equals(digestOf(sections, ALGORITHMS.get(id)?.hash ?? 'sha256')) === true,
      `${scheme}: the digest for 0x${id.toString(16)} is that of the package`,
    );
  }
}

function isSignature(id: number, data: Buffer, key: KeyObject, signature: Buffer): boolean {
  const algorithm = ALGORITHMS.get(id);
  return (
    algorithm !== undefined &&
    key.asymmetricKeyType === algorithm.keyType &&
    readable(
      () => verify(algorithm.hash, data, { key, ...algorithm.parameters }, signature),
      'the signature can be read',
    )
  );
}

/** "Integrity-protected contents": the digest of the digests of all chunks of 1 MiB, of which none reaches into two sections. */
function digestOf(sections: Sections, hash: Algorithm['hash']): Buffer {
  const chunks = sections.flatMap((section) =>
    Array.from({ length: Math.ceil(section.length / CHUNK_SIZE) }, (_, index) =>
      section.subarray(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
    ),
  );
  const whole = createHash(hash).update(prefixed(0x5a, chunks.length));
  for (const chunk of chunks) {
    whole.update(createHash(hash).update(prefixed(0xa5, chunk.length)).update(chunk).digest());
  }
  return whole.digest();
}

function prefixed(prefix: number, count: number): Buffer {
  const bytes = Buffer.alloc(5, prefix);
  bytes.writeUInt32LE(count, 1);
  return bytes;
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

function sameCertificates(one: Signature, other: Signature): boolean {
  const fingerprints = ({ certificates }: Signature): string => certificates.map((each) => each.fingerprint256).join();
  return fingerprints(one) === fingerprints(other);
}
