/** Generates secrets of well-known forms. The source contains none of them, because secret scanners would find them. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './repository.ts';

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERS = `${CAPITALS}${CAPITALS.toLowerCase()}0123456789`;

/** Returns random-looking characters, always the same for the same seed. */
export function randomText(length: number, seed = 'a', alphabet = LETTERS): string {
  const bytes = Array.from({ length: Math.ceil(length / 32) }, (_, index) => [
    ...createHash('sha256').update(`${seed}${index}`).digest(),
  ]);
  return bytes
    .flat()
    .slice(0, length)
    .map((byte) => alphabet.charAt(byte % alphabet.length))
    .join('');
}

/** Returns a private key in PEM. @param newline separator of its lines. In code, it's `\\n` */
export function privateKey(seed = 'a', newline = '\n'): string {
  const lines = [1, 2, 3].map((line) => randomText(64, `${seed}${line}`, `${LETTERS}+/`));
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join(newline);
}

/** Returns an identifier and its key. */
export function awsKey(seed = 'a'): string {
  return `id = AKIA${randomText(16, seed, `${CAPITALS}234567`)}\nkey = "${randomText(40, seed, `${LETTERS}+/`)}"`;
}

/** Returns a token of each kind that is one word. @param seed selects different tokens */
export function accessTokens(seed = 'a'): readonly string[] {
  const text = (length: number): string => randomText(length, seed);
  return [
    `ghp_${text(36)}`,
    `gho_${text(36)}`,
    `ghs_12345_ey${text(100)}.${text(80)}.${text(40)}-_`,
    `github_pat_${text(22)}_${text(59)}`,
    `glpat-${text(20)}`,
    `glpat-${text(27)}.01.${text(9).toLowerCase()}`,
    `npm_${text(36)}`,
    `xoxb-20481632-64128256-${text(24)}`,
    `xapp-1-A0${text(9).toUpperCase()}-${text(40)}`,
    `https://hooks.slack.com/services/T0${text(8).toUpperCase()}/B0${text(8).toUpperCase()}/${text(24)}`,
    `sk_live_${text(24)}`,
    `rk_live_${text(99)}`,
    `sk.eyJ1${text(50)}.${text(22)}`,
    `SG.${text(22)}.${text(43)}`,
    `sk-proj-${text(60)}`,
    `sk-ant-api03-${text(90)}`,
    `sk-${text(20)}T3BlbkFJ${text(20)}`,
    `pypi-AgEIcHlwaS5vcmc${text(120)}`,
    `dop_v1_${randomText(64, seed, '0123456789abcdef')}`,
    `hf_${text(34)}`,
    `shpat_${randomText(32, seed, '0123456789abcdef')}`,
    `GOCSPX-${text(28)}`,
    `Xy.8Q~${text(34)}`,
  ];
}

/** Returns cloud service keys of each kind that is one word. */
export function cloudKeys(seed = 'a'): readonly string[] {
  return [
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${randomText(86, seed)}==;EndpointSuffix=core`,
    `Endpoint=sb://a.example/;SharedAccessKeyName=n;SharedAccessKey=${randomText(43, seed)}=`,
  ];
}

/** Returns files with secrets, each of another kind: all kinds that reviews have tried, and similar ones. */
export function secretFiles(): Readonly<Record<string, string | Buffer>> {
  const fixture = (name: string) => readFileSync(path.join(repositoryRoot, 'test/fixtures/signingKeys', name));
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const der = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1') => key.export({ format: 'der', type });
  const encrypted = { format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
  const service = JSON.stringify({ type: 'service_account', private_key: `${privateKey()}\n` });
  const byName = [
    '.dockercfg .env .env.local .git-credentials .my.cnf .netrc .npmrc .pgpass .pypirc .s3cfg a.jks a.keystore a.p12 a.p8',
    'a.pfx cert.p12.bak id_rsa login.keychain-db platform.pk8 prod.env release.jks.old release.keystore.bak terraform.tfvars',
  ];
  return {
    ...Object.fromEntries(byName.flatMap((names) => names.split(' ')).map((name) => [name, 'x'])),
    'age.txt': `AGE-SECRET-KEY-1${randomText(58, 'a', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`,
    'database.js': `connect("postgres://shop:${randomText(14)}@db.shop.test:5432/shop")`,
    '.yarnrc.yml': `npmAuthToken: "${randomText(30)}"\n`,
    'account.json': service,
    'aws.txt': awsKey(),
    'big-endian.txt': Buffer.from(privateKey(), 'utf16le').swap16(),
    'encrypted.der': rsa.export(encrypted),
    'key.ppk.txt': 'PuTTY-User-Key-File-3: ssh-ed25519\r\nEncryption: none\r\n',
    'little-endian.txt': Buffer.from(privateKey(), 'utf16le'),
    'memory.dump': Buffer.concat([Buffer.from([0, 1, 0, 2, 0]), Buffer.from(privateKey())]),
    mykeystore: fixture('release.jks'),
    'mykeystore.jceks': fixture('keytool.jceks'),
    'server.key': der(rsa, 'pkcs8'),
    'server.pem': privateKey(),
    'signing.der': der(ec, 'sec1'),
    'signing.rsa': der(rsa, 'pkcs1'),
    'upload-key': fixture('release.p12'),
    ...Object.fromEntries(
      [...accessTokens(), ...cloudKeys()].map((token, index) => [`token${index}.js`, `"${token}"`]),
    ),
  };
}
